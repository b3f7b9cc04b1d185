import { Button } from '@mantine/core'
import { Link, useRouteError } from 'react-router'
import { HOME } from '../lib/destination.ts'
import { BrokenPage } from './broken-page.tsx'

/** A page that broke, inside the frame that still stands. */
export const PageError = () => (
  <BrokenPage error={useRouteError()}>
    <Button variant="default" component={Link} to={HOME}>
      Ir para o início
    </Button>
  </BrokenPage>
)

/** The same where the frame itself is missing. */
export const FrameError = () => (
  <main>
    <PageError />
  </main>
)
