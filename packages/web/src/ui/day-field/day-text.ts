/** Returns '10/03/2026' for '2026-03-10', and '' for undefined. */
export const textOfDay = (day: string | undefined): string => day?.split('-').reverse().join('/') ?? ''

/** Returns '2026-03-10' for '10/03/2026'; undefined when the day does not exist. */
export const dayOfText = (text: string): string | undefined => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  return isoDayOf(`${year}-${month}-${day}`)
}

/** Returns the text unchanged when it is an existing day (yyyy-mm-dd), otherwise undefined. */
export const isoDayOf = (text: string | null | undefined): string | undefined => {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return undefined
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

/** Returns 'dd/mm/aaaa' for a day without the zeros of its day or month; other texts unchanged. */
export const wholeDay = (typed: string): string => {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? []
  return day && month ? `${day.padStart(2, '0')}/${month.padStart(2, '0')}/${year}` : typed
}

/**
 * Inserts the slashes of dd/mm/aaaa, and the zeros of a day and a month of one digit, while the user
 * types at the end. A correction elsewhere stays as it is typed: '1/10/2026' may become 15/10/2026.
 */
export const maskDay = (text: string, before: string): string => {
  const pasted = isoDayOf(text.trim())
  if (pasted) return textOfDay(pasted)
  const isAppended = text.startsWith(before)
  const typed = text.trim().replace(/\D+/g, '/')
  const [, day, month, year] = /^(\d{0,2})\d?\/(\d{0,2})\d?\/(\d{0,4})/.exec(typed) ?? []
  if (!isAppended && day !== undefined) return `${day}/${month}/${year}`
  const isDeleted = !isAppended && text.length < before.length
  if (isDeleted && /^\d{0,2}(\/\d{0,2})?$/.test(typed)) return typed
  const padded = isAppended ? typed.replace(/(?<!\d)(\d)(?=\/)/g, '0$1') : typed
  const digits = padded.replace(/\D/g, '').slice(0, 8)
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)]
  const masked = parts.filter(Boolean).join('/')
  return !isDeleted && (digits.length === 2 || digits.length === 4) ? `${masked}/` : masked
}
