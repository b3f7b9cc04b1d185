import { accountsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

/**
 * Returns the query of an e-mailed link's purpose. Fails if the link is invalid; does not use it
 * up.
 */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => call(accountsApi.inspectLink, { body: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
