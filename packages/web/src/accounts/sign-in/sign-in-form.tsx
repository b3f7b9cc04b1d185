import type { SignedIn } from '@bi-manager/contract'
import { Anchor, PasswordInput, TextInput } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { beginSession, refusalOf, signIn } from './sign-in-api.ts'
import type { SignInCode } from './sign-in-code.tsx'
import classes from './sign-in-form.module.css'
import { SignInLead } from './sign-in-lead.tsx'
import '@mantine/core/styles/PasswordInput.layer.css'

interface SignInFormProps {
  /** The purpose of the sign-in, shown above the form. */
  lead: string
  /** The user name to fill in instead of the remembered one. */
  knownAs?: string | undefined
  /** Called when the form is sent, before the answer. */
  onSending?: (() => void) | undefined
  /** Another sign-in method, below the form's button. */
  children?: ReactNode
}

/** The browser is offline, or a newer version was deployed after the page was opened. */
const notFetched =
  'A página não pôde ser baixada. Verifique sua conexão e tente novamente; se continuar, recarregue-a.'

export const SignInForm = ({ lead, knownAs, onSending, children }: SignInFormProps) => {
  const [username, setUsername] = useState(() => knownAs ?? rememberedUser())
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(() => rememberedUser() !== '')
  const [visible, setVisible] = useState(false)
  const [submitted, setSubmitted] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** Loaded on demand, because most users have no second factor. */
  const [Code, setCode] = useState<typeof SignInCode>()
  const usernameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const startsAtPassword = useRef(username !== '').current

  const enter = (signedIn: SignedIn) => {
    rememberUser(remember ? username.trim() : '')
    beginSession(signedIn)
  }

  const send = async () => {
    setPending(true)
    setProblem(undefined)
    onSending?.()
    try {
      enter(await signIn({ username: username.trim(), password }))
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.codigo === 'segundo_fator_necessario') return askCode()
      setPending(false)
      setProblem(refusal.message)
      if (refusal.codigo !== 'credenciais_invalidas') return
      passwordField.current?.focus()
      passwordField.current?.select()
    }
  }

  const askCode = async () => {
    try {
      const { SignInCode } = await import('./sign-in-code.tsx')
      setCode(() => SignInCode)
    } catch (error) {
      console.warn('O segundo passo da entrada não pôde ser baixado.', error)
      setProblem(notFetched)
    } finally {
      setPending(false)
    }
  }

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!username.trim()) return usernameField.current?.focus()
    if (!password) return passwordField.current?.focus()
    if (!pending) void send()
  }

  if (Code) {
    const back = (problem?: string) => {
      setCode(undefined)
      setProblem(problem)
    }
    return <Code credentials={{ username: username.trim(), password }} onSignedIn={enter} onBack={back} />
  }
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      <SignInLead lead={lead} problem={problem} />
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
        {/* A native checkbox, because Mantine's would add 5 KB to the sign-in page. */}
        <label className={classes.remember}>
          <input
            type="checkbox"
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
          Lembrar Usuário
        </label>
        <Anchor href="/recovery-password" size="sm" py={4}>
          Recuperar senha
        </Anchor>
      </div>
      <Button type="submit" size="md" fullWidth loading={pending} aria-busy={pending}>
        Acessar
      </Button>
      {children}
      <p className={classes.signUp}>
        <Anchor href="/cadastro" size="sm" py={4}>
          Fazer meu cadastro
        </Anchor>
      </p>
    </form>
  )
}

const KEY = 'bi-manager.usuario-lembrado'

/**
 * Returns the user name that 'Lembrar Usuário' stored on this device; a password is never stored.
 */
const rememberedUser = (): string => localStorage.getItem(KEY) ?? ''

/** Stores the user name; an empty name removes it. */
const rememberUser = (username: string): void => {
  if (username) localStorage.setItem(KEY, username)
  else localStorage.removeItem(KEY)
}
