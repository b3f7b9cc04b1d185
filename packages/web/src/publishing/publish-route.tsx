import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ErrorBoundary } from '../ui/errors/error-boundary.tsx'
import type { Preview } from './preview/preview-panel.tsx'
import { PublishPage } from './publish-page.tsx'

const ReportPreview = lazy(() => import('./preview/report-preview.tsx'))

/** Loads the viewer's code with the first preview. */
const LazyPreview: Preview = (props) => (
  <ErrorBoundary>
    <Suspense fallback={<Skeleton height="100%" radius="md" />}>
      <ReportPreview {...props} />
    </Suspense>
  </ErrorBoundary>
)

export const PublishRoute = () => <PublishPage Preview={LazyPreview} />
