import type { QueryClient } from '@tanstack/react-query'
import { currentUserQuery, secondFactorQuery } from '../../lib/api/queries.ts'

/** Refetches the state of the second factor and the session's pending demand. */
export const refreshSecondFactor = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
    client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  ])
