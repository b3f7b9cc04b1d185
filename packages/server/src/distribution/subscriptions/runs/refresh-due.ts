import { ownValue } from '@bi-manager/contract'
import { Cron } from 'croner'
import type { ReadSchedule } from '../../../connections/index.ts'

/** Windows' names of time zones in Power BI's schedules → IANA names; others are ignored. */
const zones: Record<string, string> = {
  UTC: 'UTC',
  'UTC-02': 'America/Noronha',
  'E. South America Standard Time': 'America/Sao_Paulo',
  'SA Eastern Standard Time': 'America/Fortaleza',
  'Bahia Standard Time': 'America/Bahia',
  'Tocantins Standard Time': 'America/Araguaina',
  'Central Brazilian Standard Time': 'America/Cuiaba',
  'SA Western Standard Time': 'America/Manaus',
  'SA Pacific Standard Time': 'America/Rio_Branco',
}

const englishDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Returns when a schedule last began a refresh; undefined when it is off or not understood. */
export const lastRefreshDue = (
  { isEnabled, days, times, timeZone }: ReadSchedule,
  now: Date,
): Date | undefined => {
  const timezone = ownValue(zones, timeZone)
  const weekdays = englishDays.flatMap((day, index) => (days.includes(day) ? [index + 1] : []))
  if (!isEnabled || !timezone || weekdays.length === 0) return undefined
  const last = times.flatMap((time) => {
    const [hour, minute] = time.split(':').map(Number)
    const pattern = `${minute} ${hour} * * ${weekdays.join(',')}`
    return new Cron(pattern, { paused: true, timezone, mode: '5-part' }).previousRuns(1, now)
  })
  return last.toSorted((one, other) => other.getTime() - one.getTime())[0]
}
