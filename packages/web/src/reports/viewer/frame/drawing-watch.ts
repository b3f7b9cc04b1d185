import type { EmbedError } from '../problems/embed-problem.ts'
import { TimeLimitError } from '../problems/time-limit.ts'

const drawingLimitMs = 30_000
/** Counted from the call's answer. */
const startLimitMs = 10_000

interface Waiting {
  started: () => void
  end: (failure?: unknown) => void
}

/**
 * Resolves calls when the report has drawn their result; the caller passes it the report's events.
 */
export class DrawingWatch {
  readonly #waiting = new Set<Waiting>()

  started(): void {
    for (const waiting of this.#waiting) waiting.started()
  }

  finished(): void {
    for (const waiting of [...this.#waiting]) waiting.end()
  }

  /** Rejects the waiting calls; returns whether there were any. */
  failed(failure: EmbedError | Error): boolean {
    const isHeard = this.#waiting.size > 0
    for (const waiting of [...this.#waiting]) waiting.end(failure)
    return isHeard
  }

  /**
   * Makes a call and resolves when its result is drawn.
   *
   * Microsoft's service answers before it draws, and does not draw when nothing changed (the same
   * filters again): an accepted call has succeeded when neither a drawing nor an error follows
   * within 10 s. The local service always draws.
   * @throws the error of the call or of an `error` event; TimeLimitError when drawing exceeds 30 s
   */
  callAndAwaitDrawing(call: () => Promise<void>): Promise<void> {
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
