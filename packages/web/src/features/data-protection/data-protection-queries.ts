import { beneficiariesApi, dataProtectionApi, type Incident, type IncidentDraft } from '@bi-manager/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import type { Purpose } from '../../lib/purpose.ts'

export const protectionKey = ['protecao-de-dados'] as const
export const incidentsKey = [...protectionKey, 'incidentes'] as const
export const accessesKey = (id: number) => [...protectionKey, 'acessos', id] as const

/**
 * Each reading is put on record: nothing is read again because a window came to the front, and nothing is kept when nobody looks
 * at it. Under another purpose it is read anew.
 */
export const beneficiaryQuery = (id: number, purpose: Purpose | undefined) =>
  queryOptions({
    queryKey: [...protectionKey, 'beneficiario', id, purpose],
    queryFn: ({ signal }) => call(beneficiariesApi.get, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** As bytes: read as JSON and written anew, the files in it would be held several times over. */
const exportFile = { ...dataProtectionApi.export, contentType: 'application/octet-stream' } as const

export const exportJson = (id: number): Promise<Blob> => call(exportFile, { params: { id } })
export const exportPdf = (id: number): Promise<Blob> => call(dataProtectionApi.exportPdf, { params: { id } })
export const exportAccesses = (id: number): Promise<Blob> =>
  call(dataProtectionApi.accessesCsv, { params: { id } })

/** All of them: a house with more incidents than a list holds has other worries. Each reading is put on record. */
export const incidentsQuery = queryOptions({
  queryKey: incidentsKey,
  queryFn: ({ signal }) => call(dataProtectionApi.listIncidents, { query: {} }, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

export const getIncident = (id: number, signal?: AbortSignal): Promise<Incident> =>
  call(dataProtectionApi.getIncident, { params: { id } }, signal && { signal })

export const saveIncident = (draft: IncidentDraft, base: Incident | undefined): Promise<Incident> =>
  base
    ? call(
        dataProtectionApi.updateIncident,
        { params: { id: base.id }, body: draft },
        { ifMatch: base.versao },
      )
    : call(dataProtectionApi.createIncident, { body: draft })

/** @returns when those on the screen are read anew */
export const refreshIncidents = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: incidentsKey })
