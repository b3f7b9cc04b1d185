/* Instants as one types them: 'yyyy-mm-ddThh:mm' of America/Sao_Paulo, either part empty while it is not typed; '' for none. */

const timeZone = 'America/Sao_Paulo'
const parts = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })

/** What stands in the fields for an ISO instant. */
export const typedOf = (instant: string | null | undefined): string =>
  instant ? parts.format(new Date(instant)).replace(' ', 'T') : ''

/** The ISO instant; null for none; what is half typed is handed on as it is, for the server to refuse. */
export const instantOfTyped = (typed: string): string | null => {
  if (typed === '') return null
  if (!/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/.test(typed)) return typed
  const asIfUtc = Date.parse(`${typed}Z`)
  // What the zone is ahead or behind by is known only of an instant: of one close by, then of the one found.
  const near = asIfUtc - aheadBy(asIfUtc)
  return new Date(asIfUtc - aheadBy(near)).toISOString()
}

export const dayOfTyped = (typed: string): string | undefined => typed.split('T')[0] || undefined
export const timeOfTyped = (typed: string): string => typed.split('T')[1] ?? ''

export const typedFrom = (day: string | undefined, time: string): string =>
  day || time ? `${day ?? ''}T${time}` : ''

/** '10/03/2026 14:30', or what there is of it. */
export const typedInWords = (typed: string): string =>
  [dayOfTyped(typed)?.split('-').reverse().join('/'), timeOfTyped(typed)].filter(Boolean).join(' ')

/** Puts the colon where it belongs as one types. */
export const maskTime = (text: string, before: string): string => {
  const digits = text.replace(/\D/g, '').slice(0, 4)
  const isShorter = text.length < before.length
  if (digits.length > 2) return `${digits.slice(0, 2)}:${digits.slice(2)}`
  return !isShorter && digits.length === 2 ? `${digits}:` : digits
}

/** Milliseconds that a clock there is ahead of UTC's. */
const aheadBy = (instant: number): number => {
  const there = Date.parse(`${parts.format(instant).replace(' ', 'T')}Z`)
  return there - Math.floor(instant / 60_000) * 60_000
}
