import { onReconnected } from '../../../lib/api/connection.ts'

const second = 1_000
const minute = 60 * second

/** The longest delay of setTimeout; a longer wait is split. */
const longestTimer = 2 ** 31 - 1
const shortestDelay = 5 * second

/** A token that the provider reports expired within this time was never valid. */
const provedAfter = minute
const longestGap = 5 * minute
/** The number of failures in a row after which a notice is shown. */
const saidAfter = 3
const endsAtOnce = 'O serviço de BI não aceita o acesso que ele mesmo renovou.'

export const lifeLeftMs = (expiration: string, serverNow: number): number =>
  Date.parse(expiration) - serverNow

/**
 * Returns the delay until ten minutes before expiry, or a fifth of the life before it if shorter.
 */
export const renewalDelayMs = (lifeMs: number): number =>
  Math.max(shortestDelay, lifeMs - Math.min(10 * minute, lifeMs / 5))

/** The gap between tokens that expired at once: 5, 10, 20 … s, at most five minutes. */
const gapMs = (endedAtOnce: number): number =>
  Math.min(longestGap, shortestDelay * 2 ** Math.max(0, endedAtOnce - 1))

/** Returns 2, 4, 8 … s, at most a minute, but never less than Retry-After. */
export const retryDelayMs = (failures: number, retryAfterSeconds = 0): number =>
  Math.max(Math.min(minute, second * 2 ** failures), retryAfterSeconds * second)

interface RenewalOptions {
  /** Milliseconds until the current token expires. */
  lifeMs: number
  /**
   * Fetches and installs a new token; returns its life in milliseconds.
   * @param isRequested whether the person has asked for it
   */
  renew: (isRequested: boolean) => Promise<number>
  /**
   * Called on each failure and when tokens expire at once; returns the server's Retry-After in
   * seconds, or 'stop' when a retry is pointless.
   */
  onFailure: (error: unknown) => number | undefined | 'stop'
  onRenewed?: () => void
  /** Calls the listener when the portal is reachable again; returns the unsubscribe function. */
  onBack?: (listener: () => void) => () => void
  page?: EventTarget & { visibilityState: string }
}

/** Renews an embed token before it expires, until `stop`. */
export const keepTokenFresh = ({
  lifeMs,
  renew,
  onFailure,
  onRenewed,
  onBack = onReconnected,
  page = document,
}: RenewalOptions) => {
  const life = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** When to renew, on two clocks: one may be set back, performance.now() may stop during sleep. */
  let due = { wall: 0, own: 0 }
  let failures = 0
  /** When the token was last renewed, on the clock of performance.now(). */
  let renewedAt = Number.NEGATIVE_INFINITY
  /** Number of tokens in a row that expired at once. */
  let endedAtOnce = 0
  /** Whether the provider reported the current token expired. */
  let hasEnded = false
  let proof: ReturnType<typeof setTimeout> | undefined
  let running = false

  const schedule = (delayMs: number) => {
    clearTimeout(timer)
    due = { wall: Date.now() + delayMs, own: performance.now() + delayMs }
    timer = setTimeout(wake, Math.min(delayMs, longestTimer))
  }

  const untilDue = () => Math.min(due.wall - Date.now(), due.own - performance.now())

  const wake = () => {
    if (running || life.signal.aborted) return
    const waitMs = untilDue()
    if (waitMs > 0) schedule(waitMs)
    // A hidden tab needs no token; `catchUp` renews it when the tab becomes visible.
    else if (page.visibilityState !== 'hidden') void attempt()
  }

  const attempt = async (isRequested = false) => {
    running = true
    clearTimeout(timer)
    clearTimeout(proof)
    // The token lived until its scheduled renewal.
    if (!hasEnded) proved()
    try {
      const newLifeMs = await renew(isRequested)
      if (life.signal.aborted) return
      failures = 0
      renewedAt = performance.now()
      hasEnded = false
      schedule(renewalDelayMs(newLifeMs))
      proof = setTimeout(proved, provedAfter)
      if (endedAtOnce < saidAfter) onRenewed?.()
    } catch (error) {
      if (life.signal.aborted) return
      failures += 1
      const answer = onFailure(error)
      if (answer === 'stop') stop()
      else schedule(retryDelayMs(failures, answer))
    } finally {
      running = false
    }
  }

  const proved = () => {
    if (endedAtOnce >= saidAfter) onRenewed?.()
    endedAtOnce = 0
  }

  // Timers stop while the computer sleeps, and retries back off while offline: these events catch
  // up.
  const catchUp = () => {
    if (page.visibilityState === 'hidden') return
    if (failures > 0) due = { wall: 0, own: 0 }
    wake()
  }

  const stop = () => {
    life.abort()
    clearTimeout(timer)
    clearTimeout(proof)
    forgetConnection()
    page.removeEventListener('visibilitychange', catchUp)
  }

  const forgetConnection = onBack(catchUp)
  page.addEventListener('visibilitychange', catchUp)
  schedule(renewalDelayMs(lifeMs))

  /**
   * Renews a token that the provider reported expired: at once, or after a backoff if this recurs.
   */
  const renewNow = () => {
    // Several visuals report the same token; after a failed renewal, a retry is already scheduled.
    if (running || hasEnded || failures > 0 || life.signal.aborted) return
    clearTimeout(proof)
    const age = performance.now() - renewedAt
    hasEnded = true
    endedAtOnce = age < provedAfter ? endedAtOnce + 1 : 0
    schedule(Math.max(0, Math.min(gapMs(endedAtOnce) - age, untilDue())))
    if (endedAtOnce >= saidAfter && onFailure(new Error(endsAtOnce)) === 'stop') stop()
  }

  /** Renews at once because the person asks for it, also after failures. */
  const renewOnRequest = () => {
    if (!running && !life.signal.aborted) void attempt(true)
  }
  return { renewNow, renewOnRequest, stop }
}

export type Renewal = ReturnType<typeof keepTokenFresh>
