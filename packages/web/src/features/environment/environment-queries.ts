import { environmentApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

/** It changes once in the life of an environment. */
export const environmentQuery = queryOptions({
  queryKey: ['ambiente'],
  queryFn: ({ signal }) => call(environmentApi.get, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: true,
})

export const releaseEnvironment = () => call(environmentApi.release, {})
