/** An answer that took longer (ms) says nothing about the clock: the computer may have slept meanwhile. */
const longestAnswerMs = 10_000

/** Below this (ms) a difference is the rounding of the `Date` header, which knows seconds alone. */
const roundingMs = 5_000

/** How far (ms) the server's clock is ahead of ours; undefined where the answer does not tell. */
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
