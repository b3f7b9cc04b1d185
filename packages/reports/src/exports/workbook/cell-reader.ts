import { notNumberText } from '@bi-manager/contract/number-text'
import { ownValue } from '@bi-manager/contract/own-value'
import {
  columnFormat,
  isNotNumber,
  isNumberKind,
  type ShownFormat,
} from '../../embed-page/view/style/column-format.ts'
import { inFull } from '../../embed-page/view/style/format.ts'
import type { Cell, ColumnFormat, ColumnKind } from '../../wire/embed-contract.ts'
import type { NumberStyle } from './format/styles.ts'
import { clockCell, dayCell, type ReadCell, type TypedCell, timeCell } from './format/typed-cell.ts'

/**
 * Returns the reader of a column's cells: numbers with the format of the visual, in full where the
 * screen shortens them, days, instants and times of day as such, everything else as text.
 */
export const cellReader = (
  { kind, format }: { kind: ColumnKind | undefined; format: ColumnFormat | undefined },
  values: readonly Cell[],
  labels: Readonly<Record<string, string>>,
): ReadCell => {
  const style = numberStyle(format, values)
  const shown = columnFormat(kind, format, () => values)
  return (cell) => {
    if (cell === null || cell === '') return undefined
    if (typeof cell === 'boolean') return { isTrue: cell }
    if (typeof cell === 'number' || isNumberKind(kind)) return numberCell(cell, kind, style)
    if (Object.hasOwn(labels, cell)) return { text: ownValue(labels, cell) ?? cell }
    if (kind === 'time') return clockOf(cell) ?? { text: cell }
    return dateCell(cell, shown) ?? { text: cell }
  }
}

/** Digits that a spreadsheet shows; it writes zeros for the others. */
const SHEET_DIGITS = 15
/** Decimals that are worth keeping: those of money. */
const CENTS = 2

/** Returns a number; one whose digits a spreadsheet would lose is a text with all of them. */
const numberCell = (cell: number | string, kind: ColumnKind | undefined, style: NumberStyle): TypedCell => {
  // Spreadsheets store neither NaN nor infinity.
  if (isNotNumber(cell)) return { text: notNumberText(cell) }
  if (kind === 'integer' && Math.abs(Number(cell)) >= 10 ** SHEET_DIGITS) return { text: String(cell) }
  if (typeof cell === 'number') return { number: cell, style }
  // A product has many decimals: those beyond the digits of a spreadsheet do not matter to its sums.
  if (Math.abs(Number(cell)) < 10 ** (SHEET_DIGITS - CENTS)) return { number: Number(cell), style }
  return { text: cell.replace('.', ',') }
}

const numberStyle = (format: ColumnFormat | undefined, values: readonly Cell[]): NumberStyle => {
  switch (inFull(format)) {
    case 'texto':
      return 'general'
    case 'inteiro':
      return 'whole'
    case 'decimal':
      return 'decimal'
    case 'decimal2':
      return 'twoDecimals'
    case 'decimal1':
      return 'oneDecimal'
    case 'moeda':
      return 'money'
    case 'moedaInteira':
      return 'wholeMoney'
    case 'percentual':
      return 'percent'
    default:
      return values.every((value) => value === null || isNotNumber(value) || Number.isInteger(Number(value)))
        ? 'whole'
        : 'twoDecimals'
  }
}

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?.*)?)?$/
const CLOCK = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?$/

/** Returns a month, a day or an instant as a date; undefined for other texts. */
const dateCell = (text: string, format: ShownFormat | undefined): TypedCell => {
  if (format === 'texto' || format === undefined) return undefined
  const [whole, year, month, day, hour, minute, second = '0'] = DATE.exec(text) ?? []
  if (!whole) return undefined
  const date = { year: Number(year), month: Number(month), day: Number(day ?? 1) }
  const isMonth = format === 'mes' || !day
  if (hour === undefined) return dayCell(date, isMonth ? 'month' : 'day')
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  if (isMonth) return timeCell(date, seconds, 'month')
  if (format === 'data') return timeCell(date, seconds, 'day')
  return timeCell(date, seconds, format === 'dataHoraSegundos' ? 'instantWithSeconds' : 'instant')
}

const clockOf = (text: string): TypedCell => {
  const [whole, hour, minute, second] = CLOCK.exec(text) ?? []
  return whole ? clockCell(Number(hour) * 3600 + Number(minute) * 60 + Number(second)) : undefined
}
