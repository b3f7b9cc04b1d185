import { Button } from '@mantine/core'
import { Component, type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import { BrokenPage } from '../errors/broken-page.tsx'
import classes from './lazy-panel.module.css'

const ClinicalPanel = lazy(() => import('./clinical-panel.tsx'))

/** Loads the panel's code when it is first opened. */
export const LazyPanel = (props: ComponentProps<typeof ClinicalPanel>) => (
  <PanelBoundary onClose={props.panel.close}>
    <Suspense
      fallback={<div className={classes.waiting} role="status" aria-label="Carregando prontuários" />}
    >
      <ClinicalPanel {...props} />
    </Suspense>
  </PanelBoundary>
)

/** Contains a failure of the panel or of loading it, so that the report stays. */
class PanelBoundary extends Component<{ onClose: () => void; children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <aside className={classes.waiting} aria-label="Prontuários">
        <BrokenPage error={this.state.error}>
          <Button variant="default" onClick={this.props.onClose}>
            Fechar
          </Button>
        </BrokenPage>
      </aside>
    )
  }
}
