const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago something was, in few letters: 'agora', 'há 5 min', 'há 3 h', 'ontem', 'há 4 dias', then the date. */
export const relativeTime = (instant: string, now: number): string => {
  const then = new Date(instant)
  const passed = now - then.getTime()
  if (passed < minute) return 'agora'
  if (passed < hour) return `há ${Math.floor(passed / minute)} min`
  const midnights = dayOf(new Date(now)) - dayOf(then)
  if (midnights === 0) return `há ${Math.floor(passed / hour)} h`
  if (midnights === 1) return 'ontem'
  return midnights < 7 ? `há ${midnights} dias` : then.toLocaleDateString('pt-BR')
}

/** '21/11/2025 15:28': for whoever has to know exactly. */
export const fullTime = (instant: string): string =>
  new Date(instant).toLocaleString('pt-BR', { dateStyle: 'short', timeStyle: 'short' }).replace(',', '')

/** A running number of the day, as the person's own calendar counts them. */
const dayOf = (date: Date): number =>
  Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / day)
