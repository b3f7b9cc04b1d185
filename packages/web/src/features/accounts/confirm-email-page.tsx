import { ApiProblem, accountsApi, type LinkPurpose } from '@bi-manager/contract'
import { Alert, Anchor, Button } from '@mantine/core'
import { type Icon, IconCircleCheck, IconMailOpened, IconTrash } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import classes from './account-card.module.css'
import { AccountCard } from './account-card.tsx'
import { LinkCheck } from './link-check.tsx'
import { useLinkToken } from './link-token.ts'
import { useHeadingFocus } from './use-heading-focus.ts'

interface Outcome {
  icon: Icon
  heading: string
  text: string
}

/**
 * The target of the confirmation link. Opening it changes nothing: mail scanners open links, too.
 */
export const ConfirmEmailPage = () => {
  const { token, spend } = useLinkToken()
  const [outcome, setOutcome] = useState<Outcome>()
  if (outcome) return <Done {...outcome} />
  if (token === undefined) {
    return (
      <PageMessage icon={IconMailOpened} heading="Abra de novo o link do e-mail" actions={<ToSignIn />}>
        Esta página só abre pelo link de confirmação que você recebeu.
      </PageMessage>
    )
  }
  const handleDone = (reached: Outcome) => {
    spend()
    setOutcome(reached)
  }
  return (
    <LinkCheck
      token={token}
      deadText="O link já foi usado, venceu ou foi trocado por um mais novo, ou um administrador já decidiu o pedido. Para receber outro, peça a conta de novo. Se você já tem um pedido e não conhece a senha dele, use “Recuperar senha” na tela de entrada."
      deadActions={<ToSignIn />}
    >
      {(link, onDead) => <Question token={token} link={link} onDone={handleDone} onDead={onDead} />}
    </LinkCheck>
  )
}

interface QuestionProps {
  token: string
  link: LinkPurpose
  onDone: (outcome: Outcome) => void
  /** Called when the link was used or expired while the page was open. */
  onDead: () => void
}

const Question = ({ token, link, onDone, onDead }: QuestionProps) => {
  const { nomeUsuario, emailUsuario, aguardaAprovacao, pedeSenha, provedor } = link
  const [password, setPassword] = useState('')
  const refused = (error: unknown) => {
    if (error instanceof ApiProblem && error.codigo === 'link_invalido') onDead()
    throw error
  }
  const confirming = useSubmission(
    () =>
      call(accountsApi.confirmEmail, { body: { token, ...(pedeSenha ? { password } : {}) } }).catch(refused),
    ({ mensagem }) => onDone({ icon: IconCircleCheck, heading: 'E-mail confirmado!', text: mensagem }),
  )
  const disowning = useSubmission(
    () => call(accountsApi.disownRequest, { body: { token } }).catch(refused),
    () => onDone({ icon: IconTrash, heading: 'Pedido descartado', text: disowned }),
  )
  const problem = confirming.problem ?? disowning.problem
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    confirming.submit()
  }
  return (
    <AccountCard
      title="Confirmar e-mail"
      lead={
        <>
          <strong>{nomeUsuario}</strong> pediu uma conta no BI Manager com o e-mail{' '}
          <strong>{emailUsuario}</strong>.
        </>
      }
      back="Ir para a entrada"
    >
      <p className={classes.lead}>
        Confirme só se foi você quem pediu: depois de confirmada
        {aguardaAprovacao ? ' e aprovada por um administrador' : ''}, a conta mostra os dados que são seus. Se
        não foi você, quem pediu passaria a vê-los no seu lugar.
      </p>
      {provedor !== null && (
        <Alert color="yellow" mt="md">
          A conta foi pedida em “Entrar com {provedor}”, com o nome <strong>{nomeUsuario}</strong>. Quem
          entrou lá abrirá a conta. Não confirme se não foi você, ou se o nome não é o seu.
        </Alert>
      )}
      <form noValidate onSubmit={handleSubmit} className={classes.form}>
        {pedeSenha && (
          <div>
            {/* Tells password managers which account the password belongs to. */}
            <input type="text" name="username" autoComplete="username" value={emailUsuario} readOnly hidden />
            <SecretField
              label="Senha que você escolheu no cadastro"
              name="password"
              autoComplete="current-password"
              maxLength={1024}
              value={password}
              onChange={(typed) => {
                confirming.forget()
                setPassword(typed ?? '')
              }}
              error={confirming.faults.password}
            />
            <Anchor component={Link} to="/recovery-password" size="sm" className={classes.link}>
              Não lembro ou não escolhi esta senha: recuperar senha
            </Anchor>
          </div>
        )}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          fullWidth
          loading={confirming.isPending}
          disabled={disowning.isPending || (pedeSenha && password === '')}
        >
          Fui eu: confirmar meu e-mail
        </Button>
        {aguardaAprovacao && (
          <Button
            size="md"
            fullWidth
            variant="default"
            loading={disowning.isPending}
            disabled={confirming.isPending}
            onClick={disowning.submit}
          >
            Não fui eu: descartar o pedido
          </Button>
        )}
      </form>
    </AccountCard>
  )
}

const disowned = 'O pedido de conta foi excluído. Ninguém entra no portal com ele, e o seu e-mail está livre.'

const Done = ({ icon, heading, text }: Outcome) => {
  usePageTitle(heading.replace('!', ''))
  useHeadingFocus()
  return (
    <PageMessage icon={icon} heading={heading} actions={<ToSignIn />}>
      {text}
    </PageMessage>
  )
}

const ToSignIn = () => (
  <Button component={Link} to="/">
    Ir para a entrada
  </Button>
)
