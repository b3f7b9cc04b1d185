import { types } from '@electric-sql/pglite'

/**
 * The text is never repeated: it may be private.
 * @param setting what decides the form
 */
const unknownForm = (type: string, setting?: string): TypeError =>
  new TypeError(
    `O banco de dados enviou um valor do tipo ${type} em uma forma desconhecida.${setting ? ` Se ${setting} mudou, reinicie o portal, que define o valor de novo.` : ''}`,
  )

const parseInt8 = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw unknownForm('int8')
  return number
}

const parseDate = (text: string): string => {
  if (!/^\d{4,}-\d\d-\d\d$/.test(text)) throw unknownForm('date', 'DateStyle')
  return text
}

const parseTimestamp = (text: string): Date => {
  const isIso = /^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/.test(text)
  const time = new Date(text)
  if (!isIso || Number.isNaN(time.getTime())) throw unknownForm('timestamptz', 'DateStyle')
  return time
}

const parseBytea = (text: string): Uint8Array => {
  const bytes = Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
  if (!text.startsWith('\\x') || bytes.length * 2 !== text.length - 2)
    throw unknownForm('bytea', 'bytea_output')
  return bytes
}

/*
 * PGlite and pg parse these types differently; here both parse them alike. int8 becomes a number
 * (counts and ids stay below 2^53), numeric stays text, date stays `yyyy-mm-dd`, bytea is a
 * Uint8Array. The forms are those of session-settings.ts: another form is an error, not a guess.
 */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.INT8, parseInt8],
  [types.NUMERIC, String],
  [types.DATE, parseDate],
  [types.TIMESTAMPTZ, parseTimestamp],
  [types.BYTEA, parseBytea],
])

/** The value of PGlite's `parsers` option. */
export const pgliteParsers: Record<number, (text: string) => unknown> = Object.fromEntries(parsers)

/** The value of pg's `types` option: these parsers first, then pg's own. */
export const pgTypes = (
  fallback: (oid: number, format?: 'text' | 'binary') => (value: never) => unknown,
) => ({
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? fallback(oid, format),
})
