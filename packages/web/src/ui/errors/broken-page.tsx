import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { BUG_MESSAGE, isNetworkError } from '../../lib/api/errors.ts'
import { PageMessage } from '../page/page-message.tsx'

interface BrokenPageProps {
  error: unknown
  /** Further actions next to 'Tentar novamente'. */
  children?: ReactNode
}

/** Shown when a page failed or could not be loaded (offline, or a new version was deployed). */
export const BrokenPage = ({ error, children }: BrokenPageProps) => {
  return (
    <PageMessage
      icon={IconAlertTriangle}
      heading="Não foi possível mostrar esta página"
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Tentar novamente</Button>
          {children}
        </>
      }
    >
      {isNotFetched(error)
        ? 'A página não pôde ser baixada. Verifique sua conexão e tente novamente.'
        : BUG_MESSAGE}
    </PageMessage>
  )
}

/** Vite rejects a missing style sheet with an Error of its own. */
const isNotFetched = (error: unknown): boolean =>
  isNetworkError(error) || (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
