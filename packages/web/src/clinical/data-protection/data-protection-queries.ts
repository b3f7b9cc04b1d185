import { beneficiariesApi, dataProtectionApi, type Incident, type IncidentDraft } from '@bi-manager/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { loggedRead } from '../../lib/api/queries.ts'
import type { Purpose } from '../../lib/session/purpose.ts'

export const protectionKey = ['protecao-de-dados'] as const
export const incidentsKey = [...protectionKey, 'incidentes'] as const
export const accessesKey = (id: number) => [...protectionKey, 'acessos', id] as const

/**
 * Returns the query of a beneficiary. The access log lists each read with its purpose: a
 * new read when the purpose changes.
 */
export const beneficiaryQuery = (id: number, purpose: Purpose | undefined) =>
  queryOptions({
    queryKey: [...protectionKey, 'beneficiario', id, purpose],
    queryFn: ({ signal }) => call(beneficiariesApi.get, { params: { id } }, { signal }),
    ...loggedRead,
    retry: false,
  })

/** The query of all incidents, without paging: there are few. The access log lists each read. */
export const incidentsQuery = queryOptions({
  queryKey: incidentsKey,
  queryFn: ({ signal }) => call(dataProtectionApi.listIncidents, { query: {} }, { signal }),
  ...loggedRead,
  staleTime: 0,
})

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
