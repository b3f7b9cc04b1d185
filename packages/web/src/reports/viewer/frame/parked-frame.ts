import { currentSession, subscribeToSession } from '../../../lib/session/session.ts'
import type { ReportFrame } from './report-frame.ts'

/** How long an unused frame is kept: between two report pages, or from hover to click. */
const keptMs = 20_000

/** A frame that is not ready by now is discarded: its host may be unreachable. */
const readyMs = 2_000

/** A frame that no page shows. It is dropped after a while, and when the session changes. */
export class ParkedFrame {
  readonly frame: ReportFrame
  readonly #parkedAt = performance.now()
  readonly #stop: () => void

  /** @param onDrop called when the frame must be dropped; ends with `drop` */
  constructor(frame: ReportFrame, onDrop: () => void) {
    this.frame = frame
    const session = currentSession()?.access_token
    const life = new AbortController()
    // A report shown to one user must not be left in the page for the next.
    const stopWatching = subscribeToSession(() => {
      if (currentSession()?.access_token !== session) onDrop()
    })
    // A frame that the portal's CSP blocked: drop it, so that opening a report shows the error.
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective }) => {
        if (effectiveDirective === 'frame-src') onDrop()
      },
      { signal: life.signal },
    )
    const timer = setTimeout(onDrop, keptMs)
    this.#stop = () => {
      clearTimeout(timer)
      life.abort()
      stopWatching()
    }
  }

  get isUsable(): boolean {
    return this.frame.isReady || performance.now() - this.#parkedAt < readyMs
  }

  /** Ends the parking, because a page shows the frame. */
  release(): ReportFrame {
    this.#stop()
    return this.frame
  }

  drop(): void {
    this.release().drop()
  }
}
