import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { formatLabel } from '../style/format.ts'
import { textWidth } from '../style/text-width.ts'
import type { Series } from './chart-series.ts'

/** The room of a bar, as in the chart's plan. */
interface BarRoom {
  horizontal: boolean
  thick: number
  unit: number
}

export const insideSize = (text: number) => Math.round(10.5 * text)

/** Returns whether the number of one part fits inside its bar. */
export const fitsInside = (cell: Cell, one: Series, { horizontal, thick, unit }: BarRoom, text: number) => {
  const size = insideSize(text)
  const long = Math.abs(Number(cell)) * unit
  const [along, across] = [textWidth(formatLabel(cell, one.format), size, 500) + 8, size * 1.7]
  return horizontal ? long > along && thick > across : long > across && thick > along - 6
}

/** Returns whether most numbers fit: numbers in only a few parts would look like a selection. */
export const mostFitInside = (
  stackedSeries: Series[],
  { columns, rows }: VisualData,
  bars: BarRoom,
  text: number,
) => {
  const parts = stackedSeries.flatMap((one) =>
    rows.map((row) => ({ one, cell: row[columns.indexOf(one.value)] ?? null })),
  )
  const drawn = parts.filter(({ cell }) => Number(cell))
  const fitting = drawn.filter(({ one, cell }) => fitsInside(cell, one, bars, text))
  return fitting.length >= drawn.length * MOST
}

const MOST = 0.6
