import { MOST_LETTERS } from '../../contract/wire-names.ts'
import { isExactType, isInstantType, kindOf } from '../data/column-kind.ts'

/**
 * Returns SQL that serialises a column, as `ColumnKind` says. Integers and decimals that a double
 * may not hold stay as they are: database.ts writes their digits. `type` is DuckDB's.
 */
export function wireExpression(column: string, type: string): string {
  const kind = kindOf(type)
  if (kind === 'boolean' || kind === 'text' || type === 'DOUBLE' || isExactType(type)) return column
  if (kind === 'integer' || kind === 'number') return `CAST(${column} AS DOUBLE)`
  // The database is on the clock of the dataset: instants become its local time. DuckDB marks years
  // before 1: 0001-12-31 (BC) 20:53:32.
  if (kind === 'timestamp')
    return `replace(replace(CAST(CAST(${column} AS TIMESTAMP) AS VARCHAR), ' ', 'T'), 'T(BC)T', ' (BC)T')`
  return `CAST(${column} AS VARCHAR)`
}

/** Characters of a row: long texts may repeat in each row, and no page shows more. */
const MOST_IN_ROW = 10_000

/** Serialises a column, cutting long texts; the limit depends on the number of columns. */
export function shownExpression(column: string, type: string, columns = 1): string {
  const sent = wireExpression(column, type)
  const kind = kindOf(type)
  if (kind !== 'text' && kind !== 'other') return sent
  const most = Math.min(MOST_LETTERS, Math.floor(MOST_IN_ROW / columns))
  // `strlen` counts bytes: it is faster than `length`, and never smaller.
  return `CASE WHEN strlen(${sent}) > ${most} AND length(${sent}) > ${most}
    THEN left(${sent}, ${most}) || '…' ELSE ${sent} END`
}

/** Returns SQL that tells whether a column has the value that a caller sends back as `$parameter`. */
export function sentBack(column: string, type: string, parameter: string): string {
  const isSame = `${shownExpression(column, type)} IS NOT DISTINCT FROM $${parameter}`
  // Earlier versions sent instants in UTC, cut to milliseconds. Answers write a day without midnight
  // as others: the cast of that midnight is the first instant of the day.
  if (isInstantType(type))
    return `CASE WHEN ends_with($${parameter}, 'Z')
      THEN date_trunc('millisecond', ${column}) = TRY_CAST($${parameter} AS TIMESTAMPTZ)
      ELSE ${isSame} OR coalesce(${column} = TRY_CAST($${parameter} AS TIMESTAMPTZ), false) END`
  if (!isExactType(type)) return isSame
  // Digits are compared as digits; a text that is no number of the type equals none.
  return `CASE WHEN $${parameter} IS NULL THEN ${column} IS NULL
    ELSE ${column} = TRY_CAST($${parameter} AS ${type}) END`
}
