import { QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { keepOfflinePage } from '../lib/browser/offline-page.ts'
import { queryClient } from './query-client.ts'
import { prepareHome, routes } from './routes.tsx'
import { RouterContext } from './shell/router-context.ts'

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
