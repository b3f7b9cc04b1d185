import type { SecondFactorStatus } from '@bi-manager/contract'
import { Alert, Skeleton } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { currentUserQuery, secondFactorQuery } from '../../lib/api/queries.ts'
import { safeDestination } from '../../lib/navigation/destination.ts'
import { completePendingStep, useSession } from '../../lib/session/session.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { focusPageHeading } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { ActiveFactor } from './active-factor.tsx'
import { type DeviceSecret, LinkDevice } from './link-device.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetUp } from './set-up.tsx'

/** '/segundo-fator': sets up and manages the user's own second factor. */
export const SecondFactorPage = () => {
  const client = useQueryClient()
  const isDemandedNow = useSession()?.pendencia === 'segundo_fator'
  const { isAwaited, goOn } = useGoingOn()
  const status = useQuery({ ...secondFactorQuery, staleTime: 0 })
  const user = useQuery(currentUserQuery)
  const [codes, setCodes] = useState<{ codes: string[]; title: string }>()
  const [message, setMessage] = useState<string>()
  useSuccessClose(message, () => setMessage(undefined))

  const settled = status.data && (status.data.ativo || !status.data.exigido) && !status.isFetching
  useEffect(() => {
    // It was set up in another window, or is no longer required.
    if (isDemandedNow && settled && !codes) void goOn()
  }, [isDemandedNow, settled, codes, goOn])

  const show = (title: string) => (shown: string[]) => {
    setMessage(undefined)
    setCodes({ codes: shown, title })
    void refreshSecondFactor(client)
  }
  const handleDone = () => {
    if (isAwaited || isDemandedNow) return void goOn()
    setCodes(undefined)
    setMessage('Segundo fator ativo. Na próxima entrada o código será pedido.')
    focusPageHeading()
  }
  const handleDisabled = () => {
    setMessage('Segundo fator desativado.')
    void refreshSecondFactor(client)
    focusPageHeading()
  }

  return (
    <AdminPage title="Segundo fator" lead={lead} narrow>
      {isDemandedNow && !codes && (
        <Alert color="teal" icon={<IconShieldLock aria-hidden />} title="Falta só isto para continuar">
          Esta instalação exige o segundo fator. Configure-o agora: leva um minuto, e depois você volta para
          onde estava.
        </Alert>
      )}
      <div role="status">{message && <Alert color="teal">{message}</Alert>}</div>
      {codes ? (
        <RecoveryCodes {...codes} account={user.data?.emailUsuario ?? ''} onDone={handleDone} />
      ) : status.data ? (
        <State
          status={status.data}
          hasPassword={user.data?.temSenha !== false}
          onActive={show('Segundo fator ativado!')}
          onReplaced={show('Aparelho trocado!')}
          onRenewed={show('Códigos novos')}
          onDisabled={handleDisabled}
        />
      ) : status.error ? (
        <ListFailure
          error={status.error}
          isFetching={status.isFetching}
          onRetry={() => void status.refetch()}
        />
      ) : (
        <Skeleton height={180} radius="lg" />
      )}
    </AdminPage>
  )
}

const lead = 'Além da senha, um código que só o seu celular sabe. Quem descobrir a senha não entra sem ele.'

interface StateProps {
  status: SecondFactorStatus
  hasPassword: boolean
  onActive: (recoveryCodes: string[]) => void
  onReplaced: (recoveryCodes: string[]) => void
  onRenewed: (recoveryCodes: string[]) => void
  onDisabled: () => void
}

const State = ({ status, hasPassword, onActive, onReplaced, onRenewed, onDisabled }: StateProps) => {
  const [attempt, setAttempt] = useState(0)
  const [next, setNext] = useState<DeviceSecret>()
  if (status.ativo && next) {
    const handleCancel = () => {
      setNext(undefined)
      focusPageHeading()
    }
    return <LinkDevice {...next} {...replacing} onActive={onReplaced} onCancel={handleCancel} />
  }
  if (status.ativo) {
    return (
      <ActiveFactor status={status} onRenewed={onRenewed} onReplacing={setNext} onDisabled={onDisabled} />
    )
  }
  if (!hasPassword)
    return (
      <section className={shared.card}>
        <p className={shared.dimmed}>
          Você entra pelo provedor de identidade da sua empresa: o segundo fator é o de lá.
        </p>
      </section>
    )
  return (
    <SecondFactorSetUp
      key={attempt}
      isDemanded={status.exigido}
      onActive={onActive}
      onCancel={() => setAttempt(attempt + 1)}
    />
  )
}

const replacing = {
  title: 'Ligue o novo aparelho',
  lead: 'O aparelho atual vale até você confirmar o novo, em até 10 minutos. Depois disso ele e os códigos de recuperação de agora deixam de valer.',
  action: 'Trocar',
}

/** Returns `goOn`, which opens the requested page once the session has no pending demand. */
const useGoingOn = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { destino?: unknown } | null }
  const destination = safeDestination(state?.destino)
  const goOn = useCallback(async () => {
    const user = await client.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => undefined)
    // Refetch queries that failed because the second factor was pending.
    client.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    completePendingStep(user?.pendencia)
    await navigate(destination, { replace: true })
  }, [client, navigate, destination])
  return { goOn, isAwaited: state?.destino !== undefined }
}

/** Refetches the state of the second factor and the session's pending demand. */
const refreshSecondFactor = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
    client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  ])
