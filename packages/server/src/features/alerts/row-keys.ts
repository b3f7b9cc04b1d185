import type { AlertCell, AlertRow } from '@bi-manager/contract'
import { isNumberKind } from '../../bi/publishing/report-data-api.ts'

/** A part of the key of a row: the place of its column in the answer, and the kept value. */
export interface KeyPart {
  at: number
  value: AlertCell
}

export const keyParts = (row: AlertRow | null, columns: readonly string[]): KeyPart[] =>
  Object.entries(row ?? {}).map(([column, value]) => ({ at: columns.indexOf(column), value }))

/**
 * Returns the rows that have the key. A key of an earlier version counts where no row has it as it
 * is: instants were in UTC, moments had no fraction of a second, and numbers were rounded.
 * @param timeZone the clock of the dataset, on which instants are written
 */
export function rowsWithKey(
  rows: readonly AlertCell[][],
  key: readonly KeyPart[],
  kinds: readonly string[],
  timeZone: string,
): AlertCell[][] {
  const found = rows.filter((row) => key.every(({ at, value }) => row[at] === value))
  if (found.length > 0) return found
  const older = key.map(({ at, value }) => ({
    at,
    value: isInUtc(value) ? localTime(value, timeZone) : value,
  }))
  return rows.filter((row) => older.every(({ at, value }) => isOlder(row[at] ?? null, value, kinds[at])))
}

function isOlder(cell: AlertCell, value: AlertCell, kind: string | undefined): boolean {
  if (cell === value) return true
  if (typeof cell !== 'string') return false
  if (typeof value === 'number') return isNumberKind(kind) && Number(cell) === value
  return kind === 'timestamp' && typeof value === 'string' && withoutFraction(cell) === withoutFraction(value)
}

const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Whether a value is an instant as earlier versions wrote it. */
export const isInUtc = (value: AlertCell): value is string => typeof value === 'string' && IN_UTC.test(value)

const withoutFraction = (text: string): string => text.replace(/\.\d+$/, '')

/** Returns an instant in UTC as the report service writes it. */
const localTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(Date.parse(instant))
    .replace(' ', 'T')
