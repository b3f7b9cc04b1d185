import { notNumberText } from '@bi-manager/contract/number-text'
import { ownValue } from '@bi-manager/contract/own-value'
import {
  dayCell,
  type NumberStyle,
  type ReadCell,
  type TypedCell,
  timeCell,
} from '@bi-manager/contract/workbook'
import type { Cell, ColumnFormat } from '../contract/embed-contract.ts'
import { inFull, isNumeric } from '../embed/view/style/format.ts'

/**
 * Returns the reader of a column's cells: numbers with the format of the visual, in full where the
 * screen shortens them, days and instants as dates, everything else as text.
 */
export function cellReader(
  format: ColumnFormat | undefined,
  values: readonly Cell[],
  labels: Readonly<Record<string, string>>,
): ReadCell {
  const style = numberStyle(format, values)
  return (cell) => {
    if (cell === null || cell === '') return undefined
    if (typeof cell === 'boolean') return { isTrue: cell }
    // Spreadsheets store neither NaN nor infinity.
    if (typeof cell === 'number')
      return Number.isFinite(cell) ? { number: cell, style } : { text: notNumberText(cell) }
    if (Object.hasOwn(labels, cell)) return { text: ownValue(labels, cell) ?? cell }
    return (format === 'texto' ? undefined : dateCell(cell, format)) ?? { text: cell }
  }
}

function numberStyle(format: ColumnFormat | undefined, values: readonly Cell[]): NumberStyle {
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
      return values.every((value) => !isNumeric(value) || Number.isInteger(value)) ? 'whole' : 'twoDecimals'
  }
}

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?.*)?)?$/

/** Returns a month, a day or an instant as a date; undefined for other texts. */
function dateCell(text: string, format: ColumnFormat | undefined): TypedCell {
  const [whole, year, month, day, hour, minute, second = '0'] = DATE.exec(text) ?? []
  if (!whole) return undefined
  const date = { year: Number(year), month: Number(month), day: Number(day ?? 1) }
  if (format === 'mes' || !day) return dayCell(date, 'month')
  if (hour === undefined) return dayCell(date)
  return timeCell(date, Number(hour) * 3600 + Number(minute) * 60 + Number(second))
}
