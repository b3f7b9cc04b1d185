import { Group } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { type Embed, type EmbedProps, useMarkAsReport } from '../../reports/index.ts'
import { ErrorBoundary } from '../../ui/errors/error-boundary.tsx'

const Viewer = lazy(() => import('./bound-viewer.tsx'))

/** The viewer for pages that embed a report; its code loads with the first one. */
export const LazyViewer: Embed = (props) => {
  useMarkAsReport(props.isWholePage === true)
  return (
    <ErrorBoundary>
      <Suspense fallback={<Waiting {...props} />}>
        <Viewer {...props} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** A placeholder for the viewer's toolbar. */
const Waiting = ({ heading, label }: EmbedProps) => (
  <Group px="1.25rem" py="0.625rem" role="status" aria-label={`Carregando ${label}`}>
    <div>{heading}</div>
  </Group>
)
