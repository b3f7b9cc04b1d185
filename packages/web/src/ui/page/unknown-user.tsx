import { Button } from '@mantine/core'
import { IconUserQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import { PageMessage } from './page-message.tsx'

/** Replaces a page about a user who does not exist. */
export const UnknownUser = () => (
  <PageMessage
    icon={IconUserQuestion}
    heading="Usuário não encontrado"
    actions={
      <Button component={Link} to="/usuario">
        Ver usuários
      </Button>
    }
  >
    O endereço não leva a nenhum usuário cadastrado. Ele pode ter sido excluído.
  </PageMessage>
)
