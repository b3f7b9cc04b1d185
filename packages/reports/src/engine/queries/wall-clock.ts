const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  clocks.set(timeZone, clock)
  return clock
}

/**
 * The clock of a time zone as if it were UTC, so that days have 24 hours.
 * @throws RangeError when `now` is no instant
 */
export const wallClock = (now: number, timeZone: string): Date => {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  // The year before 1 is 1 BC. `Date.UTC` takes years below 100 as those of the last century.
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year')
  const date = new Date(0)
  date.setUTCFullYear(year, part('month') - 1, part('day'))
  date.setUTCHours(part('hour'), part('minute'), part('second'))
  return date
}

const MONTH_TO_SECOND = /-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Returns a local time as answers write it: 2024-05-01T12:00:00, or 0001-12-31 (BC)T20:53:32. */
export const wallText = (date: Date): string => {
  const [rest = ''] = MONTH_TO_SECOND.exec(date.toISOString()) ?? []
  const year = date.getUTCFullYear()
  const text = `${String(year > 0 ? year : 1 - year).padStart(4, '0')}${rest}`
  return year > 0 ? text : text.replace('T', ' (BC)T')
}

const DAY_MS = 86_400_000

/**
 * Returns the first local time of a day, such as 2018-11-04T01:00:00 in São Paulo, where summer time
 * left out midnight. A day that does not exist is returned with its midnight.
 * @param day such as 2018-11-04
 */
export const startOfDay = (day: string, timeZone: string): string => {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight)) return `${day}T00:00:00`
  const before = midnight - DAY_MS
  const offset = wallClock(before, timeZone).getTime() - before
  const first = wallText(wallClock(midnight - offset, timeZone))
  return first.startsWith(`${day}T`) ? first : `${day}T00:00:00`
}
