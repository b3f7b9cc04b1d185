import { ApiProblem, secondFactorApi } from '@bi-manager/contract'
import { IconShieldOff } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { LinkDevice } from './link-device.tsx'
import classes from './second-factor.module.css'

interface SetUpProps {
  /** The installation's rules require a second factor of this user. */
  isDemanded: boolean
  /** Called with the recovery codes after the activation. */
  onActive: (recoveryCodes: string[]) => void
  onCancel?: (() => void) | undefined
}

/** Sets up a second factor; asks for the password if the sign-in is too old. */
export const SecondFactorSetUp = ({ isDemanded, onActive, onCancel }: SetUpProps) => {
  const start = useExclusiveMutation({
    mutationFn: (senhaAtual: string | undefined) => call(secondFactorApi.start, { body: { senhaAtual } }),
    // Not cached: the response holds the secret, the request may hold the password.
    gcTime: 0,
  })
  const { data, error, isPending, mutate } = start
  if (data) {
    const texts = { title: 'Ligue o seu aparelho', action: 'Ativar' }
    return <LinkDevice {...data} {...texts} onActive={onActive} onCancel={onCancel} />
  }
  const asksPassword =
    error instanceof ApiProblem &&
    (error.codigo === 'reautenticacao_necessaria' || 'senhaAtual' in error.campos)
  return (
    <section className={shared.card} aria-labelledby="estado-titulo">
      {isDemanded ? (
        <h2 id="estado-titulo" className={shared.title}>
          Como funciona
        </h2>
      ) : (
        <div className={shared.row}>
          <IconShieldOff size={34} stroke={1.5} aria-hidden className={shared.dimmedIcon} />
          <div>
            <h2 id="estado-titulo" className={shared.title}>
              Desativado
            </h2>
            <p className={shared.dimmed}>A senha sozinha basta para entrar na sua conta.</p>
          </div>
        </div>
      )}
      <p>
        Você liga um aplicativo autenticador do seu celular à conta. A partir daí, ao entrar, digita também o
        código que ele mostra e que muda a cada 30 segundos. Nada é instalado neste computador.
      </p>
      {asksPassword ? (
        <PasswordFirst problem={error} isPending={isPending} onSubmit={mutate} />
      ) : (
        <>
          <ErrorAlert error={error} />
          <div className={shared.buttons}>
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
  /** The refusal that the shown password has not met yet. */
  const [answered, setAnswered] = useState<ApiProblem>()
  const field = useRef<HTMLInputElement>(null)
  const handleSubmit = () => {
    setMissing(!password)
    if (password) onSubmit(password)
    else field.current?.focus()
  }
  return (
    <Form onSubmit={handleSubmit} className={`${shared.stackMd} ${classes.form}`}>
      <p className={shared.underHeading}>
        Faz mais de 10 minutos que você entrou. Para configurar o segundo fator, informe a sua senha.
      </p>
      <SecretField
        ref={field}
        label="Senha atual"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={(typed) => {
          setPassword(typed ?? '')
          setAnswered(problem)
        }}
        error={
          isMissing && !password ? 'Informe a sua senha.' : problem !== answered && problem.campos.senhaAtual
        }
      />
      <div className={shared.buttons}>
        <Button type="submit" loading={isPending}>
          Continuar
        </Button>
      </div>
    </Form>
  )
}
