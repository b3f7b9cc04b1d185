import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageMessage } from '../../ui/page/page-message.tsx'

interface BrokenPageProps {
  error: unknown
  /** Further actions next to 'Tentar novamente'. */
  children?: ReactNode
}

/** Shown when a page failed or could not be loaded (offline, or a new version was deployed). */
export const BrokenPage = ({ error, children }: BrokenPageProps) => {
  const notFetched = error instanceof TypeError && /import|fetch|module/i.test(error.message)
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
      {notFetched
        ? 'A página não pôde ser baixada. Verifique sua conexão e tente novamente.'
        : 'Ocorreu um erro inesperado. Tente novamente; se continuar, avise o suporte do sistema.'}
    </PageMessage>
  )
}
