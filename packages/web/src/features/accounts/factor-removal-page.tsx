import { ApiProblem, secondFactorApi } from '@bi-manager/contract'
import { Alert, Button } from '@mantine/core'
import { IconCircleCheck, IconMailOpened } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { AccountCard } from './account-card.tsx'
import { LinkCheck } from './link-check.tsx'
import { useLinkToken } from './link-token.ts'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

/**
 * The target of the link, in the e-mail about a new second factor, for users who did not set it up.
 */
export const FactorRemovalPage = () => {
  const { token, spend } = useLinkToken()
  return (
    <PasswordSignInOnly>
      {token === undefined ? <WithoutLink /> : <Removal token={token} onUsed={spend} />}
    </PasswordSignInOnly>
  )
}

const Removal = ({ token, onUsed }: { token: string; onUsed: () => void }) => {
  const [isDone, setDone] = useState(false)
  if (isDone) return <Removed />
  return (
    <LinkCheck
      token={token}
      deadText="Ele já foi usado ou venceu: vale por 24 horas. Se não foi você quem ativou o segundo fator, avise já um administrador."
      deadActions={<ToSignIn />}
    >
      {(link, onDead) => (
        <AccountCard
          title="Retirar o segundo fator"
          lead={
            <>
              Use esta página só se não foi você quem ativou o segundo fator de{' '}
              <strong>{link.emailUsuario}</strong>. Ele deixa de valer, com os códigos de recuperação, e todas
              as sessões da conta são encerradas.
            </>
          }
          back="Voltar para a entrada"
        >
          <RemovalButton
            token={token}
            onDead={onDead}
            onDone={() => {
              onUsed()
              setDone(true)
            }}
          />
        </AccountCard>
      )}
    </LinkCheck>
  )
}

interface RemovalButtonProps {
  token: string
  onDone: () => void
  /** Called when the link was used or expired while the page was open. */
  onDead: () => void
}

const RemovalButton = ({ token, onDone, onDead }: RemovalButtonProps) => {
  const sending = useSubmission(
    () =>
      call(secondFactorApi.removeByLink, { body: { token } }).catch((error: unknown) => {
        if (error instanceof ApiProblem && error.codigo === 'link_invalido') onDead()
        throw error
      }),
    onDone,
  )
  return (
    <>
      {sending.problem && (
        <Alert color="red" role="alert" mb="md">
          {sending.problem}
        </Alert>
      )}
      <Button size="md" color="red" fullWidth mt="lg" loading={sending.isPending} onClick={sending.submit}>
        Retirar e encerrar as sessões
      </Button>
    </>
  )
}

const Removed = () => {
  useHeadingFocus()
  return (
    <PageMessage
      icon={IconCircleCheck}
      heading="Segundo fator retirado"
      actions={
        <>
          <Button component={Link} to="/recovery-password">
            Escolher nova senha
          </Button>
          <Button variant="default" component={Link} to="/">
            Ir para a entrada
          </Button>
        </>
      }
    >
      Todas as sessões da conta foram encerradas. Quem ativou o segundo fator pode saber a sua senha: escolha
      outra agora.
    </PageMessage>
  )
}

const WithoutLink = () => (
  <PageMessage icon={IconMailOpened} heading="Abra de novo o link do e-mail" actions={<ToSignIn />}>
    Esta página só abre pelo link do e-mail que avisou do segundo fator.
  </PageMessage>
)

const ToSignIn = () => (
  <Button component={Link} to="/">
    Ir para a entrada
  </Button>
)
