import { ApiProblem, sessionsApi } from '@bi-manager/contract'
import { Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { callInBackground } from '../../lib/api/api.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { earliestServerNow, hasClockJumped, serverNow } from '../../lib/clock/server-clock.ts'
import {
  currentSession,
  endSession,
  expiryOf,
  lastUserActivity,
  useSession,
} from '../../lib/session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { type Ending, nextEnding, WARNING_MS } from './session-ending.ts'

/** How often the page asks the server while only it knows whether the session has ended. */
const ASK_EVERY_MS = 5_000

/** Offers to extend the session two minutes before its end, and ends it on time. */
export const SessionEndingDialog = () => {
  const queryClient = useQueryClient()
  const ending = useEnding()
  const [dismissed, setDismissed] = useState<number>()
  const stay = useExclusiveMutation({
    mutationFn: () => queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }),
  })
  const near = ending !== undefined && ending.remaining <= WARNING_MS
  const absolute = ending?.kind === 'absolute'
  const close = () => {
    if (absolute) setDismissed(ending.at)
    else stay.mutate()
  }

  return (
    <Dialog
      opened={near && ending.at !== dismissed}
      onClose={close}
      title="Sua sessão está terminando"
      closeOnClickOutside={false}
    >
      <Text size="sm" aria-live="polite">
        {absolute
          ? 'O tempo máximo da sessão está acabando. Salve o que estiver fazendo e entre novamente para continuar.'
          : 'Por segurança, a sessão termina depois de um tempo sem uso.'}
      </Text>
      <Text size="sm" mt="xs" fw={600} role="timer">
        Termina em {clock(ending?.remaining ?? 0)}.
      </Text>
      <ErrorAlert error={stay.error} mt="xs" />
      <Group justify="flex-end" gap="sm" mt="lg">
        {absolute ? (
          <>
            <Button variant="default" onClick={close} data-autofocus>
              Agora não
            </Button>
            <Button onClick={() => endSession('terminou')}>Entrar novamente</Button>
          </>
        ) : (
          <Button onClick={() => stay.mutate()} loading={stay.isPending} data-autofocus>
            Continuar conectado
          </Button>
        )}
      </Group>
    </Dialog>
  )
}

/**
 * Returns the next end of the session, updated every second in its last two minutes. Polls every
 * second instead of one long timer, because timers stop while a laptop sleeps. At the end, and when
 * the clock of the computer has jumped, the page asks the server, whose 401 ends the session.
 */
const useEnding = (): Ending | undefined => {
  const session = useSession()
  const user = useQuery({ ...currentUserQuery, enabled: session !== undefined })
  const [ending, setEnding] = useState<Ending>()
  const token = session?.access_token
  const { data, dataUpdatedAt } = user
  // Computed once for each answer: a later correction of the clock does not move it.
  const limits = useMemo(
    () => data && { ...data, readAt: dataUpdatedAt + serverNow() - Date.now() },
    [data, dataUpdatedAt],
  )

  useEffect(() => {
    if (!token) return
    let mayAskFrom = 0
    const endAt = (now: number) =>
      nextEnding({ now, tokenEnd: expiryOf(token), lastUserActivity: lastUserActivity(), limits })
    const isSurelyOver = () => endAt(earliestServerNow()).remaining <= 0
    const ask = () => {
      if (performance.now() < mayAskFrom) return
      mayAskFrom = performance.now() + ASK_EVERY_MS
      callInBackground(sessionsApi.current).catch((error: unknown) => {
        const isAnswer = error instanceof ApiProblem
        if (!isAnswer && isSurelyOver() && currentSession()?.access_token === token) endSession('terminou')
      })
    }
    const look = () => {
      const next = endAt(serverNow())
      const isExpired = expiryOf(token) <= earliestServerNow()
      // Another tab may have signed out, or in again.
      if (isExpired && !currentSession()) return endSession('terminou')
      if (hasClockJumped() || next.remaining <= 0) ask()
      if (hasClockJumped()) return
      setEnding((shown) => (next.remaining <= WARNING_MS ? next : shown && undefined))
    }
    look()
    const timer = setInterval(look, 1_000)
    return () => clearInterval(timer)
  }, [token, limits])

  return ending
}

const clock = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
