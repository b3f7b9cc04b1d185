import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { queryClient } from './query-client.ts'
import { router } from './router.ts'
import { prefetchHome } from './routes.tsx'

const Portal = () => (
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

export default Portal
export { prefetchHome }
