import { onReconnected } from '../../lib/connection.ts'

const second = 1_000
const minute = 60 * second

/** A timer cannot be longer than this; a token that lives longer is looked at again on the way. */
const longestTimer = 2 ** 31 - 1
const shortestDelay = 5 * second

/** A token that the provider calls expired sooner than this after it was taken was none. */
const provedAfter = minute
const longestGap = 5 * minute
/** That many in a row, and the reader is told. */
const saidAfter = 3
const endsAtOnce = 'O serviço de BI não aceita o acesso que ele mesmo renovou.'

export const lifeLeftMs = (expiration: string, serverNow: number): number =>
  Date.parse(expiration) - serverNow

/** Ten minutes before the end, or a fifth of what is left when that is shorter. */
export const renewalDelayMs = (lifeMs: number): number =>
  Math.max(shortestDelay, lifeMs - Math.min(10 * minute, lifeMs / 5))

/** Between a token that ended at once and the next: 5, 10, 20 … s up to five minutes. */
const gapMs = (endedAtOnce: number): number =>
  Math.min(longestGap, shortestDelay * 2 ** Math.max(0, endedAtOnce - 1))

/** 2, 4, 8 … s up to a minute; never sooner than the server asked. */
export const retryDelayMs = (failures: number, retryAfterSeconds = 0): number =>
  Math.max(Math.min(minute, second * 2 ** failures), retryAfterSeconds * second)

export interface RenewalOptions {
  /** Milliseconds that the token in use still lives. */
  lifeMs: number
  /** Fetches and installs a new token; answers how long it lives. */
  renew: (signal: AbortSignal) => Promise<number>
  /**
   * Told of each failure, and of tokens that end at once: answers the seconds that the server asked to wait, or 'stop' when
   * trying again is pointless.
   */
  onFailure: (error: unknown) => number | undefined | 'stop'
  onRenewed?: () => void
  /** Calls back when the portal can be reached again; answers how to stop. */
  onBack?: (listener: () => void) => () => void
  page?: EventTarget & { visibilityState: string }
}

export interface Renewal {
  /** The provider says the token has ended: renew at once, or the later the more tokens in a row have ended so soon. */
  renewNow: () => void
  stop: () => void
}

/** Renews an embed token before it ends, for as long as the report is open. */
export const keepTokenFresh = ({
  lifeMs,
  renew,
  onFailure,
  onRenewed,
  onBack = onReconnected,
  page = document,
}: RenewalOptions): Renewal => {
  const life = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** By the wall clock, which a person may put back, and by the page's own, which sleeps with some computers. */
  let due = { wall: 0, own: 0 }
  let failures = 0
  /** By the page's own clock. */
  let renewedAt = Number.NEGATIVE_INFINITY
  /** Tokens in a row that ended as soon as they were taken, and whether the one in use is among them. */
  let endedAtOnce = 0
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
    // Nobody is looking: a forgotten tab needs no token. It is renewed when somebody comes back.
    else if (page.visibilityState !== 'hidden') void attempt()
  }

  const attempt = async () => {
    running = true
    clearTimeout(timer)
    clearTimeout(proof)
    // It has lived until its renewal was due.
    if (!hasEnded) proved()
    try {
      const newLifeMs = await renew(life.signal)
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

  // Timers sleep with the computer and retries wait longest when the network is away: both events catch up.
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

  const renewNow = () => {
    // Several parts of a report say so of one token; after a renewal that failed, the next is on its way.
    if (running || hasEnded || failures > 0 || life.signal.aborted) return
    clearTimeout(proof)
    const age = performance.now() - renewedAt
    hasEnded = true
    endedAtOnce = age < provedAfter ? endedAtOnce + 1 : 0
    schedule(Math.max(0, Math.min(gapMs(endedAtOnce) - age, untilDue())))
    if (endedAtOnce >= saidAfter && onFailure(new Error(endsAtOnce)) === 'stop') stop()
  }
  return { renewNow, stop }
}
