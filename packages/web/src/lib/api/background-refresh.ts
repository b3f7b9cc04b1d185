import type { Call } from '@bi-manager/contract'
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { call, callInBackground } from './api.ts'

/** Hashed keys of the queries that the portal is refreshing on its own. */
const underWay = new Set<string>()

/** Returns how a query calls the API: in the background while the portal refreshes it. */
export const callForQuery = (queryKey: QueryKey): Call =>
  underWay.has(hashKey(queryKey)) ? callInBackground : call

/** Invalidates queries and refetches the mounted ones, without counting as use of the session. */
export const refreshInBackground = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  const hashes = client
    .getQueryCache()
    .findAll({ queryKey })
    .map(({ queryHash }) => queryHash)
  for (const hash of hashes) underWay.add(hash)
  try {
    await client.invalidateQueries({ queryKey })
  } finally {
    for (const hash of hashes) underWay.delete(hash)
  }
}
