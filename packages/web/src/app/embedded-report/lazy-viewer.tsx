import { Component, lazy, type ReactNode, Suspense } from 'react'
import type { Embed, EmbedProps } from '../../features/dashboards/bound-report.ts'
import { BrokenPage } from '../errors/broken-page.tsx'
import classes from './lazy-viewer.module.css'
import { useMarkAsReport } from './report-on-page.ts'

const Viewer = lazy(() => import('../../features/viewer/bound-report.tsx'))

/** The viewer for pages that embed a report; its code loads with the first one. */
export const LazyViewer: Embed = (props) => {
  useMarkAsReport(props.isWholePage === true)
  return (
    <EmbedBoundary>
      <Suspense fallback={<Waiting {...props} />}>
        <Viewer {...props} />
      </Suspense>
    </EmbedBoundary>
  )
}

const Waiting = ({ heading, label }: EmbedProps) => (
  <div className={classes.header} role="status" aria-label={`Carregando ${label}`}>
    <div>{heading}</div>
  </div>
)

/** Contains a failure of loading the viewer, so that the rest of the page stays. */
class EmbedBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <BrokenPage error={this.state.error} />
  }
}
