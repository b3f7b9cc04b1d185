import { ownValue } from '@bi-manager/contract/own-value'
import type {
  Cell,
  ColumnFormat,
  ColumnKind,
  EmbeddedVisual,
  VisualData,
} from '../../../wire/embed-contract.ts'
import { LEVEL_COLUMN } from '../../../wire/wire-names.ts'

/**
 * How the cells of a column are written. Texts, and digits that are no number, are 'texto': no cell is
 * read as a date or a number by its looks.
 */
export type ShownFormat = ColumnFormat | 'dataHora' | 'dataHoraSegundos'

/** Returns how a column is written: as the author says where its kind allows it, else as its kind. */
export const columnFormat = (
  kind: ColumnKind | undefined,
  format: ColumnFormat | undefined,
  cells: () => readonly (Cell | undefined)[] = () => [],
): ShownFormat | undefined => {
  switch (kind) {
    case 'date':
      return format === 'mes' || format === 'texto' ? format : 'data'
    case 'timestamp':
      return format === 'mes' || format === 'texto' || format === 'data' ? format : precisionOf(cells())
    case 'time':
    case 'text':
    case 'other':
      // An author may declare that a text is a date, such as 2026-03.
      return format === 'mes' || format === 'data' ? format : 'texto'
    default:
      return format
  }
}

/** Returns how a column of an answer is written. */
export const formatOf = (
  { format }: Pick<EmbeddedVisual, 'format'>,
  data: VisualData,
  column: string,
): ShownFormat | undefined => {
  const known = formatsOfData.get(data) ?? new Map<string, ShownFormat | undefined>()
  formatsOfData.set(data, known)
  const declared = ownValue(format, column)
  const key = JSON.stringify([column, declared])
  if (!known.has(key)) {
    const index = data.columns.indexOf(column)
    const cells = () => data.rows.map((row) => row[index])
    known.set(key, columnFormat(data.kinds[index], declared, cells))
  }
  return known.get(key)
}

/** Returns how a value of a level of the visual's hierarchy is written. */
export const levelFormat = (
  { format, drill }: Pick<EmbeddedVisual, 'format' | 'drill'>,
  level: number,
  value: Cell,
): ShownFormat | undefined =>
  columnFormat(drill?.levels[level]?.kind, ownValue(format, LEVEL_COLUMN), () => [value])

/** The format of a column of instants depends on all its cells, so it is computed once. */
const formatsOfData = new WeakMap<VisualData, Map<string, ShownFormat | undefined>>()

/** Days without a time of day are written as days; seconds are written where some are not zero. */
const precisionOf = (cells: readonly (Cell | undefined)[]): ShownFormat => {
  const times = cells.flatMap((cell) => (typeof cell === 'string' ? [cell.slice(11)] : []))
  if (times.every((time) => /^(00:00:00)?$/.test(time))) return 'data'
  return times.every((time) => /^(..:..:00)?$/.test(time)) ? 'dataHora' : 'dataHoraSegundos'
}

/** Returns whether a cell is a number that can be drawn or compared: not NaN, not infinite. */
export const isNumeric = (value: Cell | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/** Returns whether a cell is NaN or infinite, such as the result of a division by zero. */
export const isNotNumber = (value: Cell | undefined): value is number =>
  typeof value === 'number' && !Number.isFinite(value)

export const isNumberKind = (kind: ColumnKind | undefined): boolean => kind === 'integer' || kind === 'number'

/** Whether a column has numbers. */
export const hasNumbers = ({ kinds, rows }: VisualData, index: number): boolean =>
  isNumberKind(kinds[index]) && rows.some((row) => row[index] != null)

/**
 * Returns a cell of a column of numbers as a number, to draw or to compare roughly. Undefined for a
 * blank, and for NaN and infinity, which have no place on an axis.
 */
export const numberOf = (cell: Cell | undefined): number | undefined => {
  const number = typeof cell === 'string' && cell !== '' ? Number(cell) : cell
  return isNumeric(number) ? number : undefined
}

/**
 * Returns the cell that a chart draws: a double, or a gap, which is NaN for infinity too. Names and
 * labels have the cell itself.
 */
export const drawnCell = (cell: Cell, kind: ColumnKind | undefined): Cell =>
  isNumberKind(kind) && cell !== null ? (numberOf(cell) ?? Number.NaN) : cell

/** Returns the numbers of a column as doubles; none when it has no numbers. */
export const numbersIn = (data: VisualData, index: number): number[] => {
  if (!isNumberKind(data.kinds[index])) return []
  return data.rows.map((row) => numberOf(row[index])).filter((number) => number !== undefined)
}

/** Compares two cells of columns of numbers, digit by digit where doubles are equal. NaN comes last. */
export const compareNumbers = (one: number | string, other: number | string): number => {
  const [first, second] = [Number(one), Number(other)]
  if (Number.isNaN(first) || Number.isNaN(second))
    return Number(Number.isNaN(first)) - Number(Number.isNaN(second))
  if (first !== second) return first < second ? -1 : 1
  if (typeof one === 'number' && typeof other === 'number') return 0
  const texts = [one, other].map((value) => (typeof value === 'number' ? plain.format(value) : value))
  const scale = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const [a = 0n, b = 0n] = texts.map((text) => unitsOf(text, scale))
  return Number(a > b) - Number(a < b)
}

const plain = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 40 })

/** Returns a number in units of its last of `scale` decimal places. */
const unitsOf = (digits: string, scale: number): bigint => {
  const [whole = '', decimals = ''] = digits.split('.')
  return BigInt(whole + decimals.padEnd(scale, '0'))
}
