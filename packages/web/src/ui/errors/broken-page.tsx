import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
        : 'Ocorreu um erro inesperado. Tente novamente; se continuar, avise o suporte do sistema.'}
    </PageMessage>
  )
}

/** Browsers reject an import with a TypeError; Vite rejects a missing style sheet with an Error. */
const isNotFetched = (error: unknown): boolean =>
  (error instanceof TypeError && /import|fetch|module/i.test(error.message)) ||
  (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
