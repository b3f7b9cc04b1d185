import { useRouteError } from 'react-router'
import { HOME } from '../../lib/navigation/destination.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { BrokenPage } from './broken-page.tsx'

/** Shown inside the frame when a page failed. */
export const PageError = () => (
  <BrokenPage error={useRouteError()}>
    <ActionButton label="Ir para o início" to={HOME} />
  </BrokenPage>
)

/** The same without the frame. */
export const FrameError = () => (
  <main>
    <PageError />
  </main>
)
