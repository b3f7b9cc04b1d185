import { types } from '@electric-sql/pglite'

/*
 * PGlite and pg parse these types differently; here both parse them alike. int8 becomes a number
 * (counts and ids stay below 2^53), numeric stays text, date stays `yyyy-mm-dd`, bytea is a
 * Uint8Array.
 */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.INT8, Number],
  [types.NUMERIC, String],
  [types.DATE, String],
  [types.TIMESTAMPTZ, (text) => new Date(text)],
  [types.BYTEA, (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))],
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
