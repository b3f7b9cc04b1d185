import { QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { queryClient } from './query-client.ts'
import { prefetchHome, routes } from './routes.tsx'
import { RouterContext } from './shell/router-context.ts'

const router = createBrowserRouter(routes)

const Portal = () => (
  <QueryClientProvider client={queryClient}>
    <RouterContext value={router}>
      <RouterProvider router={router} />
    </RouterContext>
  </QueryClientProvider>
)

export default Portal
export { prefetchHome }
