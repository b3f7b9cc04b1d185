import type { Cell, VisualData } from '../../../contract/embed-contract.ts'
import { type ChartVisual, readSeries, seriesKinds } from './chart-series.ts'

/** Twenty years; a wider range comes from a wrong date. */
const MOST_MONTHS = 240

/**
 * Adds an empty row for each missing month between the first and the last, so that lines have gaps
 * and columns keep their distance. Returns the data unchanged unless the axis is ascending months.
 */
export function withEveryMonth(visual: ChartVisual, data: VisualData): VisualData {
  const { series, isHorizontal } = seriesKinds[visual.type]
  if (isHorizontal || (series !== 'line' && series !== 'bar')) return data
  const [category, ...others] = new Set(readSeries(visual, data).map((one) => one.category))
  if (category === undefined || others.length || visual.format[category] !== 'mes') return data
  const columnIndex = data.columns.indexOf(category)
  const months = data.rows.map((row) => monthOf(row[columnIndex]))
  const rows: Cell[][] = []
  for (const [index, row] of data.rows.entries()) {
    const [month, before] = [months[index], months[index - 1]]
    if (month === undefined || (before !== undefined && month <= before)) return data
    for (let missing = (before ?? month - 1) + 1; missing < month; missing++) {
      if (rows.length >= MOST_MONTHS) return data
      rows.push(data.columns.map((_, column) => (column === columnIndex ? dateOf(missing) : null)))
    }
    rows.push(row)
  }
  return rows.length === data.rows.length ? data : { ...data, rows }
}

/** Months since the year 0. */
function monthOf(cell: Cell | undefined): number | undefined {
  const [, year, month] =
    (typeof cell === 'string' && /^(\d{4})-(\d{2})(?:-\d{2})?(?:[T ]|$)/.exec(cell)) || []
  return year === undefined ? undefined : Number(year) * 12 + Number(month) - 1
}

const dateOf = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
