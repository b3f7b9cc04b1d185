import { accountsApi, Email } from '@bi-manager/contract'
import { TextInput } from '@mantine/core'
import { IconMailCheck, IconMailOff } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import classes from './account-card.module.css'
import { AccountCard } from './account-card.tsx'
import { LateMail } from './late-mail.tsx'
import { LinkPage } from './link-page.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { PasswordSet } from './password-set.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { ResultMessage } from './result-message.tsx'

/** Requests the recovery link, and is its target. */
export const RecoveryPage = () => (
  <PasswordSignInOnly>
    <LinkPage
      withoutLink={<RecoveryRequest />}
      deadText="Ele já foi usado, venceu ou foi trocado por um mais novo. Os links de recuperação valem por 10 minutos."
      deadActions={(forget) => (
        <>
          <ActionButton label="Voltar para a entrada" to="/" />
          <Button onClick={forget}>Pedir um novo link</Button>
        </>
      )}
      done={(link) => <PasswordSet link={link} />}
    >
      {(use) => (
        <AccountCard
          title="Nova senha"
          lead={
            <>
              Escolha a nova senha de <strong>{use.link.emailUsuario}</strong>.
            </>
          }
          back="Voltar para a entrada"
        >
          <NewPasswordForm {...use} labels={['Nova senha', 'Confirmar nova senha']} button="Alterar senha" />
        </AccountCard>
      )}
    </LinkPage>
  </PasswordSignInOnly>
)

const RecoveryRequest = () => {
  const [email, setEmail] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const [said, setSaid] = useState<string>()
  const sendsMail = useSendsMail()
  const sending = useSubmission(
    () => call(accountsApi.askRecovery, { body: { email } }),
    ({ mensagem }) => setSaid(mensagem),
  )
  const fault = Email.safeParse(email).error?.issues[0]?.message

  const handleSubmit = () => {
    setSubmitted(true)
    if (!fault) sending.submit()
  }

  if (said !== undefined)
    return sendsMail ? <Sent text={said} onAgain={() => setSaid(undefined)} /> : <NotSent />
  return (
    <AccountCard
      title="Recuperar senha"
      lead={
        sendsMail
          ? 'Informe o seu e-mail. Enviamos um link para você escolher uma nova senha.'
          : `${NO_MAIL} Informe o seu e-mail só se quem cuida do servidor vai entregar o link a você.`
      }
      back="Voltar para a entrada"
    >
      <Form onSubmit={handleSubmit} className={classes.form}>
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          maxLength={254}
          spellCheck={false}
          autoFocus
          value={email}
          onChange={(event) => {
            sending.forget()
            setEmail(event.currentTarget.value)
          }}
          error={(isSubmitted && fault) || sending.faults.email}
        />
        <ErrorAlert error={sending.problem} />
        <Button
          type="submit"
          size="md"
          fullWidth
          loading={sending.isPending}
          aria-busy={sending.isPending}
          disabled={email.trim() === ''}
        >
          {sendsMail ? 'Enviar link' : 'Pedir link'}
        </Button>
      </Form>
    </AccountCard>
  )
}

const NO_MAIL = 'Este portal não envia e-mails: peça uma senha nova a um administrador.'

/** Without a mail server the link, if the account exists, stays on the server. */
const NotSent = () => (
  <ResultMessage
    icon={IconMailOff}
    heading="Nenhum e-mail foi enviado"
    actions={<ActionButton isMain label="Voltar para a entrada" to="/" />}
  >
    {NO_MAIL}
  </ResultMessage>
)

/** Shows the server's sentence, which does not reveal whether an account exists. */
const Sent = ({ text, onAgain }: { text: string; onAgain: () => void }) => (
  <ResultMessage
    icon={IconMailCheck}
    heading="Confira o seu e-mail"
    actions={
      <>
        <Button variant="default" onClick={onAgain}>
          Enviar de novo
        </Button>
        <ActionButton isMain label="Voltar para a entrada" to="/" />
      </>
    }
  >
    {text} Não chegou? Olhe também a pasta de spam.
    <LateMail />
  </ResultMessage>
)
