import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { isReachable, subscribeToConnection } from '../lib/api/connection.ts'
import { retryDelay, retryQuery } from '../lib/api/query-retry.ts'
import { keepOfflinePage } from '../lib/browser/offline-page.ts'
import { currentSession, subscribeToSession } from '../lib/session/session.ts'
import { prepareHome, routes } from './routes.tsx'
import { RouterContext } from './shell/router-context.ts'

const queryClient = new QueryClient({
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

const router = createBrowserRouter(routes)

// In development a worker would outlive the pages that it belongs to.
if (import.meta.env.PROD) void keepOfflinePage()

const Portal = () => (
  <QueryClientProvider client={queryClient}>
    <RouterContext value={router}>
      <RouterProvider router={router} />
    </RouterContext>
  </QueryClientProvider>
)

export default Portal
export { prepareHome }
