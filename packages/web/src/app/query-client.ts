import { QueryClient } from '@tanstack/react-query'
import { isReachable, subscribeToConnection } from '../lib/api/connection.ts'
import { retryDelay, retryQuery } from '../lib/api/query-retry.ts'
import { currentSession, subscribeToSession } from '../lib/session/session.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: retryQuery,
      retryDelay,
      staleTime: 30_000,
    },
    // Fails at once without a connection, instead of being sent later.
    mutations: { networkMode: 'always' },
  },
})

// One person's data must not be visible to the next.
let person = currentSession()?.usuario_id
subscribeToSession(() => {
  const now = currentSession()?.usuario_id
  if (now !== person) queryClient.clear()
  person = now
})

subscribeToConnection(() => {
  if (isReachable()) void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
})
