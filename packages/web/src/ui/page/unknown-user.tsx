import { IconUserQuestion } from '@tabler/icons-react'
import { ActionButton } from '../action-button.tsx'
import { PageMessage } from './page-message.tsx'

/** Replaces a page about a user who does not exist. */
export const UnknownUser = () => (
  <PageMessage
    icon={IconUserQuestion}
    heading="Usuário não encontrado"
    actions={<ActionButton isMain label="Ver usuários" to="/usuario" />}
  >
    O endereço não leva a nenhum usuário cadastrado. Ele pode ter sido excluído.
  </PageMessage>
)
