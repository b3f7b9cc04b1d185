import { ApiProblem, accountsApi, type LinkPurpose, PasswordDraft } from '@bi-manager/contract'
import { Alert, Button } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import classes from './account-card.module.css'
import { PasswordPair } from './password-pair.tsx'

interface NewPasswordFormProps {
  token: string
  link: LinkPurpose
  labels: readonly [password: string, confirmation: string]
  button: string
  onDone: () => void
  /** Called when the link was used or expired while the form was open. */
  onDead: () => void
}

/** Sets a password with an e-mailed link. */
export const NewPasswordForm = ({ token, link, labels, button, onDone, onDead }: NewPasswordFormProps) => {
  const [value, setValue] = useState({ password: '', confirmation: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const { password, confirmation } = value
  const sending = useSubmission(
    () =>
      call(accountsApi.reset, { body: { token, novaSenha: password } }).catch((error: unknown) => {
        if (error instanceof ApiProblem && error.codigo === 'link_invalido') onDead()
        throw error
      }),
    onDone,
  )
  const weakness = PasswordDraft.safeParse(password).error?.issues[0]?.message

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!weakness && password === confirmation) sending.submit()
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={link.emailUsuario} readOnly hidden />
      <PasswordPair
        labels={labels}
        value={value}
        onChange={(changed) => {
          sending.forget()
          setValue(changed)
        }}
        error={(isSubmitted && weakness) || sending.faults.novaSenha}
        isSubmitted={isSubmitted}
        name={link.nomeUsuario}
        email={link.emailUsuario}
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
        disabled={password === '' || confirmation === ''}
      >
        {button}
      </Button>
    </form>
  )
}
