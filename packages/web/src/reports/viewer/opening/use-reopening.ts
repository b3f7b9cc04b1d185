import { useEffect, useRef, useState } from 'react'
import { isReachable, onReconnected } from '../../../lib/api/connection.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { onAccessChange } from '../../../lib/live/live.ts'
import { type Reopening, reopenDelayMs, waitFor } from '../problems/viewer-problem.ts'
import type { OpeningStatus } from './opening-status.ts'
import { runWhenVisibleAndOnline } from './run-when-visible.ts'

/**
 * Reopens a report automatically after a transient problem, as the problem's `reopens` says.
 * @param failures total number of failed openings; each increment starts a new wait
 * @param reopen starts one automatic attempt
 * @returns when the next attempt starts (ms since the epoch); undefined when it waits for an event
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
    // A manual retry has started, or the report has loaded.
    if (phase !== 'erro') attempts.current = 0
  }, [phase])

  const reopens = phase === 'erro' ? problem?.reopens : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure starts a new wait
  useEffect(() => {
    setDueAt(undefined)
    if (reopens === undefined) return undefined
    const run = () => {
      attempts.current += 1
      latest.current()
    }
    const delayMs = waitMs(reopens, attempts.current)
    if (delayMs === undefined) return reopens === 'access' ? onAccessChange(run) : onReconnected(run)
    setDueAt(serverNow() + delayMs)
    return runWhenVisibleAndOnline(delayMs, run, { isEager: typeof reopens !== 'object' || !reopens.isNamed })
  }, [reopens, failures])
  return dueAt
}

const waitMs = (reopens: Reopening, attempts: number): number | undefined => {
  if (reopens === 'access') return undefined
  if (reopens !== 'connection') return reopenDelayMs(reopens, attempts)
  // If the portal is reachable, the connection is back or was not the cause: retry after a time.
  return isReachable() ? reopenDelayMs(waitFor(15), attempts) : undefined
}
