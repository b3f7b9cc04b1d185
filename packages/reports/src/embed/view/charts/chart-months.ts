import type { Cell, VisualData } from '../../../contract/embed-contract.ts'
import { formatOf } from '../style/column-format.ts'
import { type ChartVisual, readSeries, seriesKinds } from './chart-series.ts'

/** Rows of a chart: twenty years. A wider range comes from a wrong date. */
const MOST_ROWS = 240

/**
 * Adds an empty row for each missing month between the first and the last, so that lines have gaps
 * and columns keep their distance. Returns the data unchanged unless it is a line or column chart
 * with one axis of ascending months, and when there would be more than `MOST_ROWS` rows.
 */
export function withEveryMonth(visual: ChartVisual, data: VisualData): VisualData {
  const { series, isHorizontal } = seriesKinds[visual.type]
  if (isHorizontal || (series !== 'line' && series !== 'bar')) return data
  const [category, ...others] = new Set(readSeries(visual, data).map((one) => one.category))
  if (category === undefined || others.length || formatOf(visual, data, category) !== 'mes') return data
  const columnIndex = data.columns.indexOf(category)
  const months = data.rows.map((row) => monthOf(row[columnIndex]))
  const rows: Cell[][] = []
  for (const [index, row] of data.rows.entries()) {
    const [month, before] = [months[index], months[index - 1]]
    if (month === undefined || (before !== undefined && month <= before)) return data
    // The first month has none before it.
    for (let missing = (before ?? month - 1) + 1; missing < month; missing++) {
      if (rows.length >= MOST_ROWS) return data
      rows.push(data.columns.map((_, column) => (column === columnIndex ? dateOf(missing) : null)))
    }
    rows.push(row)
  }
  return rows.length === data.rows.length ? data : { ...data, rows }
}

/** Returns the months since the year 0; undefined when the cell is no date. */
function monthOf(cell: Cell | undefined): number | undefined {
  const [, year, month] =
    (typeof cell === 'string' && /^(\d{4})-(\d{2})(?:-\d{2})?(?:[T ]|$)/.exec(cell)) || []
  return year === undefined ? undefined : Number(year) * 12 + Number(month) - 1
}

const dateOf = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
