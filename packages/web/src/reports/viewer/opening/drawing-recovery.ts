import { isReachable } from '../../../lib/api/connection.ts'
import { reopenDelayMs, restartBackoff } from '../problems/viewer-problem.ts'
import { retryDelayMs } from '../tokens/token-renewal.ts'
import { runWhenVisibleAndOnline } from './run-when-visible.ts'

/** A loaded report that draws nothing for this long gets the slow notice. */
const slowMs = 60_000

interface DrawingRecoveryOptions {
  /** Aborted when the report is closed. */
  signal: AbortSignal
  /** Redraws the report on the screen. */
  redraw: () => Promise<void>
  /** Receives the notice to show; undefined clears it. */
  onNotice: (notice: string | undefined) => void
}

const slow =
  'O serviço de BI ainda não mostrou os dados deste relatório. Você pode esperar ou tentar novamente.'

const again = 'O portal tenta de novo sozinho, com os mesmos filtros.'

/**
 * Watches the drawing of a report on the screen: shows a notice when it is slow, and redraws it
 * after a transient error, when the connection is back or after 4, 8, 16 … s (at most a minute).
 * While the service is down, it redraws after 1, 2, 4 … 15 s.
 */
export const recoverDrawing = ({ signal, redraw, onNotice }: DrawingRecoveryOptions) => {
  let failures = 0
  let isSaid = false
  let stopWaiting: () => void = () => undefined

  const say = (notice: string | undefined) => {
    isSaid = notice !== undefined
    onNotice(notice)
  }
  const wait = (delayMs: number, run: () => void, isEager = false) => {
    stopWaiting()
    if (!signal.aborted) stopWaiting = runWhenVisibleAndOnline(delayMs, run, { isEager })
  }
  const tryAgain = () =>
    // The embed page follows a refused call with an `error` event; a call without an answer has
    // none.
    redraw().catch((error: unknown) => {
      console.info('O relatório não pôde ser desenhado de novo.', error)
      if (!signal.aborted) failed()
    })
  let isAway = false
  const failed = (notice?: string) => {
    failures += 1
    if (notice) say(`${notice} ${again}`)
    const delayMs = isAway ? reopenDelayMs(restartBackoff, failures - 1) : retryDelayMs(failures + 1)
    wait(delayMs, () => void tryAgain(), isAway)
  }
  signal.addEventListener('abort', () => stopWaiting(), { once: true })

  return {
    loaded: () => wait(slowMs, () => say(slow)),
    /**
     * Handles a transient error; shows no notice while the portal's own offline notice is shown.
     */
    failed: (notice: string, isServiceAway = false) => {
      isAway = isServiceAway
      failed(isReachable() ? notice : undefined)
    },
    drawn: () => {
      failures = 0
      stopWaiting()
      if (isSaid) say(undefined)
    },
  }
}
