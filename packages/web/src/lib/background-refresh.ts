import type { Call } from '@bi-manager/contract'
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { call, callInBackground } from './api.ts'

/** Queries that the portal is reading anew by itself at the moment, by their hashed key. */
const underWay = new Set<string>()

/** How a query calls the API: as use of the session, but not while the portal reads it anew by itself. */
export const callFor = (queryKey: QueryKey): Call =>
  underWay.has(hashKey(queryKey)) ? callInBackground : call

/** Reads what is on the screen anew, and what is not when it is next wanted, without counting as use of the session. */
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
