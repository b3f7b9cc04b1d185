import { accountsApi, PasswordDraft } from '@bi-manager/contract'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import classes from './account-card.module.css'
import { type LinkUse, useLinkSubmission } from './link-page.tsx'
import { PasswordPair } from './password-pair.tsx'

interface NewPasswordFormProps extends LinkUse {
  labels: readonly [password: string, confirmation: string]
  button: string
}

/** Sets a password with an e-mailed link. */
export const NewPasswordForm = ({ token, link, labels, button, onDone, onDead }: NewPasswordFormProps) => {
  const [value, setValue] = useState({ password: '', confirmation: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const { password, confirmation } = value
  const sending = useLinkSubmission(
    () => call(accountsApi.reset, { body: { token, novaSenha: password } }),
    onDone,
    onDead,
  )
  const weakness = PasswordDraft.safeParse(password).error?.issues[0]?.message

  const handleSubmit = () => {
    setSubmitted(true)
    if (!weakness && password === confirmation) sending.submit()
  }

  return (
    <Form onSubmit={handleSubmit} className={classes.form}>
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
      <ErrorAlert error={sending.problem} />
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
    </Form>
  )
}
