import { Button } from '@mantine/core'
import { Link, useRouteError } from 'react-router'
import { HOME } from '../../lib/navigation/destination.ts'
import { BrokenPage } from './broken-page.tsx'

/** Shown inside the frame when a page failed. */
export const PageError = () => (
  <BrokenPage error={useRouteError()}>
    <Button variant="default" component={Link} to={HOME}>
      Ir para o início
    </Button>
  </BrokenPage>
)

/** The same without the frame. */
export const FrameError = () => (
  <main>
    <PageError />
  </main>
)
