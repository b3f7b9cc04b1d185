import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { HOME } from '../../lib/navigation/destination.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'

/** @param to who may open the page: 'administradores' */
export const ForbiddenPage = ({ to = 'administradores' }: { to?: string }) => (
  <PageMessage
    icon={IconLock}
    heading="Sem permissão"
    actions={
      <Button component={Link} to={HOME}>
        Voltar ao início
      </Button>
    }
  >
    Esta página é só para {to}. Se você precisa dela, peça acesso a um administrador.
  </PageMessage>
)
