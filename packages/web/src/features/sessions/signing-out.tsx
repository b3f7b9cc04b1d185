import { Button, Loader } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { messageOf, signOutOnServer } from '../../lib/api.ts'
import { currentSession, endSession, type Session } from '../../lib/session.ts'
import { PageMessage } from '../../ui/page-message.tsx'
import classes from './signing-out.module.css'

/** How long 'Deslogando...' shows, by the product's specification. */
const SIGN_OUT_MS = 4_000

/** A sign-out under way: the session is forgotten here already, the server's answer may be outstanding. */
export interface Leaving {
  session: Session
  answer: Promise<void>
}

let leaving: Leaving | undefined
const listeners = new Set<() => void>()

export const startLeaving = (): void => {
  const session = currentSession()
  if (!session) return
  setLeaving({ session, answer: signOutOnServer(session) })
  endSession('saiu')
}

export const useLeaving = (): Leaving | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => leaving,
  )

/** Stands in place of the pages while signing out, so that nothing of them stays on the screen. */
export const SigningOut = ({ leaving: { session, answer } }: { leaving: Leaving }) => {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>()

  const goToRoot = () => navigate('/', { replace: true })

  // Only once the root is on the screen: earlier, the guard would take the missing session for an expired one.
  useEffect(() => () => setLeaving(undefined), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: goToRoot is made anew at each render; one answer, one run
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
      <main className={classes.page} role="status">
        <Loader size="md" aria-hidden />
        <p className={classes.text}>Deslogando...</p>
      </main>
    )
  return (
    <main className={classes.page} role="alert">
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
    </main>
  )
}

const setLeaving = (value: Leaving | undefined) => {
  leaving = value
  // The page hears of a failure later, through allSettled; until then it must not count as unhandled.
  value?.answer.catch(() => undefined)
  for (const listener of listeners) listener()
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
