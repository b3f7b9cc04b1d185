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

/** Returns the server's time (ms), taken from its last answer: a PC's clock may be wrong. */
export const serverNow = (): number => Date.now() + serverAhead

/** Takes the server's time from an answer. @param sentAt by this computer's clock (ms), as `receivedAt` */
export const observeServerTime = (dateHeader: string | null, sentAt: number, receivedAt: number): void => {
  serverAhead = clockSkewMs(dateHeader, sentAt, receivedAt) ?? serverAhead
  if (serverAhead) localStorage.setItem(CLOCK_KEY, String(serverAhead))
  else localStorage.removeItem(CLOCK_KEY)
}
