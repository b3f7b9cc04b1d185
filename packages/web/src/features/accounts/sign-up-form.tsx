import { accountsApi, SignUp } from '@bi-manager/contract'
import { Alert, Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import classes from './account-card.module.css'
import { PasswordPair } from './password-pair.tsx'

const nothing = { nome: '', email: '', password: '', confirmation: '' }

export const SignUpForm = ({ onSent }: { onSent: (email: string) => void }) => {
  const [values, setValues] = useState(nothing)
  const [isSubmitted, setSubmitted] = useState(false)
  const { nome, email, password, confirmation } = values
  const sending = useSubmission(
    () => call(accountsApi.signUp, { body: { nome, email, password } }),
    () => onSent(email.trim()),
  )
  const judged = SignUp.safeParse({ nome, email, password })
  const own = isSubmitted ? faultsOf(judged) : {}
  const faults: Record<string, string> = { ...sending.faults, ...own }

  const change = (changes: Partial<typeof nothing>) => {
    sending.forget()
    setValues((before) => ({ ...before, ...changes }))
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (judged.success && password === confirmation) sending.submit()
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
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
        disabled={!isFilled(values)}
      >
        Finalizar cadastro
      </Button>
    </form>
  )
}

const isFilled = ({ nome, email, password, confirmation }: typeof nothing): boolean =>
  nome.trim() !== '' && email.trim() !== '' && password !== '' && confirmation !== ''

const faultsOf = ({ error }: ReturnType<typeof SignUp.safeParse>): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]))
