import { accountsApi, Email } from '@bi-manager/contract'
import { Alert, Button, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import classes from './account-card.module.css'
import { AccountCard } from './account-card.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

export const RecoveryRequest = () => {
  const [email, setEmail] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const [said, setSaid] = useState<string>()
  const sending = useSubmission(
    () => call(accountsApi.askRecovery, { body: { email } }),
    ({ mensagem }) => setSaid(mensagem),
  )
  const fault = Email.safeParse(email).error?.issues[0]?.message

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!fault) sending.submit()
  }

  if (said !== undefined) return <Sent text={said} onAgain={() => setSaid(undefined)} />
  return (
    <AccountCard
      title="Recuperar senha"
      lead="Informe o seu e-mail. Enviamos um link para você escolher uma nova senha."
      back="Voltar para a entrada"
    >
      <form noValidate onSubmit={handleSubmit} className={classes.form}>
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
        {sending.problem && (
          <Alert color="red" role="alert">
            {sending.problem}
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          fullWidth
          loading={sending.isPending}
          aria-busy={sending.isPending}
          disabled={email.trim() === ''}
        >
          Enviar link
        </Button>
      </form>
    </AccountCard>
  )
}

/** Shows the server's sentence, which does not reveal whether an account exists. */
const Sent = ({ text, onAgain }: { text: string; onAgain: () => void }) => {
  useHeadingFocus()
  return (
    <PageMessage
      icon={IconMailCheck}
      heading="Confira o seu e-mail"
      actions={
        <>
          <Button variant="default" onClick={onAgain}>
            Enviar de novo
          </Button>
          <Button component={Link} to="/">
            Voltar para a entrada
          </Button>
        </>
      }
    >
      {text} Não chegou? Olhe também a pasta de spam.
    </PageMessage>
  )
}
