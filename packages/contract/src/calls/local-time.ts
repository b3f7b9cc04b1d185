import { once } from './once.ts'
import { PORTAL_ZONE } from './time-zone.ts'

/*
 * The portal's only time zone: screens, e-mails, CSV files and the audit's day filter show the same time
 * for an instant, wherever they are written or read.
 */

const formatted = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const format = once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone: PORTAL_ZONE }))
  return (instant: Date | string | number): string => format().format(new Date(instant))
}

/** Returns '2026-01-31'. */
export const dayOf = formatted('sv-SE', { dateStyle: 'short' })

/** Returns '31/01/2026'. */
export const dayText = formatted('pt-BR', { dateStyle: 'short' })

/** Returns '23:59'. */
export const timeText = formatted('pt-BR', { timeStyle: 'short' })

const withSeconds = formatted('pt-BR', { timeStyle: 'medium' })

/** Returns '31/01/2026 23:59:59'. */
export const momentText = (instant: Date | string | number): string =>
  `${dayText(instant)} ${withSeconds(instant)}`
