const clocks = new Map<string, Intl.DateTimeFormat>()

/** The clock of a time zone as if it were UTC, so that days have 24 hours. */
export function wallClock(now: number, timeZone: string): Date {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return new Date(`${clock.format(now).replace(' ', 'T')}Z`)
}

const DAY_MS = 86_400_000

/**
 * Returns the first local time of a day, such as 2018-11-04T01:00:00 in São Paulo, where summer time
 * left out midnight.
 * @param day such as 2018-11-04
 */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const before = midnight - DAY_MS
  const offset = wallClock(before, timeZone).getTime() - before
  const first = wallClock(midnight - offset, timeZone)
    .toISOString()
    .slice(0, 19)
  return first.startsWith(day) ? first : `${day}T00:00:00`
}
