import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf } from '../style/column-format.ts'
import { type ChartVisual, readSeries, seriesKinds } from './chart-series.ts'

/** Rows of a chart: twenty years of months, ten of days. A wider range comes from a wrong date. */
const MAX_MONTHS = 240
const MAX_DAYS = 3_660
/** Dates from which a longer step, such as a week, is not a coincidence. */
const REGULAR = 4
/** Days: a shorter step is that of daily data with gaps. */
const WEEK = 7
const DAY_MS = 86_400_000

interface Axis {
  column: number
  /** The months since the year 0, or the days since 1970, of each row; null for a blank at the end. */
  places: (number | null)[]
  /** How many months or days there are from one row to the next, where none is missing. */
  step: number
  most: number
  dateAt(place: number): string
}

/**
 * Adds an empty row for each missing date between the first and the last, so that lines have gaps
 * and distances on the axis are those in time. Rows are days, months, or regular periods of them,
 * such as weeks. Returns the data unchanged unless it is a line or column chart with one axis of
 * ascending dates. `isUneven`: too many dates are missing, so that distances are not those in time.
 */
export const withEveryDate = (
  visual: ChartVisual,
  data: VisualData,
): { data: VisualData; isUneven: boolean } => {
  const axis = dateAxis(visual, data)
  if (!axis) return { data, isUneven: false }
  const rows: Cell[][] = []
  for (const [index, row] of data.rows.entries()) {
    const [place = null, before = null] = [axis.places[index], axis.places[index - 1]]
    if (place !== null && before !== null) {
      for (let missing = before + axis.step; missing < place; missing += axis.step) {
        if (rows.length >= axis.most) return { data, isUneven: true }
        rows.push(data.columns.map((_, column) => (column === axis.column ? axis.dateAt(missing) : null)))
      }
    }
    rows.push(row)
  }
  return { data: rows.length === data.rows.length ? data : { ...data, rows }, isUneven: false }
}

const dateAxis = (visual: ChartVisual, data: VisualData): Axis | undefined => {
  const { series, isHorizontal } = seriesKinds[visual.type]
  if (isHorizontal || (series !== 'line' && series !== 'bar')) return undefined
  const [category, ...others] = new Set(readSeries(visual, data).map((one) => one.category))
  if (category === undefined || others.length) return undefined
  const column = data.columns.indexOf(category)
  const cells = data.rows.map((row) => row[column] ?? null)
  // Blanks are sorted last.
  const last = cells.findLastIndex((cell) => cell !== null)
  const format = formatOf(visual, data, category)
  if (format !== 'data' && format !== 'mes') return undefined
  const isMonth = format === 'mes'
  const dates = cells.slice(0, last + 1).map((cell) => dateOf(cell))
  if (!dates.every((date) => date !== undefined)) return undefined
  const isMonthly =
    isMonth || dates.every(({ day }) => !day) || (dates.length > 2 && dates.every(({ day }) => day === 1))
  const places = dates.map(({ year, month, day }) =>
    isMonthly ? year * 12 + month - 1 : utc(year, month, day || 1) / DAY_MS,
  )
  const steps = places.slice(1).map((place, index) => place - (places[index] ?? place))
  if (steps.length === 0 || steps.some((step) => step <= 0)) return undefined
  const regular = isMonth || places.length < REGULAR ? 1 : steps.reduce(greatestDivisor)
  return {
    column,
    places: cells.map((_, index) => places[index] ?? null),
    step: isMonthly || regular >= WEEK ? regular : 1,
    most: isMonthly ? MAX_MONTHS : MAX_DAYS,
    dateAt: isMonthly
      ? (month) =>
          `${padded(Math.floor(month / 12), 4)}-${padded((month % 12) + 1, 2)}${dates[0]?.day ? '-01' : ''}`
      : (day) => new Date(day * DAY_MS).toISOString().slice(0, 10),
  }
}

const padded = (number: number, digits: number) => String(number).padStart(digits, '0')

/** `Date.UTC` takes years below 100 as those of the last century. */
const utc = (year: number, month: number, day: number) => new Date(0).setUTCFullYear(year, month - 1, day)

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other)

/** Any instant of a day, or a month, whose `day` is 0. */
const dateOf = (cell: Cell) => {
  const match = typeof cell === 'string' ? /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ].*)?)?$/.exec(cell) : null
  if (!match) return undefined
  const [, year, month, day] = match
  return { year: Number(year), month: Number(month), day: Number(day ?? 0) }
}
