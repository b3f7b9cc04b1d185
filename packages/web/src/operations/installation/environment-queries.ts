import { environmentApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

/** Never stale, because an environment changes at most once. */
export const environmentQuery = queryOptions({
  queryKey: ['ambiente'],
  queryFn: ({ signal }) => call(environmentApi.get, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: true,
})
