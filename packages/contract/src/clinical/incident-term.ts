import { dayOf } from '../calls/local-time.ts'
import { once } from '../calls/once.ts'
import { PORTAL_ZONE } from '../calls/time-zone.ts'

/* ANPD Resolution 15/2024 (arts. 6 and 9): three working days after the controller learns of it. */

export const TERM_WORKING_DAYS = 3

const hour = 3_600_000

/** Returns the end of the third working day after the day of knowledge, in America/Sao_Paulo. */
export const incidentTermOf = (knownAt: Date): Date => {
  let day = dayOf(knownAt)
  for (let left = TERM_WORKING_DAYS; left > 0; ) {
    day = nextDay(day)
    if (isWorkingDay(day)) left -= 1
  }
  return endOf(day)
}

/** The time left until a term, in working days only. */
export interface WorkingTime {
  /** Whole working days, of 24 hours. */
  days: number
  hours: number
  minutes: number
}

/** Returns the working time left; undefined when the term has passed. */
export const workingTimeUntil = (term: Date, now: Date): WorkingTime | undefined => {
  if (now.getTime() > term.getTime()) return undefined
  const lastDay = dayOf(term)
  let total = 0
  let from = now.getTime()
  for (let day = dayOf(now); day <= lastDay; day = nextDay(day)) {
    const end = endOf(day).getTime() + 1
    if (isWorkingDay(day)) total += end - from
    from = end
  }
  const days = Math.floor(total / (24 * hour))
  const rest = total - days * 24 * hour
  return { days, hours: Math.floor(rest / hour), minutes: Math.floor((rest % hour) / 60_000) }
}

/**
 * Holidays of federal law, as MM-DD (Leis 662/1949, 6.802/1980, 14.759/2023). Good Friday, carnival
 * and local holidays count as working days: no federal law makes them holidays, and a term computed
 * too early is safe, one computed too late is not.
 */
const holidays = new Set(['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'])

/** @param day yyyy-mm-dd */
const isWorkingDay = (day: string): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(day.slice(5))
}

const nextDay = (day: string): string => {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

const offset = once(
  () => new Intl.DateTimeFormat('en-US', { timeZone: PORTAL_ZONE, timeZoneName: 'longOffset' }),
)

/** Returns a day's last millisecond in Brasília, by its UTC offset: it may change again. */
const endOf = (day: string): Date => {
  const lastHour = new Date(Date.parse(`${day}T23:59:59.999Z`) + 3 * hour)
  const name =
    offset()
      .formatToParts(lastHour)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return new Date(`${day}T23:59:59.999${name.replace('GMT', '') || 'Z'}`)
}
