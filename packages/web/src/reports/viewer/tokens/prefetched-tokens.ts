import { type EmbeddedReport, isBlocking } from '@bi-manager/contract'
import { callInBackground } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { onAccessChange } from '../../../lib/live/live.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import { currentSession, subscribeToSession } from '../../../lib/session/session.ts'
import { requestToken } from './request-token.ts'

/** A token that is not taken is kept this long, and never into its last minute of validity (ms). */
const keptMs = 60_000
const lastMinuteMs = 60_000

/** Limits prefetches while the pointer crosses the menu. */
const mostHeld = 3
const mostAMinute = 20

const callLimitMs = 20_000

interface HeldToken {
  /** Also resolves when the request fails. */
  arrival: Promise<void>
  embedded?: EmbeddedReport | undefined
  requestedAt: number
  /** Stops watching for changes that end the token. */
  stopWatching: () => void
  /** Aborts the request. */
  abort: () => void
}

/**
 * Tokens of reports that the user is about to open, in memory only, each for one use. A prefetch
 * counts neither as use of the session nor as a view.
 */
export class PrefetchedTokens {
  readonly #held = new Map<string, HeldToken>()
  #requestTimes: number[] = []

  /**
   * Prefetches the token of a report. Errors are ignored: prefetching is optional.
   * @returns the token, which can still be taken; undefined when it was not requested or failed
   */
  async prefetch(report: ReportIds): Promise<EmbeddedReport | undefined> {
    const key = keyOf(report)
    if (!this.#held.has(key) && this.#mayRequest()) {
      this.#requestTimes.push(Date.now())
      const [oldest] = this.#held.keys()
      if (oldest !== undefined && this.#held.size >= mostHeld) this.#drop(oldest)
      this.#held.set(key, this.#request(report))
    }
    const own = this.#held.get(key)
    await own?.arrival
    // It may have been taken or dropped during the request.
    return own && this.#held.get(key) === own ? usable(own) : undefined
  }

  /** Returns the prefetched token and removes it; undefined when there is none or it is too old. */
  async take(report: ReportIds): Promise<EmbeddedReport | undefined> {
    const found = this.#remove(keyOf(report))
    // The other hovered reports are no longer needed.
    this.dropAll()
    await found?.arrival
    return found && usable(found)
  }

  /** Takes the token like `take`, but only one that has arrived; a running request stays. */
  takeArrived(report: ReportIds): EmbeddedReport | undefined {
    const found = this.#held.get(keyOf(report))
    const embedded = found && usable(found)
    if (embedded) this.dropAll()
    return embedded
  }

  dropAll(): void {
    for (const key of [...this.#held.keys()]) this.#drop(key)
  }

  #mayRequest(): boolean {
    const session = currentSession()
    const now = Date.now()
    this.#requestTimes = this.#requestTimes.filter((at) => Math.abs(now - at) < 60_000)
    return session !== undefined && !isBlocking(session.pendencia) && this.#requestTimes.length < mostAMinute
  }

  #request(report: ReportIds): HeldToken {
    const life = new AbortController()
    const signal = AbortSignal.any([life.signal, AbortSignal.timeout(callLimitMs)])
    const key = keyOf(report)
    const token: HeldToken = {
      arrival: requestToken({ address: report }, callInBackground, signal).then(
        (embedded) => {
          token.embedded = embedded
        },
        () => {
          if (this.#held.get(key) === token) this.#remove(key)
        },
      ),
      requestedAt: Date.now(),
      stopWatching: watchEndOfUse(() => this.#drop(key)),
      abort: () => life.abort(),
    }
    return token
  }

  #remove(key: string): HeldToken | undefined {
    const token = this.#held.get(key)
    this.#held.delete(key)
    token?.stopWatching()
    return token
  }

  #drop(key: string): void {
    this.#remove(key)?.abort()
  }
}

const usable = ({ embedded, requestedAt }: HeldToken): EmbeddedReport | undefined => {
  if (!embedded || Math.abs(Date.now() - requestedAt) > keptMs) return undefined
  return Date.parse(embedded.expiration) - serverNow() > lastMinuteMs ? embedded : undefined
}

/**
 * Calls `onEnd` when the session or the user's access changes, or the token is too old.
 * @returns a function that stops watching
 */
const watchEndOfUse = (onEnd: () => void): (() => void) => {
  const session = currentSession()?.access_token
  const stops = [
    subscribeToSession(() => {
      if (currentSession()?.access_token !== session) onEnd()
    }),
    onAccessChange(onEnd),
  ]
  const timer = setTimeout(onEnd, keptMs)
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

const keyOf = ({ groupId, reportId, idRelatorio }: ReportIds): string =>
  `${groupId}/${reportId}/${idRelatorio ?? ''}`.toLowerCase()
