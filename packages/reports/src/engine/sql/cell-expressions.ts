import { MOST_LETTERS } from '../../contract/wire-names.ts'

/**
 * Returns SQL that serialises a column: number, boolean, or text (dates as yyyy-mm-dd, instants as
 * ISO). `type` is DuckDB's.
 */
export function wireExpression(column: string, type: string): string {
  if (type === 'BOOLEAN' || type === 'VARCHAR' || type === 'DOUBLE') return column
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DECIMAL\b.*)$/.test(type))
    return `CAST(${column} AS DOUBLE)`
  if (type === 'TIMESTAMP WITH TIME ZONE') {
    return `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`
  }
  if (type.startsWith('TIMESTAMP')) return `strftime(CAST(${column} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S')`
  return `CAST(${column} AS VARCHAR)`
}

/** Characters of a row: long texts may repeat in each row, and no page shows more. */
const MOST_IN_ROW = 10_000

/** Serialises a column, cutting long texts; the limit depends on the number of columns. */
export function shownExpression(column: string, type: string, columns = 1): string {
  const sent = wireExpression(column, type)
  if (/^(BOOLEAN|FLOAT|DOUBLE|DECIMAL|DATE|TIME|U?(TINY|SMALL|BIG|HUGE)?INT)/.test(type)) return sent
  const most = Math.min(MOST_LETTERS, Math.floor(MOST_IN_ROW / columns))
  // `strlen` counts bytes: it is faster than `length`, and never smaller.
  return `CASE WHEN strlen(${sent}) > ${most} AND length(${sent}) > ${most}
    THEN left(${sent}, ${most}) || '…' ELSE ${sent} END`
}
