import { ApiProblem, secondFactorApi } from '@bi-manager/contract'
import { Alert, Button, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { IconShieldOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { call, messageOf } from '../../lib/api.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import { CodeForm } from './code-form.tsx'
import { QrCode } from './qr-code.tsx'
import classes from './second-factor.module.css'

interface SetUpProps {
  /** Answers the recovery codes, right after it became active. */
  onActive: (recoveryCodes: string[]) => void
  onCancel?: (() => void) | undefined
}

/** From the secret to the first code. The password is asked for where the sign-in was too long ago. */
export const SetUp = ({ onActive, onCancel }: SetUpProps) => {
  const start = useMutation({
    mutationFn: (senhaAtual: string | undefined) => call(secondFactorApi.start, { body: { senhaAtual } }),
    networkMode: 'always',
    // It answers the secret, and may have sent the password.
    gcTime: 0,
  })
  const { data, error, isPending, mutate } = start
  if (data) return <Scan {...data} onActive={onActive} onCancel={onCancel} />
  const asksPassword =
    error instanceof ApiProblem &&
    (error.codigo === 'reautenticacao_necessaria' || 'senhaAtual' in error.campos)
  return (
    <section className={classes.card} aria-labelledby="estado-titulo">
      <div className={classes.state}>
        <IconShieldOff size={34} stroke={1.5} aria-hidden className={classes.offIcon} />
        <div>
          <h2 id="estado-titulo" className={classes.heading}>
            Desativado
          </h2>
          <p className={classes.text}>A senha sozinha basta para entrar na sua conta.</p>
        </div>
      </div>
      <p className={classes.explanation}>
        Você liga um aplicativo autenticador do seu celular à conta. A partir daí, ao entrar, digita também o
        código que ele mostra e que muda a cada 30 segundos. Nada é instalado neste computador.
      </p>
      {asksPassword ? (
        <PasswordFirst problem={error} isPending={isPending} onSubmit={mutate} />
      ) : (
        <>
          {error && (
            <Alert color="red" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          <div className={classes.buttons}>
            <Button onClick={() => mutate(undefined)} loading={isPending}>
              {error ? 'Tentar novamente' : 'Configurar segundo fator'}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

interface PasswordFirstProps {
  problem: ApiProblem
  isPending: boolean
  onSubmit: (password: string) => void
}

const PasswordFirst = ({ problem, isPending, onSubmit }: PasswordFirstProps) => {
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setMissing(!password)
    if (password) onSubmit(password)
    else field.current?.focus()
  }
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      <p className={classes.text}>
        Faz mais de 10 minutos que você entrou. Para configurar o segundo fator, informe a sua senha.
      </p>
      <PasswordInput
        ref={field}
        label="Senha atual"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isMissing && !password ? 'Informe a sua senha.' : problem.campos.senhaAtual}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar senha' }}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={isPending}>
          Continuar
        </Button>
      </div>
    </form>
  )
}

const Scan = ({ segredo, uri, onActive, onCancel }: SetUpProps & { segredo: string; uri: string }) => {
  const confirm = async (codigo: string) => {
    const { codigosRecuperacao } = await call(secondFactorApi.confirm, { body: { codigo } })
    onActive(codigosRecuperacao)
  }
  return (
    <section className={classes.card} aria-labelledby="aparelho-titulo">
      <h2 id="aparelho-titulo" className={classes.heading} ref={focusOnMount} tabIndex={-1}>
        Ligue o seu aparelho
      </h2>
      <ol className={classes.steps}>
        <li>
          <p className={classes.step}>
            Abra um aplicativo autenticador no celular, como Google Authenticator, Microsoft Authenticator ou
            Aegis, e escaneie este código:
          </p>
          <QrCode
            text={uri}
            label="QR code para o aplicativo autenticador. Sem câmera, use a chave abaixo."
          />
          <p className={classes.step}>Sem câmera? Digite esta chave no aplicativo:</p>
          <p className={classes.secret}>
            <code className={classes.key}>{inGroups(segredo)}</code>
            <CopyButton text={segredo} label="Copiar chave" done="Chave copiada" />
          </p>
        </li>
        <li>
          <p className={classes.step}>Digite o código de 6 dígitos que o aplicativo mostra:</p>
          <CodeForm
            label="Código de 6 dígitos"
            input={{ inputMode: 'numeric', autoComplete: 'one-time-code' }}
            action="Ativar"
            onSubmit={confirm}
            onCancel={onCancel}
          />
        </li>
      </ol>
    </section>
  )
}

/** Four by four, as authenticator apps show a key too; they take it with the spaces. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret
