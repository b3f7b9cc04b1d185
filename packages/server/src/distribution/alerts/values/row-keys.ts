import { type AlertCell, type AlertRow, isNumberText } from '@bi-manager/contract'
import { isNumberKind } from '../../../reports/index.ts'

/** A part of the key of a row: its column, the place of the column in the answer, and the kept value. */
interface KeyPart {
  column: string
  at: number
  value: AlertCell
}

export const keyParts = (row: AlertRow | null, columns: readonly string[]): KeyPart[] =>
  Object.entries(row ?? {}).map(([column, value]) => ({ column, at: columns.indexOf(column), value }))

/**
 * Returns the rows that have the key, exactly under the present types of its columns. A key of an
 * earlier version counts where no row has it as it is: instants were in UTC, moments had no fraction
 * of a second, and numbers were rounded.
 * @param timeZone the clock of the dataset, on which instants are written
 */
export function rowsWithKey(
  rows: readonly AlertCell[][],
  key: readonly KeyPart[],
  kinds: readonly string[],
  timeZone: string,
): AlertCell[][] {
  const found = rows.filter((row) => key.every(({ at, value }) => isSame(row[at] ?? null, value, kinds[at])))
  if (found.length > 0) return found
  return rows.filter((row) =>
    key.every(({ at, value }) => isOlder(row[at] ?? null, value, { kind: kinds[at], timeZone })),
  )
}

/** Whether a value is the same under the type of the column, which may have been another one. */
const isSame = (cell: AlertCell, value: AlertCell, kind: string | undefined): boolean =>
  cell === value ||
  (cell !== null &&
    value !== null &&
    formOf(cell, kind) !== undefined &&
    formOf(cell, kind) === formOf(value, kind))

/** Returns the one text of a value among those of a type; undefined for one that the type does not have. */
function formOf(value: AlertCell, kind: string | undefined): string | undefined {
  const text = String(value)
  if (typeof value === 'boolean') return kind === 'boolean' ? text : undefined
  if (isNumberKind(kind)) return isNumberText(text) ? withoutZeros(text) : undefined
  if (kind === 'date' || kind === 'timestamp')
    return DAY.test(text) ? text.replace(/T00:00:00$/, '') : undefined
  return kind === 'boolean' ? undefined : text
}

const DAY = /^\d{4}-\d\d-\d\d(T|$)/

/** '2.50' and '2.5' are one number. */
const withoutZeros = (digits: string): string =>
  digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits

/** Returns the column of a part of the key that no value of the column's present type can equal. */
export const columnOfOtherType = (key: readonly KeyPart[], kinds: readonly string[]): string | undefined =>
  key.find(
    ({ at, value }) => value !== null && kinds[at] !== undefined && formOf(value, kinds[at]) === undefined,
  )?.column

interface KeyColumn {
  kind: string | undefined
  timeZone: string
}

function isOlder(cell: AlertCell, value: AlertCell, { kind, timeZone }: KeyColumn): boolean {
  if (cell === value) return true
  if (typeof cell !== 'string') return false
  if (typeof value === 'number') return isNumberKind(kind) && Number(cell) === value
  if (kind !== 'timestamp' || typeof value !== 'string') return false
  const [, fraction = ''] = IN_UTC.exec(value) ?? []
  // A moment with a fraction is of this version, which writes all its digits.
  return withFractionOf(cell, fraction) === (isInUtc(value) ? localTime(value, timeZone) + fraction : value)
}

const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const isInUtc = (value: AlertCell): value is string => typeof value === 'string' && IN_UTC.test(value)

/**
 * Whether a value of a key is an instant as earlier versions wrote it. A text may look the same; an
 * older report service says no kinds.
 */
export const isInstantInUtc = (value: AlertCell, kind: string | undefined): boolean =>
  isInUtc(value) && (kind === undefined || kind === 'timestamp' || kind === 'date')

/** Cuts the fraction of a moment to the digits of another one, such as '.250'. */
const withFractionOf = (moment: string, fraction: string): string => {
  const [seconds = '', own = ''] = moment.split('.')
  const digits = fraction.length - 1
  return digits > 0 ? `${seconds}.${own.padEnd(digits, '0').slice(0, digits)}` : seconds
}

/** Returns an instant in UTC as the report service writes it, without a fraction. */
const localTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(Date.parse(instant))
    .replace(' ', 'T')
