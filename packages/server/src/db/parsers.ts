import { types } from '@electric-sql/pglite'

/*
 * PGlite and pg differ in what they make of these types; both are told the same here. int8 becomes a number (our counts
 * and ids stay far below 2^53), numeric stays text, date stays `yyyy-mm-dd`, bytea is a Uint8Array.
 */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.INT8, Number],
  [types.NUMERIC, String],
  [types.DATE, String],
  [types.TIMESTAMPTZ, (text) => new Date(text)],
  [types.BYTEA, (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))],
])

/** For PGlite's `parsers` option. */
export const pgliteParsers: Record<number, (text: string) => unknown> = Object.fromEntries(parsers)

/** For pg's `types` option: ours first, pg's own for the rest. */
export const pgTypes = (
  fallback: (oid: number, format?: 'text' | 'binary') => (value: never) => unknown,
) => ({
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? fallback(oid, format),
})
