import { accessRequestsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

export const requestsKey = ['pedidos-acesso'] as const

/** The profiles that have the report of a request. */
export const requestProfilesQuery = (id: number) =>
  queryOptions({
    queryKey: [...requestsKey, id, 'perfis'],
    queryFn: ({ signal }) => call(accessRequestsApi.listProfiles, { params: { id } }, { signal }),
  })
