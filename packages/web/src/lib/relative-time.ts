const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * The one clock of the portal, wherever the browser is: the screens, the e-mails, the CSV files and the days of the audit's
 * filter say the same hour of the same instant, so that two people can speak of it.
 */
const timeZone = 'America/Sao_Paulo'

/** How the clock is called where it has to be named. */
export const clockName = 'horário de Brasília'

const dayFormat = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone })
const hourFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone })
const secondFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium', timeZone })

/** '21/11/2025'. */
export const dayText = (instant: string | number): string => dayFormat.format(new Date(instant))

/** '15:28'. */
export const hourText = (instant: string): string => hourFormat.format(new Date(instant))

/** '21/11/2025 15:28': for whoever has to know exactly. */
export const fullTime = (instant: string): string => `${dayText(instant)} ${hourText(instant)}`

/** '21/11/2025 15:28:30': for what is compared with other records. */
export const exactTime = (instant: string): string =>
  `${dayText(instant)} ${secondFormat.format(new Date(instant))}`

/** How long ago something was, in few letters: 'agora', 'há 5 min', 'há 3 h', 'ontem', 'há 4 dias', then the date. */
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

/** A running number of the day. */
const dayNumber = (instant: number): number => {
  const [date = 1, month = 1, year = 1970] = dayText(instant).split('/').map(Number)
  return Date.UTC(year, month - 1, date) / day
}
