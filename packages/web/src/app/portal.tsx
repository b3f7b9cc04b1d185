import { QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { queryClient } from './query-client.ts'
import { prefetchHome, routes } from './routes.tsx'

const router = createBrowserRouter(routes)

const Portal = () => (
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

export default Portal
export { prefetchHome }
