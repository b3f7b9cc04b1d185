import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { environmentQuery } from './environment-queries.ts'

const TestEnvironmentAlert = lazy(() => import('./test-environment-alert.tsx'))

/** The notice for an ADMIN of a restored test environment; lazy, so production does not load it. */
export const EnvironmentNotice = () => {
  const { data } = useQuery(environmentQuery)
  return data?.ensaio ? (
    <Suspense fallback={null}>
      <TestEnvironmentAlert ensaio={data.ensaio} />
    </Suspense>
  ) : null
}
