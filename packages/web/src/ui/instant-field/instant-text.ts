import { PORTAL_ZONE } from '@bi-manager/contract'

/*
 * Instants as typed: 'yyyy-mm-ddThh:mm' in America/Sao_Paulo. Either part is empty until it is
 * typed; '' means no instant.
 */

const parts = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: PORTAL_ZONE,
})

/** Returns the typed form of an ISO instant. */
export const typedOf = (instant: string | null | undefined): string =>
  instant ? parts.format(new Date(instant)).replace(' ', 'T') : ''

/**
 * Returns the ISO instant; null for ''; incomplete input unchanged, so that the server refuses it.
 */
export const instantOfTyped = (typed: string): string | null => {
  if (typed === '') return null
  if (!/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/.test(typed)) return typed
  const asIfUtc = Date.parse(`${typed}Z`)
  // The zone's offset depends on the instant: take it near the result first, then at the result.
  const near = asIfUtc - aheadBy(asIfUtc)
  return new Date(asIfUtc - aheadBy(near)).toISOString()
}

export const dayOfTyped = (typed: string): string | undefined => typed.split('T')[0] || undefined
export const timeOfTyped = (typed: string): string => typed.split('T')[1] ?? ''

export const typedFrom = (day: string | undefined, time: string): string =>
  day || time ? `${day ?? ''}T${time}` : ''

/** Returns '10/03/2026 14:30', or the part that is typed. */
export const typedInWords = (typed: string): string =>
  [dayOfTyped(typed)?.split('-').reverse().join('/'), timeOfTyped(typed)].filter(Boolean).join(' ')

/**
 * Inserts the colon of hh:mm, and the zero of an hour of one digit, while the user types at the end.
 * A correction elsewhere stays as it is typed: '1:30' may become 18:30.
 */
export const maskTime = (text: string, before: string): string => {
  const isAppended = text.startsWith(before)
  const typed = text.trim().replace(/\D+/g, ':')
  const [, hour, minutes] = /^(\d{0,2})\d?:(\d{0,2})/.exec(typed) ?? []
  if (hour !== undefined) return `${isAppended && hour.length === 1 ? '0' : ''}${hour}:${minutes}`
  if (!isAppended && text.length < before.length) return typed
  // '7' is a whole hour.
  const hasOneDigit = isAppended && /^[3-9]/.test(typed)
  const digits = `${hasOneDigit ? '0' : ''}${typed.replace(/\D/g, '')}`.slice(0, 4)
  if (digits.length > 2) return `${digits.slice(0, 2)}:${digits.slice(2)}`
  return digits.length === 2 ? `${digits}:` : digits
}

/**
 * Returns 'hh:00' for an hour alone, and 'hh:mm' for a time without its zero or its colon; other
 * texts unchanged.
 */
export const wholeTime = (typed: string): string => {
  const [, hour = '', minutes = '00'] =
    /^(\d{1,2}):?$/.exec(typed) ?? /^(\d):(\d\d)$/.exec(typed) ?? /^(\d\d)(\d\d)$/.exec(typed) ?? []
  return hour !== '' && Number(hour) < 24 ? `${hour.padStart(2, '0')}:${minutes}` : typed
}

/** Returns the zone's offset from UTC at an instant, in milliseconds. */
const aheadBy = (instant: number): number => {
  const there = Date.parse(`${parts.format(instant).replace(' ', 'T')}Z`)
  return there - Math.floor(instant / 60_000) * 60_000
}
