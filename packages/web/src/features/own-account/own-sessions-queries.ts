import { ownSessionsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

export const ownSessionsQuery = queryOptions({
  queryKey: ['meus-acessos'],
  queryFn: ({ signal }) => call(ownSessionsApi.list, {}, { signal }),
  staleTime: 0,
})
