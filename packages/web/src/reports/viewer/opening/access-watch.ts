import { ApiProblem, reportsApi } from '@bi-manager/contract'
import { callInBackground } from '../../../lib/api/api.ts'
import { onAccessChange } from '../../../lib/live/live.ts'
import { pause } from '../problems/time-limit.ts'
import { retryDelayMs } from '../tokens/token-renewal.ts'

interface AccessWatchOptions {
  /** Aborted when the report is closed. */
  signal: AbortSignal
  /** Called with the portal's answer when the user may no longer view the report. */
  onLost: (refusal: ApiProblem) => void
}

const callLimitMs = 15_000

/**
 * Asks whether the user may still view the open report each time the server signals a change of
 * access. Changes that arrive before the report's id is known are checked once it is.
 */
export const watchAccess = ({ signal, onLost }: AccessWatchOptions) => {
  let idRelatorio: number | undefined
  /** Number of changes received; a check covers those received before it was sent. */
  let received = 0
  let isChecking = false

  const check = async () => {
    if (idRelatorio === undefined || isChecking) return
    isChecking = true
    let failures = 0
    for (let checked = 0; checked < received && !signal.aborted; ) {
      const receivedBefore = received
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(callLimitMs)])
        await callInBackground(reportsApi.checkAccess, { params: { id: idRelatorio } }, { signal: limit })
        checked = receivedBefore
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiProblem && (error.status === 403 || error.status === 404))
          return onLost(error)
        failures += 1
        const retryAfter = error instanceof ApiProblem ? error.retryAfter : undefined
        await pause(retryDelayMs(failures, retryAfter), signal).catch(() => undefined)
      }
    }
    received = 0
    isChecking = false
  }

  const stop = onAccessChange(() => {
    received += 1
    void check()
  })
  signal.addEventListener('abort', stop, { once: true })
  return {
    /** Sets the registration that was opened, as the embed response names it. */
    setReportId: (id: number) => {
      idRelatorio = id
      void check()
    },
  }
}
