import { onReconnected } from '../../lib/connection.ts'

const second = 1_000
const minute = 60 * second

/** A timer cannot be longer than this; a token that lives longer is looked at again on the way. */
const longestTimer = 2 ** 31 - 1
const shortestDelay = 5 * second

export const lifeLeftMs = (expiration: string, serverNow: number): number =>
  Date.parse(expiration) - serverNow

/** Ten minutes before the end, or a fifth of what is left when that is shorter. */
export const renewalDelayMs = (lifeMs: number): number =>
  Math.max(shortestDelay, lifeMs - Math.min(10 * minute, lifeMs / 5))

/** 2, 4, 8 … s up to a minute; never sooner than the server asked. */
export const retryDelayMs = (failures: number, retryAfterSeconds = 0): number =>
  Math.max(Math.min(minute, second * 2 ** failures), retryAfterSeconds * second)

export interface RenewalOptions {
  /** Milliseconds that the token in use still lives. */
  lifeMs: number
  /** Fetches and installs a new token; answers how long it lives. */
  renew: (signal: AbortSignal) => Promise<number>
  /** Told of each failure: the seconds that the server asked to wait, or 'stop' when trying again is pointless. */
  onFailure: (error: unknown) => number | undefined | 'stop'
  onRenewed?: () => void
  /** Calls back when the portal can be reached again; answers how to stop. */
  onBack?: (listener: () => void) => () => void
  page?: EventTarget & { visibilityState: string }
}

export interface Renewal {
  /** The provider says the token has ended: renew at once, or 5 s after the last one that ended so soon. */
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
  let renewedAt = Number.NEGATIVE_INFINITY
  let running = false

  const schedule = (delayMs: number) => {
    clearTimeout(timer)
    due = { wall: Date.now() + delayMs, own: performance.now() + delayMs }
    timer = setTimeout(wake, Math.min(delayMs, longestTimer))
  }

  const wake = () => {
    if (running || life.signal.aborted) return
    const waitMs = Math.min(due.wall - Date.now(), due.own - performance.now())
    if (waitMs > 0) schedule(waitMs)
    // Nobody is looking: a forgotten tab needs no token. It is renewed when somebody comes back.
    else if (page.visibilityState !== 'hidden') void attempt()
  }

  const attempt = async () => {
    running = true
    clearTimeout(timer)
    try {
      const newLifeMs = await renew(life.signal)
      if (life.signal.aborted) return
      failures = 0
      renewedAt = Date.now()
      schedule(renewalDelayMs(newLifeMs))
      onRenewed?.()
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

  // Timers sleep with the computer and retries wait longest when the network is away: both events catch up.
  const catchUp = () => {
    if (page.visibilityState === 'hidden') return
    if (failures > 0) due = { wall: 0, own: 0 }
    wake()
  }

  const stop = () => {
    life.abort()
    clearTimeout(timer)
    forgetConnection()
    page.removeEventListener('visibilitychange', catchUp)
  }

  const forgetConnection = onBack(catchUp)
  page.addEventListener('visibilitychange', catchUp)
  schedule(renewalDelayMs(lifeMs))

  const renewNow = () => {
    if (!running && !life.signal.aborted) schedule(Math.max(0, renewedAt + shortestDelay - Date.now()))
  }
  return { renewNow, stop }
}
