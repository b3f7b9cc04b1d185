import { ApiProblem } from '@bi-manager/contract'
import { QueryClient } from '@tanstack/react-query'
import { isReachable, subscribeToConnection } from '../lib/connection.ts'
import { currentSession, subscribeToSession } from '../lib/session.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal; a fault of the network or the server deserves one more try.
      retry: (failures, error) => failures < 1 && !(error instanceof ApiProblem && error.status < 500),
      retryDelay: 800,
      staleTime: 30_000,
    },
  },
})

// What one person was shown must not be there for the next.
let person = currentSession()?.usuario_id
subscribeToSession(() => {
  const now = currentSession()?.usuario_id
  if (now !== person) queryClient.clear()
  person = now
})

subscribeToConnection(() => {
  if (isReachable()) void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
})
