import { secondFactorApi } from '@bi-manager/contract'
import { IconCircleCheck } from '@tabler/icons-react'
import { call } from '../../lib/api/api.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { AccountCard } from './account-card.tsx'
import { LinkPage, type LinkUse, useLinkSubmission, WithoutLink } from './link-page.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { ResultMessage } from './result-message.tsx'

/**
 * Removes a second factor that another person activated. Every e-mail about a new second factor has
 * a link to this page.
 */
export const FactorRemovalPage = () => (
  <PasswordSignInOnly>
    <LinkPage
      withoutLink={
        <WithoutLink>Esta página só abre pelo link do e-mail que avisou do segundo fator.</WithoutLink>
      }
      deadText="Ele já foi usado ou venceu: vale por 24 horas. Se não foi você quem ativou o segundo fator, avise já um administrador."
      done={() => <Removed />}
    >
      {(use) => (
        <AccountCard
          title="Retirar o segundo fator"
          lead={
            <>
              Use esta página só se não foi você quem ativou o segundo fator de{' '}
              <strong>{use.link.emailUsuario}</strong>. Ele deixa de valer, com os códigos de recuperação, e
              todas as sessões da conta são encerradas.
            </>
          }
          back="Voltar para a entrada"
        >
          <RemovalButton {...use} />
        </AccountCard>
      )}
    </LinkPage>
  </PasswordSignInOnly>
)

const RemovalButton = ({ token, onDone, onDead }: LinkUse) => {
  const sending = useLinkSubmission(
    () => call(secondFactorApi.removeByLink, { body: { token } }),
    onDone,
    onDead,
  )
  return (
    <>
      <ErrorAlert error={sending.problem} mb="md" />
      <Button size="md" color="red" fullWidth mt="lg" loading={sending.isPending} onClick={sending.submit}>
        Retirar e encerrar as sessões
      </Button>
    </>
  )
}

const Removed = () => (
  <ResultMessage
    icon={IconCircleCheck}
    heading="Segundo fator retirado"
    actions={
      <>
        <ActionButton isMain label="Escolher nova senha" to="/recovery-password" />
        <ActionButton label="Ir para a entrada" to="/" />
      </>
    }
  >
    Todas as sessões da conta foram encerradas. Quem ativou o segundo fator pode saber a sua senha: escolha
    outra agora.
  </ResultMessage>
)
