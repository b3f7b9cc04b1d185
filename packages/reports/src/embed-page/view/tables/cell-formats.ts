import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, ColumnKind, EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { isNumberKind, numberOf } from '../style/column-format.ts'
import { type ConditionalFormat, createToneMark, type Tone, toneOf } from '../style/conditional-formats.ts'

/** Conditional formatting of a cell. `from`, `to`: shares of its width; strength: 0 to 1. */
type CellFormat =
  | { kind: 'tone'; tone: Tone }
  | { kind: 'bar'; from: number; to: number; below: boolean }
  | { kind: 'shade'; strength: number }

export type CellFormatter = (value: Cell | undefined) => CellFormat | undefined

/** Returns the formatting of one column. `cells` are the values to compare, without totals. */
export const readCellFormat = (
  { conditional }: EmbeddedVisual,
  column: string,
  kind: ColumnKind | undefined,
  cells: () => (Cell | undefined)[],
): CellFormatter => {
  const format = ownValue(conditional, column)
  return format ? createCellFormatter(format, kind, cells) : () => undefined
}

export const createCellFormatter = (
  format: ConditionalFormat,
  kind: ColumnKind | undefined,
  cells: () => (Cell | undefined)[],
): CellFormatter => {
  if (format.kind === 'rules')
    return (value) => {
      const tone = toneOf(format, value, kind)
      return tone && { kind: 'tone', tone }
    }
  // Only numbers are compared by size.
  if (!isNumberKind(kind)) return () => undefined
  const numbers = cells()
    .map(numberOf)
    .filter((number) => number !== undefined)
  const formatted = format.kind === 'bar' ? bars(numbers) : shades(numbers)
  return (value) => formatted(numberOf(value))
}

type NumberFormatter = (value: number | undefined) => CellFormat | undefined

/** Formats a cell that already contains its text. The mark of a tone precedes the text. */
export const applyCellFormat = (cell: HTMLElement, look: CellFormat | undefined) => {
  if (!look) return
  if (look.kind === 'tone') {
    cell.classList.add('toned', `in-${look.tone}`)
    cell.prepend(createToneMark(look.tone))
  } else if (look.kind === 'bar') {
    cell.classList.add('barred', ...(look.below ? ['below'] : []))
    cell.style.setProperty('--from', look.from.toFixed(3))
    cell.style.setProperty('--to', look.to.toFixed(3))
  } else {
    cell.classList.add('shaded')
    cell.style.setProperty('--strength', look.strength.toFixed(3))
  }
}

/** Bars start at zero, which is at the left edge unless there are negative numbers. */
const bars = (numbers: number[]): NumberFormatter => {
  const low = numbers.reduce((least, value) => Math.min(least, value), 0)
  const high = numbers.reduce((most, value) => Math.max(most, value), 0)
  const shareAlong = (value: number) => within((value - low) / (high - low))
  return (value) => {
    if (value === undefined || high === low) return undefined
    const [from, to] = [shareAlong(Math.min(value, 0)), shareAlong(Math.max(value, 0))]
    return { kind: 'bar', from, to, below: value < 0 }
  }
}

const shades = (numbers: number[]): NumberFormatter => {
  const low = numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const high = numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  return (value) =>
    value !== undefined && high > low
      ? { kind: 'shade', strength: within((value - low) / (high - low)) }
      : undefined
}

const within = (share: number) => Math.min(Math.max(share, 0), 1)
