import { type ComponentProps, lazy, Suspense } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorBoundary } from '../../ui/errors/error-boundary.tsx'
import classes from './lazy-panel.module.css'

const ClinicalPanel = lazy(() => import('./clinical-panel.tsx'))

/** Loads the panel's code when it is first opened. */
export const LazyPanel = (props: ComponentProps<typeof ClinicalPanel>) => (
  <ErrorBoundary
    frame={(message) => (
      <aside className={classes.waiting} aria-label="Prontuários">
        {message}
      </aside>
    )}
    actions={<ActionButton label="Fechar" onClick={props.panel.close} />}
  >
    <Suspense
      fallback={<div className={classes.waiting} role="status" aria-label="Carregando prontuários" />}
    >
      <ClinicalPanel {...props} />
    </Suspense>
  </ErrorBoundary>
)
