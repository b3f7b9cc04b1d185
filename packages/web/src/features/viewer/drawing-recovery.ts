import { isReachable } from '../../lib/connection.ts'
import { retryDelayMs } from './token-renewal.ts'
import { reopenDelayMs, untilBack } from './viewer-problem.ts'
import { whenWorthwhile } from './when-worthwhile.ts'

/** A loaded report that has drawn nothing for so long is said to be slow. */
const slowMs = 60_000

interface DrawingRecoveryOptions {
  /** Aborted when the report is closed. */
  signal: AbortSignal
  /** Draws the report that is on the screen once more. */
  redraw: () => Promise<void>
  /** What to say meanwhile; undefined: nothing any more. */
  onNotice: (notice: string | undefined) => void
}

const slow =
  'O serviço de BI ainda não mostrou os dados deste relatório. Você pode esperar ou tentar novamente.'

const again = 'O portal tenta de novo sozinho, com os mesmos filtros.'

/**
 * Looks after the drawing of a report on the screen: says that it is slow, and has it drawn again
 * after an error that may pass, when the connection is back or after 4, 8, 16 … s up to a minute;
 * where the service is away, after 1, 2, 4 … 15 s.
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
    if (!signal.aborted) stopWaiting = whenWorthwhile(delayMs, run, { isEager })
  }
  const tryAgain = () =>
    // A refused call is followed by the page's own error; one without an answer is not.
    redraw().catch((error: unknown) => {
      console.info('O relatório não pôde ser desenhado de novo.', error)
      if (!signal.aborted) failed()
    })
  let isAway = false
  const failed = (notice?: string) => {
    failures += 1
    if (notice) say(`${notice} ${again}`)
    const delayMs = isAway ? reopenDelayMs(untilBack, failures - 1) : retryDelayMs(failures + 1)
    wait(delayMs, () => void tryAgain(), isAway)
  }
  signal.addEventListener('abort', () => stopWaiting(), { once: true })

  return {
    loaded: () => wait(slowMs, () => say(slow)),
    /** An error that may pass; without a notice while the portal says itself that the connection is gone. */
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
