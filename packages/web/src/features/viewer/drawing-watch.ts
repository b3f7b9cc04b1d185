import type { EmbedError } from './embed-problem.ts'
import { TimeLimitError } from './time-limit.ts'

/** A drawing that began gets this long; one that has not begun by then is not coming. */
const drawingLimitMs = 30_000
const startLimitMs = 10_000

interface Waiting {
  started: () => void
  end: (failure?: unknown) => void
}

/** Knows when the report has drawn what a call changed. It is fed with the report's events. */
export class DrawingWatch {
  readonly #waiting = new Set<Waiting>()

  started(): void {
    for (const waiting of this.#waiting) waiting.started()
  }

  finished(): void {
    for (const waiting of [...this.#waiting]) waiting.end()
  }

  /** Answers whether somebody was waiting, and so hears of the failure. */
  failed(failure: EmbedError | Error): boolean {
    const isHeard = this.#waiting.size > 0
    for (const waiting of [...this.#waiting]) waiting.end(failure)
    return isHeard
  }

  /**
   * Makes a call and resolves when its result is drawn.
   *
   * Microsoft's service answers the call before it draws, and draws nothing where nothing changed (the same filters
   * once more): an accepted call that no drawing and no error follows within 10 s has succeeded. The local service
   * always draws.
   * @throws what the call or an error event said; TimeLimitError when a drawing takes more than 30 s.
   */
  after(call: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      let hasStarted = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const end = (failure?: unknown) => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        if (failure === undefined) resolve()
        else reject(failure)
      }
      const endIn = (limitMs: number, failure?: TimeLimitError) => {
        clearTimeout(timer)
        timer = setTimeout(() => end(failure), limitMs)
      }
      const started = () => {
        hasStarted = true
        endIn(drawingLimitMs, new TimeLimitError())
      }
      const waiting: Waiting = { started, end }
      this.#waiting.add(waiting)
      endIn(drawingLimitMs, new TimeLimitError())
      call().then(() => {
        if (!hasStarted && this.#waiting.has(waiting)) endIn(startLimitMs)
      }, end)
    })
  }
}
