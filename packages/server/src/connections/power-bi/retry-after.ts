/** Seconds. A wrong header must not stop alerts and subscriptions for years. */
const LONGEST = 3_600

/**
 * Returns how many seconds the provider asks to wait, at most an hour: `Retry-After` holds seconds or
 * a date (RFC 9110, section 10.2.3); without it, Power BI's text may say 'Retry in 42 seconds'.
 */
export const retryAfterOf = (headers: Headers, description: string): number | undefined => {
  const seconds = secondsOf(headers, description)
  return seconds === undefined ? undefined : Math.min(Math.max(1, seconds), LONGEST)
}

const secondsOf = (headers: Headers, description: string): number | undefined => {
  const header = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const [, seconds] = /retry in (\d{1,9}) seconds?/i.exec(description) ?? []
  return secondsUntil(header, headers.get('date')) ?? (seconds ? Number(seconds) : undefined)
}

/** Measured from the answer's own date: the clocks of the two machines may differ. */
const secondsUntil = (date: string, answered: string | null): number | undefined => {
  const until = Date.parse(date)
  if (!/[a-z]{3}/i.test(date) || Number.isNaN(until)) return undefined
  const now = Date.parse(answered ?? '')
  return Math.ceil((until - (Number.isNaN(now) ? Date.now() : now)) / 1000)
}
