import { once } from '@bi-manager/contract'

const timeZone = 'America/Sao_Paulo'
const isoDay = once(() => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }))
const day = once(() => new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone }))
const time = once(() => new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone }))
const moment = once(
  () => new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone }),
)

/* All of these are in America/Sao_Paulo. */

/** Returns '2026-01-31'. */
export const dayOf = (instant: Date): string => isoDay().format(instant)

/** Returns the midnights from one instant to another. */
export const daysUntil = (instant: Date, now: Date): number =>
  (Date.parse(dayOf(instant)) - Date.parse(dayOf(now))) / (24 * 3_600_000)

/** Returns '31/01/2026'. */
export const dayText = (instant: Date): string => day().format(instant)

/** Returns '23:59'. */
export const timeText = (instant: Date): string => time().format(instant)

/** Returns '31/01/2026 23:59:59'. */
export const momentText = (instant: Date): string => moment().format(instant).replace(', ', ' ')
