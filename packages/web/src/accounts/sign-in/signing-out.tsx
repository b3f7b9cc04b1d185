import { Button, Loader, Stack, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { messageOf, signOutOnServer } from '../../lib/api/api.ts'
import { currentSession, endSession, type Session } from '../../lib/session/session.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'

/** How long 'Deslogando...' is shown, from the product's specification. */
const SIGN_OUT_MS = 4_000

/**
 * A running sign-out: the session is already removed here, the server may not have answered yet.
 */
interface SignOut {
  session: Session
  answer: Promise<void>
}

let leaving: SignOut | undefined
const listeners = new Set<() => void>()

export const startSignOut = (): void => {
  const session = currentSession()
  if (!session) return
  setLeaving({ session, answer: signOutOnServer(session) })
  endSession('saiu')
}

export const useSignOut = (): SignOut | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => leaving,
  )

/** Replaces the pages during sign-out, so that none of their content stays on the screen. */
export const SigningOut = ({ leaving: { session, answer } }: { leaving: SignOut }) => {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>()

  const goToRoot = () => navigate('/', { replace: true })

  // Not before the unmount: the route guard would treat the missing session as an expired one.
  useEffect(() => () => setLeaving(undefined), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: goToRoot changes at each render
  useEffect(() => {
    let current = true
    setFailure(undefined)
    void Promise.allSettled([answer, wait(SIGN_OUT_MS)]).then(([outcome]) => {
      if (!current) return
      if (outcome.status === 'rejected') setFailure(outcome.reason)
      else void goToRoot()
    })
    return () => {
      current = false
    }
  }, [answer])

  if (failure === undefined)
    return (
      <Frame role="status">
        <Loader size="md" aria-hidden />
        <Text fz="lg">Deslogando...</Text>
      </Frame>
    )
  return (
    <Frame role="alert">
      <PageMessage
        icon={IconPlugConnectedX}
        heading="A sessão não pôde ser encerrada no servidor"
        actions={
          <>
            <Button onClick={() => setLeaving({ session, answer: signOutOnServer(session) })}>
              Tentar novamente
            </Button>
            <Button variant="default" onClick={goToRoot}>
              Ir para a entrada
            </Button>
          </>
        }
      >
        {messageOf(failure)} Neste aparelho você já saiu; no servidor a sessão termina sozinha quando seu
        tempo acabar.
      </PageMessage>
    </Frame>
  )
}

const Frame = (props: { role: 'status' | 'alert'; children: ReactNode }) => (
  <Stack component="main" align="center" justify="center" mih="100dvh" {...props} />
)

const setLeaving = (value: SignOut | undefined) => {
  leaving = value
  // The page handles a failure later through allSettled; this avoids an unhandled rejection.
  value?.answer.catch(() => undefined)
  for (const listener of listeners) listener()
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
