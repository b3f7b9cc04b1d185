import { beneficiariesApi, dataProtectionApi, type Incident, type IncidentDraft } from '@bi-manager/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import type { Purpose } from '../../lib/session/purpose.ts'

export const protectionKey = ['protecao-de-dados'] as const
export const incidentsKey = [...protectionKey, 'incidentes'] as const
export const accessesKey = (id: number) => [...protectionKey, 'acessos', id] as const

/**
 * Returns the query of a beneficiary. Each read is recorded in the access log with its purpose: no
 * refetch on focus, no cache after unmount, and a new read when the purpose changes.
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

/** Read as bytes: parsing and serialising the JSON would hold its files in memory several times. */
const exportFile = { ...dataProtectionApi.export, contentType: 'application/octet-stream' } as const

export const exportJson = (id: number): Promise<Blob> => call(exportFile, { params: { id } })
export const exportPdf = (id: number): Promise<Blob> => call(dataProtectionApi.exportPdf, { params: { id } })
export const exportAccesses = (id: number): Promise<Blob> =>
  call(dataProtectionApi.accessesCsv, { params: { id } })

/** The query of all incidents, without paging: there are few. Each read is recorded. */
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

/** Resolves when the incidents on the screen are refetched. */
export const refreshIncidents = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: incidentsKey })
