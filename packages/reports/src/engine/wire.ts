import type { Cell } from '../embed-contract.ts'
import type { Rows } from './database.ts'

/** How a column travels: number, boolean, or text (dates as yyyy-mm-dd, instants as ISO). `type` is DuckDB's. */
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

/** Rows of such columns. JSON has no infinity and no NaN: they travel as null. */
export function toCells(rows: Rows): Cell[][] {
  return rows.map((row) => row.map((value) => (isCell(value) ? value : null)))
}

const isCell = (value: unknown): value is Cell =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))
