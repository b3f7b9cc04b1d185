import type { KioskRotationPage } from '@bi-manager/contract'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { retryDelayMs } from '../../../reports/index.ts'

/** A place that draws a page out of sight and then shows it. */
export interface Stage {
  /** Resolves when the page is drawn; rejects with the cause, or when the signal is aborted. */
  draw: (page: KioskRotationPage, signal: AbortSignal) => Promise<void>
  /** Removes the page. */
  clear: () => void
}

/** A page on the screen. */
export interface Shown {
  page: KioskRotationPage
  /** Position in the rotation, from 0. */
  index: number
  /** Index of the stage that shows it. */
  stage: number
  /** When it was drawn, on the server's clock (ms): its data was read then. */
  drawnAt: number
  /** Increases with each switch. */
  turn: number
}

export interface PlayerStatus {
  shown: Shown | undefined
  isPaused: boolean
  /** Why the next page could not be drawn. */
  error: unknown
}

/** Milliseconds before a switch at which the next page is drawn: its data should be recent. */
const leadMs = 20_000

/**
 * Shows pages in turn. The next page is drawn before the switch; until it is drawn, the present one
 * stays, also without a network.
 */
export class RotationPlayer {
  readonly #stages: readonly [Stage, Stage]
  readonly #onStatus: (status: PlayerStatus) => void
  #pages: readonly KioskRotationPage[] = []
  #shown: Shown | undefined
  /** The preparation under way, in the stage that is not shown. */
  #work: AbortController | undefined
  /** The page that waits, drawn, in that stage. */
  #ready: { page: KioskRotationPage; index: number; drawnAt: number } | undefined
  /** The page that follows is shown as soon as it is drawn. */
  #isDue = true
  #isPaused = false
  #failures = 0
  #error: unknown
  /** When the current page ends (ms of performance.now()). `#leftMs`: what is left while paused. */
  #endsAt = 0
  #leftMs = 0
  #timers: ReturnType<typeof setTimeout>[] = []

  constructor(stages: readonly [Stage, Stage], onStatus: (status: PlayerStatus) => void) {
    this.#stages = stages
    this.#onStatus = onStatus
  }

  /** Follows a change of the rotation at once. A page that it lacks leaves the screen. */
  setPages(pages: readonly KioskRotationPage[]): void {
    if (JSON.stringify(pages) === JSON.stringify(this.#pages)) return
    this.#pages = pages
    const { page, index = -1, stage = 0 } = this.#shown ?? {}
    const unchanged = pages.findIndex((one) => JSON.stringify(one) === JSON.stringify(page))
    if (this.#shown && unchanged >= 0) {
      this.#shown = { ...this.#shown, index: unchanged }
      this.#goOn()
      return
    }
    const kept = page ? pages.findIndex((one) => isSamePage(one, page)) : -1
    if (page && kept < 0) {
      this.#stages[stage]?.clear()
      this.#shown = undefined
    }
    this.#stopTimers()
    this.#isDue = true
    this.#failures = 0
    if (pages.length > 0) this.#prepare(kept < 0 ? Math.max(0, index) % pages.length : kept)
    else {
      // Also the page that is drawn out of sight: it was withdrawn as well.
      this.#abandon()
      for (const one of this.#stages) one.clear()
    }
    this.#notify()
  }

  /** Keeps the page on the screen for what is left of its time: only other pages changed. */
  #goOn(): void {
    this.#stopTimers()
    this.#failures = 0
    this.#error = undefined
    this.#abandon()
    // It may hold a page that was withdrawn.
    this.#stages[this.#back].clear()
    if (!this.#isPaused) this.#schedule(Math.max(0, this.#endsAt - performance.now()))
    this.#notify()
  }

  next(): void {
    this.#go(1)
  }

  previous(): void {
    this.#go(-1)
  }

  /** Pauses the rotation, or resumes it with the remaining time of the page. */
  togglePause(): void {
    this.#isPaused = !this.#isPaused
    if (this.#shown && this.#isPaused) {
      this.#leftMs = Math.max(0, this.#endsAt - performance.now())
      this.#isDue = false
      this.#stopTimers()
    } else if (this.#shown) this.#schedule(this.#leftMs)
    this.#notify()
  }

  close(): void {
    this.#stopTimers()
    this.#abandon()
    for (const stage of this.#stages) stage.clear()
  }

  get #back(): 0 | 1 {
    return this.#shown?.stage === 0 ? 1 : 0
  }

  #go(step: 1 | -1): void {
    const count = this.#pages.length
    if (count === 0) return
    this.#stopTimers()
    this.#isDue = true
    const wanted = ((this.#shown?.index ?? 0) + step + count) % count
    if (this.#ready?.index === wanted) this.#switch()
    else this.#prepare(wanted)
  }

  #prepare(index: number): void {
    const page = this.#pages[index]
    this.#abandon()
    if (!page) return
    const work = new AbortController()
    this.#work = work
    this.#stages[this.#back].draw(page, work.signal).then(
      () => {
        if (work.signal.aborted) return
        // The stage keeps the signal for as long as it shows the page.
        this.#work = undefined
        this.#failures = 0
        this.#error = undefined
        this.#ready = { page, index, drawnAt: serverNow() }
        if (this.#isDue) this.#switch()
        else this.#notify()
      },
      (error: unknown) => {
        if (!work.signal.aborted) this.#retry(index, error)
      },
    )
  }

  /** Tries the page after the failed one: one broken report must not stop the others. */
  #retry(index: number, error: unknown): void {
    this.#work = undefined
    this.#failures += 1
    this.#error = error
    const following = (index + 1) % this.#pages.length
    this.#timers.push(setTimeout(() => this.#prepare(following), retryDelayMs(this.#failures)))
    this.#notify()
  }

  #switch(): void {
    if (!this.#ready) return
    const turn = (this.#shown?.turn ?? 0) + 1
    this.#shown = { ...this.#ready, stage: this.#back, turn }
    this.#ready = undefined
    this.#isDue = false
    const forMs = this.#shown.page.segundos * 1_000
    this.#leftMs = forMs
    this.#stopTimers()
    if (!this.#isPaused) this.#schedule(forMs)
    this.#notify()
  }

  #schedule(forMs: number): void {
    this.#endsAt = performance.now() + forMs
    const following = ((this.#shown?.index ?? -1) + 1) % Math.max(1, this.#pages.length)
    const isUnderWay = this.#ready !== undefined || this.#work !== undefined
    if (!isUnderWay)
      this.#timers.push(setTimeout(() => this.#prepare(following), Math.max(0, forMs - leadMs)))
    this.#timers.push(
      setTimeout(() => {
        this.#isDue = true
        this.#switch()
      }, forMs),
    )
  }

  #abandon(): void {
    this.#work?.abort()
    this.#work = undefined
    this.#ready = undefined
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }

  #notify(): void {
    this.#onStatus({ shown: this.#shown, isPaused: this.#isPaused, error: this.#error })
  }
}

/** Whether two pages show the same: a page that was removed and added has another id. */
const isSamePage = (one: KioskRotationPage, other: KioskRotationPage): boolean =>
  one.idRelatorio === other.idRelatorio && one.pagina === other.pagina
