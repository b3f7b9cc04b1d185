import { Alert, Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { type SubmitEvent, useRef, useState } from 'react'
import { startSession, useSessionEnd } from '../../lib/session.ts'
import { SignInRefused, signIn } from './entrance-api.ts'
import { rememberedUser, rememberUser } from './remembered-user.ts'
import classes from './sign-in-form.module.css'

interface SignInFormProps {
  /** What signing in is for; gives way to what went wrong, so that the fields stay where they are. */
  lead: string
}

export const SignInForm = ({ lead }: SignInFormProps) => {
  const [username, setUsername] = useState(rememberedUser)
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(username !== '')
  const [visible, setVisible] = useState(false)
  const [submitted, setSubmitted] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const usernameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const sessionEnded = useSessionEnd() === 'terminou'
  const startsAtPassword = useRef(username !== '').current

  const send = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      const signedIn = await signIn({ username: username.trim(), password })
      rememberUser(remember ? username.trim() : '')
      startSession(signedIn)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      setPending(false)
      setProblem(error.message)
      if (!error.wrongCredentials) return
      passwordField.current?.focus()
      passwordField.current?.select()
    }
  }

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!username.trim()) return usernameField.current?.focus()
    if (!password) return passwordField.current?.focus()
    if (!pending) void send()
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      <div className={classes.lead}>
        {problem ? (
          <Alert color="red" role="alert" className={classes.problem}>
            {problem}
          </Alert>
        ) : sessionEnded ? (
          <Alert color="yellow" role="status" className={classes.notice}>
            Sua sessão terminou. Entre novamente para continuar.
          </Alert>
        ) : (
          <p>{lead}</p>
        )}
      </div>
      <TextInput
        ref={usernameField}
        label="Usuário"
        classNames={{ root: classes.field, error: classes.error }}
        name="username"
        size="md"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!startsAtPassword}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        error={submitted && !username.trim() && 'Usuário é obrigatório'}
      />
      <PasswordInput
        ref={passwordField}
        label="Senha"
        classNames={{ root: classes.field, error: classes.error }}
        name="password"
        size="md"
        autoComplete="current-password"
        autoFocus={startsAtPassword}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar senha', 'aria-pressed': visible }}
        error={submitted && !password && 'Senha obrigatório'}
      />
      <div className={classes.row}>
        <Checkbox
          label="Lembrar Usuário"
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        <Anchor href="/recovery-password" size="sm" className={classes.link}>
          Recuperar senha
        </Anchor>
      </div>
      <Button type="submit" size="md" fullWidth loading={pending} aria-busy={pending}>
        Acessar
      </Button>
      <p className={classes.signUp}>
        <Anchor href="/cadastro" size="sm" className={classes.link}>
          Fazer meu cadastro
        </Anchor>
      </p>
    </form>
  )
}
