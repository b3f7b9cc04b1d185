import type { SignedIn } from '@bi-manager/contract'
import { TextInput } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { refusalOf, signIn } from './sign-in-api.ts'
import classes from './sign-in-form.module.css'
import leadClasses from './sign-in-lead.module.css'
import { SignInMessage } from './sign-in-message.tsx'

interface SignInCodeProps {
  /** The credentials that the first step verified; kept in memory only. */
  credentials: { username: string; password: string }
  onSignedIn: (signedIn: SignedIn) => void
  /** Returns to the first step, with its error if the credentials are no longer valid. */
  onBack: (problem?: string) => void
}

const sources = {
  app: {
    lead: 'Digite o código que o seu aplicativo autenticador mostra agora.',
    label: 'Código de 6 dígitos',
    other: 'Usar um código de recuperação',
    input: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  },
  recovery: {
    lead: 'Digite um dos códigos de recuperação que você guardou. Cada um vale uma vez.',
    label: 'Código de recuperação',
    other: 'Usar o aplicativo autenticador',
    input: { inputMode: 'text', autoComplete: 'off' },
  },
} as const

/** The second step of sign-in, for users with a second factor. */
export const SignInCode = ({ credentials, onSignedIn, onBack }: SignInCodeProps) => {
  const [source, setSource] = useState<keyof typeof sources>('app')
  const [code, setCode] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { lead, label, other, input } = sources[source]

  const send = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      onSignedIn(await signIn({ ...credentials, codigo: code.trim() }))
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.codigo === 'credenciais_invalidas') return onBack(refusal.message)
      setPending(false)
      setProblem(refusal.message)
      field.current?.focus()
      field.current?.select()
    }
  }

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!code.trim()) return field.current?.focus()
    if (!pending) void send()
  }

  const switchSource = () => {
    setSource(source === 'app' ? 'recovery' : 'app')
    setCode('')
    setSubmitted(false)
    setProblem(undefined)
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form} aria-label="Segundo fator">
      <div className={leadClasses.lead}>
        {problem ? <SignInMessage isProblem>{problem}</SignInMessage> : <p role="status">{lead}</p>}
      </div>
      <TextInput
        key={source}
        ref={field}
        label={label}
        classNames={{ root: classes.field, error: classes.error, input: classes.code }}
        name="codigo"
        size="md"
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...input}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={submitted && !code.trim() && 'Informe o código'}
      />
      <Button type="submit" size="md" fullWidth loading={pending} aria-busy={pending}>
        Confirmar
      </Button>
      <div className={classes.otherWays}>
        <Button variant="subtle" fullWidth onClick={switchSource} disabled={pending}>
          {other}
        </Button>
        <Button variant="subtle" color="gray" fullWidth onClick={() => onBack()} disabled={pending}>
          Voltar
        </Button>
      </div>
    </form>
  )
}
