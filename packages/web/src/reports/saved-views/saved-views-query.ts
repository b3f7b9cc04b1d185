import { savedViewsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

export const savedViewsQuery = (idRelatorio: number) =>
  queryOptions({
    queryKey: ['visoes', idRelatorio],
    queryFn: ({ signal }) => call(savedViewsApi.list, { params: { id: idRelatorio } }, { signal }),
    staleTime: 60_000,
  })
