import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

/** Confirms the change and the end of the other sessions; `onGoOn` opens the requested page. */
export const PasswordChanged = ({ onGoOn }: { onGoOn: (() => void) | undefined }) => {
  usePageTitle('Senha alterada')
  useHeadingFocus()
  return (
    <PageMessage
      icon={IconCircleCheck}
      heading="Senha alterada!"
      actions={
        <>
          {onGoOn ? (
            <Button onClick={onGoOn}>Continuar</Button>
          ) : (
            <Button component={Link} to="/saidibi">
              Ir para o início
            </Button>
          )}
          <Button component={Link} to="/meus-acessos" variant="default">
            Ver meus acessos
          </Button>
        </>
      }
    >
      Este aparelho continua conectado. Os outros acessos foram encerrados: neles, entre com a nova senha.
    </PageMessage>
  )
}
