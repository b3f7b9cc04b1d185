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

/** Inserts the slashes while typing; deleting a slash also deletes the digit before it. */
export const maskDay = (text: string, before: string): string => {
  const digits = text.replace(/\D/g, '').slice(0, 8)
  const isShorter = text.length < before.length
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)]
  const masked = parts.filter(Boolean).join('/')
  return !isShorter && (digits.length === 2 || digits.length === 4) ? `${masked}/` : masked
}
