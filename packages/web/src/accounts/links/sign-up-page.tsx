import { accountsApi, SignUp } from '@bi-manager/contract'
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
import { PasswordPair } from './password-pair.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { ResultMessage } from './result-message.tsx'

export const SignUpPage = () => {
  const [email, setEmail] = useState<string>()
  const sendsMail = useSendsMail()
  if (email !== undefined) return sendsMail ? <Requested email={email} /> : <RequestedWithoutMail />
  return (
    <PasswordSignInOnly>
      <AccountCard
        title="Cadastrar conta"
        lead={
          sendsMail
            ? 'Peça o seu acesso. Você confirma o e-mail por um link, e um administrador aprova a conta e diz o que você pode ver.'
            : `Peça o seu acesso. ${DECIDED_WITHOUT_MAIL}`
        }
        back="Já tenho conta"
      >
        <SignUpForm onSent={setEmail} />
      </AccountCard>
    </PasswordSignInOnly>
  )
}

/** The same for every request: it does not reveal whether an account exists. */
const Requested = ({ email }: { email: string }) => (
  <ResultMessage
    title="Pedido enviado"
    icon={IconMailCheck}
    heading="Pedido enviado!"
    actions={<ActionButton isMain label="Voltar para a entrada" to="/" />}
  >
    Abra o link que enviamos a <strong>{email}</strong> e confirme que o e-mail é seu. Um administrador
    precisa aprovar a sua conta antes do primeiro acesso; a resposta chega por e-mail.
  </ResultMessage>
)

const DECIDED_WITHOUT_MAIL =
  'Este portal não envia e-mails: um administrador vê o pedido, aprova a conta e combina com você o primeiro acesso.'

/** Without a mail server every link stays on the server: an ADMIN hands one over. */
const RequestedWithoutMail = () => (
  <ResultMessage
    title="Pedido enviado"
    icon={IconMailOff}
    heading="Pedido enviado!"
    actions={<ActionButton isMain label="Voltar para a entrada" to="/" />}
  >
    {DECIDED_WITHOUT_MAIL}
  </ResultMessage>
)

const nothing = { nome: '', email: '', password: '', confirmation: '' }

const SignUpForm = ({ onSent }: { onSent: (email: string) => void }) => {
  const [values, setValues] = useState(nothing)
  const [isSubmitted, setSubmitted] = useState(false)
  const { nome, email, password, confirmation } = values
  const sending = useSubmission(
    () => call(accountsApi.signUp, { body: { nome, email, password } }),
    () => onSent(email.trim()),
  )
  const validated = SignUp.safeParse({ nome, email, password })
  const own = isSubmitted ? faultsOf(validated) : {}
  const faults: Record<string, string> = { ...sending.faults, ...own }

  const change = (changes: Partial<typeof nothing>) => {
    sending.forget()
    setValues((before) => ({ ...before, ...changes }))
  }
  const handleSubmit = () => {
    setSubmitted(true)
    if (validated.success && password === confirmation) sending.submit()
  }

  return (
    <Form onSubmit={handleSubmit} className={classes.form}>
      <TextInput
        label="Nome Completo"
        name="name"
        autoComplete="name"
        maxLength={120}
        autoFocus
        value={nome}
        onChange={(event) => change({ nome: event.currentTarget.value })}
        error={faults.nome}
      />
      <TextInput
        label="E-mail"
        type="email"
        name="email"
        autoComplete="email"
        maxLength={254}
        spellCheck={false}
        value={email}
        onChange={(event) => change({ email: event.currentTarget.value })}
        error={faults.email}
      />
      <PasswordPair
        labels={['Senha', 'Confirmar senha']}
        value={{ password, confirmation }}
        onChange={change}
        error={faults.password}
        isSubmitted={isSubmitted}
        name={nome}
        email={email}
      />
      <ErrorAlert error={sending.problem} />
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={sending.isPending}
        aria-busy={sending.isPending}
        disabled={!isFilled(values)}
      >
        Finalizar cadastro
      </Button>
    </Form>
  )
}

const isFilled = ({ nome, email, password, confirmation }: typeof nothing): boolean =>
  nome.trim() !== '' && email.trim() !== '' && password !== '' && confirmation !== ''

const faultsOf = ({ error }: ReturnType<typeof SignUp.safeParse>): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]))
