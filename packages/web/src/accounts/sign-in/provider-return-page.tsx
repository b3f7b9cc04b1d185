import { ApiProblem, oidcApi } from '@bi-manager/contract'
import { Flex, Loader } from '@mantine/core'
import { type Icon, IconHourglass, IconShieldLock, IconShieldX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Navigate } from 'react-router'
import { call, messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { HOME, safeDestination } from '../../lib/navigation/destination.ts'
import { currentSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { redirectToProvider } from './provider-attempt.ts'
import { takeProviderResponse } from './provider-return.ts'
import { beginSession, SignInRefused } from './sign-in-api.ts'

/** The redirect target of the identity provider. */
export const ProviderReturnPage = () => {
  const [back] = useState(takeProviderResponse)
  const finish = useExclusiveMutation({
    mutationFn: async () => {
      if (!back) return
      const { retorno, estado, nonce, verificador } = back
      beginSession(await call(oidcApi.finish, { body: { retorno, estado, nonce, verificador } }))
    },
  })
  const { mutate } = finish
  // Once, because the provider's response is valid for one call.
  useEffect(() => mutate(), [mutate])

  if (!back) return currentSession() ? <Navigate to={HOME} replace /> : <Unasked />
  if (finish.isSuccess) return <Navigate to={safeDestination(back.destino)} replace />
  if (!finish.isError) return <Working />
  if (finish.error instanceof ApiProblem && finish.error.codigo === 'conta_pendente') {
    return <Waiting>{finish.error.message}</Waiting>
  }
  const { error } = finish
  return (
    <Refused destino={back.destino}>
      {error instanceof SignInRefused ? error.message : messageOf(error)}
    </Refused>
  )
}

const Working = () => (
  <Frame icon={IconShieldLock} heading="Confirmando a sua entrada" actions={<Loader size="sm" aria-hidden />}>
    Só um instante.
  </Frame>
)

const Waiting = ({ children }: { children: string }) => (
  <Frame icon={IconHourglass} heading="Conta aguardando aprovação" actions={<BackToStart isMain />}>
    {children}
  </Frame>
)

const Refused = ({ children, destino }: { children: string; destino: string | undefined }) => (
  <BeginAgain heading="Não foi possível entrar" label="Tentar novamente" destino={destino}>
    {children}
  </BeginAgain>
)

/** Shown when this tab started no sign-in: a reload, another tab, or a forged link. */
const Unasked = () => (
  <BeginAgain heading="Esta entrada não começou aqui" label="Entrar novamente" destino={undefined}>
    A página foi recarregada, ou aberta em outra aba ou navegador. Comece de novo: leva só um instante.
  </BeginAgain>
)

interface BeginAgainProps {
  heading: string
  label: string
  destino: string | undefined
  children: string
}

const BeginAgain = ({ heading, label, destino, children }: BeginAgainProps) => {
  const leave = useExclusiveMutation({ mutationFn: () => redirectToProvider(destino) })
  const problem = leave.error instanceof SignInRefused ? leave.error.message : undefined
  return (
    <Frame
      alert
      icon={IconShieldX}
      heading={heading}
      actions={
        <>
          <BackToStart />
          <Button loading={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
            {label}
          </Button>
        </>
      }
    >
      {problem ?? children}
    </Frame>
  )
}

const BackToStart = ({ isMain = false }) => (
  <ActionButton variant={isMain ? 'filled' : 'default'} label="Voltar para a entrada" to="/" />
)

interface FrameProps {
  icon: Icon
  heading: string
  alert?: boolean
  actions: ReactNode
  children: string
}

const Frame = ({ alert = false, children, ...message }: FrameProps) => (
  <Flex direction="column" flex={1} role={alert ? 'alert' : 'status'}>
    <PageMessage {...message}>{children}</PageMessage>
  </Flex>
)
