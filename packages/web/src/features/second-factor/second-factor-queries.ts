import type { QueryClient } from '@tanstack/react-query'
import { currentUserQuery, secondFactorQuery } from '../../lib/queries.ts'

/** After a change of it: the state, and what the session asks for. */
export const refreshSecondFactor = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
    client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  ])
