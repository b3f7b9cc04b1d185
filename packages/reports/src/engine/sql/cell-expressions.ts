import type { Cell } from '../../wire/embed-contract.ts'
import { MAX_LETTERS } from '../../wire/wire-names.ts'
import { isExactType, isInstantType, kindOf } from '../data/columns/column-kind.ts'
import { digitsOf } from '../data/columns/exact-cells.ts'

/**
 * Returns SQL that serialises a column, as `ColumnKind` says. Integers and decimals that a double
 * may not hold stay as they are: database.ts writes their digits. `type` is DuckDB's.
 */
export const wireExpression = (column: string, type: string): string => {
  const kind = kindOf(type)
  if (kind === 'boolean' || kind === 'text' || type === 'DOUBLE' || isExactType(type)) return column
  if (kind === 'integer' || kind === 'number') return doubleOf(column, type)
  // The database is on the clock of the dataset: instants become its local time. DuckDB marks years
  // before 1: 0001-12-31 (BC) 20:53:32.
  if (kind === 'timestamp')
    return `replace(replace(CAST(CAST(${column} AS TIMESTAMP) AS VARCHAR), ' ', 'T'), 'T(BC)T', ' (BC)T')`
  return `CAST(${column} AS VARCHAR)`
}

/** The digits of a FLOAT are those of its text: 0.1, where a cast of its bits gives 0.10000000149. */
const doubleOf = (column: string, type: string): string =>
  `CAST(${type === 'FLOAT' ? `CAST(${column} AS VARCHAR)` : column} AS DOUBLE)`

/** Characters of the texts of a row: they may repeat in each row, and no page shows more. */
const MAX_IN_ROW = 10_000
/** Of a row of a file: memory holds 2,048 of them at once. */
export const MAX_IN_FILE_ROW = 40_000
/** Of each text, in however many columns: names that begin alike stay different. */
const MIN_LETTERS = 50

/** Whether values of the type are texts of any length. */
export const isLong = (type: string): boolean => ['text', 'other'].includes(kindOf(type))

/** Returns how many characters each text of a row may have. */
export const mostLetters = (texts: number, mostInRow = MAX_IN_ROW): number =>
  Math.min(MAX_LETTERS, Math.max(MIN_LETTERS, Math.floor(mostInRow / Math.max(texts, 1))))

/** Returns the texts that are cut: only they are longer than the most, by their '…'. */
export const cutTextsIn = (rows: Cell[][], types: string[], most: number): string[] => {
  const long = types.flatMap((type, index) => (isLong(type) ? [index] : []))
  return rows.flatMap((row) =>
    long.flatMap((index) => {
      const cell = row[index]
      // `length` counts UTF-16 units, of which a character has up to two.
      const isCut =
        typeof cell === 'string' && cell.length > most && cell.endsWith('…') && [...cell].length > most
      return isCut ? [cell] : []
    }),
  )
}

/** Serialises a column, cutting long texts; the limit depends on the number of columns of texts. */
export const shownExpression = (column: string, type: string, texts = 1, mostInRow = MAX_IN_ROW): string => {
  const sent = wireExpression(column, type)
  if (!isLong(type)) return sent
  const most = mostLetters(texts, mostInRow)
  // `strlen` counts bytes: it is faster than `length`, and never smaller.
  return `CASE WHEN strlen(${sent}) > ${most} AND length(${sent}) > ${most}
    THEN left(${sent}, ${most}) || '…' ELSE ${sent} END`
}

/**
 * Returns SQL that tells whether a column has the value that a caller sends back as `$parameter`, in
 * the text of `sentBackText`. It equals a value of the column exactly or none: the column may have
 * had another type when the caller got it.
 */
export const sentBack = (column: string, type: string, parameter: string): string => {
  const key = `$${parameter}`
  return `CASE WHEN ${key} IS NULL THEN ${column} IS NULL ELSE coalesce(${isKey(column, type, key)}, false) END`
}

const isKey = (column: string, type: string, key: string): string => {
  const kind = kindOf(type)
  if (kind === 'boolean') return `CAST(${column} AS VARCHAR) = ${key}`
  // A cast rounds to the type: 2.5 is no integer.
  if (kind === 'integer')
    return `regexp_full_match(${key}, '-?[0-9]+') AND ${column} = TRY_CAST(${key} AS ${type})`
  const [, scale] = /^DECIMAL\(\d+,(\d+)\)$/.exec(type) ?? []
  if (scale !== undefined)
    return `regexp_full_match(${key}, '-?[0-9]+([.][0-9]{0,${scale}}0*)?') AND ${column} = TRY_CAST(${key} AS ${type})`
  // Earlier versions sent the bits of a FLOAT.
  if (kind === 'number')
    return `TRY_CAST(${key} AS DOUBLE) IN (${doubleOf(column, type)}, CAST(${column} AS DOUBLE))`
  // Earlier versions sent instants in UTC, cut to milliseconds. Answers write a day without midnight
  // as others: the cast of that midnight is the first instant of the day.
  if (isInstantType(type))
    return `CASE WHEN ends_with(${key}, 'Z')
      THEN date_trunc('millisecond', ${column}) = TRY_CAST(${key} AS TIMESTAMPTZ)
      ELSE ${wireExpression(column, type)} = ${key} OR ${column} = TRY_CAST(${key} AS TIMESTAMPTZ) END`
  if (kind === 'timestamp' || kind === 'date')
    return `CAST(${column} AS TIMESTAMP) = TRY_CAST(${key} AS TIMESTAMP)`
  return `${shownExpression(column, type)} = ${key}`
}

/**
 * Returns a sent-back value as `sentBack` compares it. A JSON number beyond ±(2^53 − 1) has lost
 * digits: with its exponent it is a double, and neither an integer nor a decimal.
 */
export const sentBackText = (value: string | number | boolean | null): string | null => {
  if (typeof value !== 'number') return value === null ? null : String(value)
  return digitsOf(value) ?? value.toExponential()
}
