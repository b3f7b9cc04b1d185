/** An answer slower than this (ms) is ignored: the computer may have slept. */
const longestAnswerMs = 10_000

/** Smaller differences (ms) are rounding: the `Date` header has a resolution of one second. */
const roundingMs = 5_000

/** Returns how far (ms) the server's clock is ahead; undefined if the answer does not allow it. */
export const clockSkewMs = (
  dateHeader: string | null,
  sentAt: number,
  receivedAt: number,
): number | undefined => {
  const serverTime = Date.parse(dateHeader ?? '')
  const took = receivedAt - sentAt
  if (Number.isNaN(serverTime) || took < 0 || took > longestAnswerMs) return undefined
  const skew = serverTime + 500 - (sentAt + receivedAt) / 2
  return Math.abs(skew) < roundingMs ? 0 : Math.round(skew)
}

const CLOCK_KEY = 'bi-manager.relogio'

/** Kept for the next page: without it, the page would end a valid session before its first call. */
let serverAhead = Number(localStorage.getItem(CLOCK_KEY)) || 0

/**
 * Clocks drift apart by less than this (ms) between two answers of the server. A larger difference is
 * a corrected clock, or sleep, during which Chromium's steady clock stops on some systems.
 */
const MAX_DRIFT_MS = 5_000

/** The time on the server, and on the computer's two clocks at that moment (ms). */
const readClocks = () => ({ server: serverNow(), computer: Date.now(), steady: performance.now() })

/** Returns the server's time (ms), taken from its last answer: a PC's clock may be wrong. */
export const serverNow = (): number => Date.now() + serverAhead

let known = readClocks()

/**
 * Returns the earliest time (ms) that it can be on the server: what the computer's clock says, and
 * at most as long after the server's last answer as the steady clock has run.
 */
export const earliestServerNow = (): number =>
  Math.min(serverNow(), known.server + performance.now() - known.steady)

/** Returns whether `serverNow` may be wrong until the next answer: a corrected clock, or sleep. */
export const hasClockJumped = (): boolean =>
  Math.abs(Date.now() - known.computer - (performance.now() - known.steady)) > MAX_DRIFT_MS

/** Takes the server's time from an answer. @param sentAt by this computer's clock (ms), as `receivedAt` */
export const observeServerTime = (dateHeader: string | null, sentAt: number, receivedAt: number): void => {
  const skew = clockSkewMs(dateHeader, sentAt, receivedAt)
  if (skew === undefined) return
  serverAhead = skew
  known = readClocks()
  if (serverAhead) localStorage.setItem(CLOCK_KEY, String(serverAhead))
  else localStorage.removeItem(CLOCK_KEY)
}
