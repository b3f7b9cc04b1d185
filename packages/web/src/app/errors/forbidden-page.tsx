import { IconLock } from '@tabler/icons-react'
import { HOME } from '../../lib/navigation/destination.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'

/** @param to who may open the page: 'administradores' */
export const ForbiddenPage = ({ to = 'administradores' }: { to?: string }) => (
  <PageMessage
    icon={IconLock}
    heading="Sem permissão"
    actions={<ActionButton isMain label="Voltar ao início" to={HOME} />}
  >
    Esta página é só para {to}. Se você precisa dela, peça acesso a um administrador.
  </PageMessage>
)
