import { ApiProblem, accountsApi, isBlocking, PasswordDraft } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconCircleCheck, IconKey } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { safeDestination } from '../../lib/navigation/destination.ts'
import { completePendingStep, useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { Form } from '../../ui/form.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import classes from './change-password.module.css'
import { PasswordPair } from './password-pair.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { ResultMessage } from './result-message.tsx'

/**
 * '/mudar-senha': changes the user's own password, on request or as demanded at sign-in for a
 * password set by an administrator or generated at installation.
 */
export const ChangePasswordPage = () => {
  const [isDone, setDone] = useState(false)
  const { state } = useLocation() as { state: { destino?: unknown } | null }
  const navigate = useNavigate()
  const pendencia = useSession()?.pendencia
  const mayWait = pendencia === 'trocar_senha'
  const isDemanded = mayWait || pendencia === 'senha_provisoria'
  const destination = state?.destino === undefined ? undefined : safeDestination(state.destino)
  const goOn = () => {
    completePendingStep()
    void navigate(destination ?? '/saidibi', { replace: true })
  }
  const finish = () => {
    // The layout around this page changes when the demand ends, which would lose this state.
    if (isBlocking(pendencia)) return goOn()
    completePendingStep()
    setDone(true)
  }
  if (isDone) return <PasswordChanged onGoOn={destination === undefined ? undefined : goOn} />
  return (
    <PasswordSignInOnly>
      <AdminPage
        title="Nova senha"
        lead="Os acessos abertos em outros aparelhos são encerrados; este continua."
        narrow
      >
        {isDemanded && (
          <Alert color="teal" icon={<IconKey aria-hidden />} title="Escolha uma senha só sua">
            {mayWait
              ? 'A sua senha foi definida por um administrador. Troque-a por uma que só você conheça.'
              : 'A sua senha foi gerada na instalação e está em um arquivo do servidor. Para continuar, escolha outra.'}
          </Alert>
        )}
        <ChangeForm onDone={finish} onLater={mayWait ? goOn : undefined} />
      </AdminPage>
    </PasswordSignInOnly>
  )
}

interface ChangeFormProps {
  onDone: () => void
  /** Set when the sign-in asked for the change and it may be postponed. */
  onLater: (() => void) | undefined
}

const ChangeForm = ({ onDone, onLater }: ChangeFormProps) => {
  const client = useQueryClient()
  const session = useSession()
  const { data: user } = useQuery(currentUserQuery)
  const [value, setValue] = useState({ password: '', confirmation: '' })
  const [current, setCurrent] = useState('')
  const [isCurrentAsked, setCurrentAsked] = useState(false)
  const currentField = useRef<HTMLInputElement>(null)
  const { password, confirmation } = value

  const sending = useSubmission(async () => {
    const idUsuario = session?.usuario_id ?? 0
    const body = { id: idUsuario, senha: password, ...(isCurrentAsked ? { senhaAtual: current } : {}) }
    await call(accountsApi.changePassword, { params: { idUsuario }, body }).catch((error: unknown) => {
      if (isAskingForCurrent(error) && user?.temSenha !== false) setCurrentAsked(true)
      throw error
    })
    await client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
  }, onDone)

  useEffect(() => {
    if (isCurrentAsked) currentField.current?.focus()
  }, [isCurrentAsked])

  const isValid =
    PasswordDraft.safeParse(password).success &&
    password === confirmation &&
    (!isCurrentAsked || current !== '')
  // The field for the current password already explains it.
  const problem = isCurrentAsked && isAskingForCurrent(sending.error) ? undefined : sending.problem

  return (
    <Form onSubmit={() => isValid && sending.submit()} className={`${shared.card} ${classes.form}`}>
      {/* Tells password managers which account the password belongs to. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user?.emailUsuario ?? ''}
        readOnly
        hidden
      />
      {isCurrentAsked && (
        <SecretField
          ref={currentField}
          label="Senha atual"
          description="Faz mais de 10 minutos que você entrou: confirme que é você."
          name="current-password"
          autoComplete="current-password"
          maxLength={1024}
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar senha atual' }}
          value={current}
          onChange={(typed) => {
            sending.forget()
            setCurrent(typed ?? '')
          }}
          error={sending.faults.senhaAtual}
        />
      )}
      <PasswordPair
        labels={['Nova senha', 'Confirmar nova senha']}
        value={value}
        onChange={(changed) => {
          sending.forget()
          setValue(changed)
        }}
        error={sending.faults.senha}
        // The button requires equal passwords, so a mismatch is reported once both are typed.
        isSubmitted={confirmation.length >= password.length}
        name={user?.nomeUsuario ?? ''}
        email={user?.emailUsuario ?? ''}
      />
      <ErrorAlert error={problem} />
      <div className={`${shared.buttons} ${classes.buttons}`}>
        <Button type="submit" loading={sending.isPending} aria-busy={sending.isPending} disabled={!isValid}>
          Alterar senha
        </Button>
        {onLater && (
          <Button variant="default" onClick={onLater}>
            Agora não
          </Button>
        )}
      </div>
    </Form>
  )
}

const isAskingForCurrent = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'reautenticacao_necessaria'

/** Confirms the change and the end of the other sessions; `onGoOn` opens the requested page. */
const PasswordChanged = ({ onGoOn }: { onGoOn: (() => void) | undefined }) => (
  <ResultMessage
    title="Senha alterada"
    icon={IconCircleCheck}
    heading="Senha alterada!"
    actions={
      <>
        {onGoOn ? (
          <Button onClick={onGoOn}>Continuar</Button>
        ) : (
          <ActionButton isMain label="Ir para o início" to="/saidibi" />
        )}
        <ActionButton label="Ver meus acessos" to="/meus-acessos" />
      </>
    }
  >
    Este aparelho continua conectado. Os outros acessos foram encerrados: neles, entre com a nova senha.
  </ResultMessage>
)
