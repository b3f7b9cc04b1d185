import { dayText, timeText as hourText, momentText, once, PORTAL_ZONE } from '@bi-manager/contract'

export { dayText, hourText, momentText as exactTime }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The time zone's name in texts. */
export const clockName = 'horário de Brasília'

const longDayFormat = once(
  () => new Intl.DateTimeFormat('pt-BR', { dateStyle: 'full', timeZone: PORTAL_ZONE }),
)

/** Returns '21/11/2025 15:28'. */
export const fullTime = (instant: string): string => `${dayText(instant)} ${hourText(instant)}`

/** Returns '21/11 15:28', or '21/11/2024 15:28' when the instant is in another year than now. */
export const shortTime = (instant: string, now: number): string => {
  const year = dayText(instant).slice(-5)
  return year === dayText(now).slice(-5) ? fullTime(instant).replace(year, '') : fullTime(instant)
}

/** Returns 'domingo, 23 de novembro de 2025 às 15:28'. */
export const spokenTime = (instant: string): string =>
  `${longDayFormat().format(new Date(instant))} às ${hourText(instant)}`

/** Returns the age in short: 'agora', 'há 5 min', 'há 3 h', 'ontem', 'há 4 dias', then the date. */
export const relativeTime = (instant: string, now: number): string => {
  const then = new Date(instant).getTime()
  const passed = now - then
  if (passed < minute) return 'agora'
  if (passed < hour) return `há ${Math.floor(passed / minute)} min`
  const midnights = dayNumber(now) - dayNumber(then)
  if (midnights === 0) return `há ${Math.floor(passed / hour)} h`
  if (midnights === 1) return 'ontem'
  return midnights < 7 ? `há ${midnights} dias` : dayText(instant)
}

/** Returns the days from today, in Brasília, to '2026-03-10'; negative after it. */
export const daysUntil = (isoDay: string, now: number): number =>
  Date.parse(`${isoDay}T00:00:00Z`) / day - dayNumber(now)

/** Returns the serial number of the instant's day in Brasília. */
const dayNumber = (instant: number): number => {
  const [date = 1, month = 1, year = 1970] = dayText(instant).split('/').map(Number)
  return Date.UTC(year, month - 1, date) / day
}
