import type { Cell, ColumnFormat } from '../contract/embed-contract.ts'
import { inFull } from '../embed/view/style/format.ts'
import type { NumberStyle } from './styles.ts'

/** A cell as the file stores it. Nothing here can become a formula. */
export type TypedCell =
  | { text: string }
  | { number: number; style: NumberStyle }
  | { isTrue: boolean }
  | undefined

export type ReadCell = (cell: Cell) => TypedCell

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
    if (typeof cell === 'number') return { number: cell, style }
    if (Object.hasOwn(labels, cell)) return { text: labels[cell] ?? cell }
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
      return values.every((value) => typeof value !== 'number' || Number.isInteger(value))
        ? 'whole'
        : 'twoDecimals'
  }
}

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?.*)?)?$/

/** Returns a month, a day or an instant as a date; undefined for other texts. */
function dateCell(text: string, format: ColumnFormat | undefined): TypedCell {
  const [whole, year, month, day, hour, minute, second = '0'] = DATE.exec(text) ?? []
  if (!whole) return undefined
  const days = serialDay(Number(year), Number(month), Number(day ?? 1))
  if (days === undefined) return undefined
  if (format === 'mes' || !day) return { number: days, style: 'month' }
  if (hour === undefined) return { number: days, style: 'day' }
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  return { number: days + seconds / DAY_SECONDS, style: 'instant' }
}

const DAY_SECONDS = 86_400
/** The serial number of 1 January 1970. */
const EPOCH = 25_569
/** 1 March 1900: before it, spreadsheets count a day that never was. */
const FIRST_DAY = 61

/** Returns the serial number of a day; undefined for one that does not exist. */
function serialDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const serial = date.getTime() / (DAY_SECONDS * 1000) + EPOCH
  return serial >= FIRST_DAY ? serial : undefined
}

/** Returns an instant as a date of Brasília's clock. */
export function instantCell(milliseconds: number): TypedCell {
  const parts = clock.formatToParts(milliseconds)
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? ''
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return dateCell(`${day}T${part('hour')}:${part('minute')}:${part('second')}`, undefined)
}

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
