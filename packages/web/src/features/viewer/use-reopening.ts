import { useEffect, useRef, useState } from 'react'
import { isReachable, onReconnected } from '../../lib/connection.ts'
import { onLiveEvent } from '../../lib/live.ts'
import type { OpeningStatus } from './report-opening.ts'
import { type Reopening, reopenDelayMs, waitFor } from './viewer-problem.ts'
import { whenWorthwhile } from './when-worthwhile.ts'

/**
 * Opens a report again by itself after a problem that may pass, as the problem says.
 * @param failures how many openings have failed so far, in all: each is waited for anew
 * @param reopen tries once more, quietly
 * @returns when (ms since the epoch) it will be tried; undefined where that is not a matter of time
 */
export const useReopening = (
  { phase, problem }: Pick<OpeningStatus, 'phase' | 'problem'>,
  failures: number,
  reopen: () => void,
): number | undefined => {
  const [dueAt, setDueAt] = useState<number>()
  const attempts = useRef(0)
  const latest = useRef(reopen)
  latest.current = reopen
  useEffect(() => {
    // Somebody asked for it, or it is there: waiting begins anew.
    if (phase !== 'erro') attempts.current = 0
  }, [phase])

  const reopens = phase === 'erro' ? problem?.reopens : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same problem once more is waited for once more
  useEffect(() => {
    setDueAt(undefined)
    if (reopens === undefined) return undefined
    const run = () => {
      attempts.current += 1
      latest.current()
    }
    const delayMs = waitMs(reopens, attempts.current)
    if (delayMs === undefined) return reopens === 'access' ? onAccessChange(run) : onReconnected(run)
    setDueAt(Date.now() + delayMs)
    return whenWorthwhile(delayMs, run, { isEager: typeof reopens !== 'object' || !reopens.isNamed })
  }, [reopens, failures])
  return dueAt
}

const waitMs = (reopens: Reopening, attempts: number): number | undefined => {
  if (reopens === 'access') return undefined
  if (reopens !== 'connection') return reopenDelayMs(reopens, attempts)
  // The connection is back already, or was never what failed.
  return isReachable() ? reopenDelayMs(waitFor(15), attempts) : undefined
}

const onAccessChange = (run: () => void) =>
  onLiveEvent((event) => {
    if (event === 'acesso') run()
  })
