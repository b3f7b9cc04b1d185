import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link, useRouteError } from 'react-router'
import { HOME } from '../lib/destination.ts'
import { PageMessage } from '../ui/page-message.tsx'

/** A page that broke, or whose code could not be fetched (offline, or a newer version was installed meanwhile). */
export const PageError = () => {
  const error = useRouteError()
  const notFetched = error instanceof TypeError && /import|fetch|module/i.test(error.message)
  return (
    <main>
      <PageMessage
        icon={IconAlertTriangle}
        heading="Não foi possível mostrar esta página"
        actions={
          <>
            <Button onClick={() => window.location.reload()}>Tentar novamente</Button>
            <Button variant="default" component={Link} to={HOME}>
              Ir para o início
            </Button>
          </>
        }
      >
        {notFetched
          ? 'A página não pôde ser baixada. Verifique sua conexão e tente novamente.'
          : 'Ocorreu um erro inesperado. Tente novamente; se continuar, avise o suporte do sistema.'}
      </PageMessage>
    </main>
  )
}
