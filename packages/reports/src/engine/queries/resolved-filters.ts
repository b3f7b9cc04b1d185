import type { Target } from '../../definitions/definition.ts'
import { calendarUnits, filterTypes, timeUnits } from '../../definitions/filter-operators.ts'
import type { AdvancedFilter, RelativeFilter, VisualFilter } from '../../definitions/wire-filters.ts'
import { type Dataset, findColumn } from '../data/catalog.ts'
import { isInstantType } from '../data/columns/column-kind.ts'
import { FilterError, isPoints, type ResolvedFilter, targetsOf } from './filters.ts'
import { startOfDay, wallClock, wallText } from './wall-clock.ts'

/**
 * Replaces relative filters by the period that they mean at `now` (milliseconds since the epoch),
 * and instants in UTC by their local time: both on the clock of the dataset.
 * @throws FilterError when the column has no dates
 */
export const resolveFilter = (dataset: Dataset, filter: VisualFilter, now: number): ResolvedFilter => {
  const { timeZone } = dataset.definition
  if (!('timeUnitType' in filter)) return withLocalTimes(dataset, filter)
  const { table, column } = filter.target
  const kind = findColumn(dataset, filter.target)?.column.kind
  if (kind && kind !== 'date' && kind !== 'timestamp')
    throw new FilterError(`um período só vale para datas, e a coluna ${table}.${column} não é`)
  const [from, to] = periodOf(filter, wallClock(now, timeZone))
  const conditions: AdvancedFilter['conditions'] = [
    { operator: 'GreaterThanOrEqual', value: textOf(from) },
    { operator: 'LessThan', value: textOf(to) },
  ]
  return { target: filter.target, filterType: filterTypes.advanced, logicalOperator: 'And', conditions }
}

/** Replaces values such as 2024-01-01T02:00:00Z for columns of instants. Others compare as they are. */
const withLocalTimes = (dataset: Dataset, filter: ResolvedFilter): ResolvedFilter => {
  const { timeZone } = dataset.definition
  const hasInstants = (target: Target | undefined) =>
    target !== undefined && isInstantType(findColumn(dataset, target)?.column.type ?? '')
  if (!targetsOf(filter).some(hasInstants)) return filter
  const local = <Value>(value: Value) => localTime(value, timeZone)
  if (isPoints(filter)) {
    const values = filter.values.map((points, group) =>
      points.map((point) =>
        point.map(({ value }, at) => ({
          value: hasInstants(filter.target[group]?.[at]) ? local(value) : value,
        })),
      ),
    )
    return { ...filter, values }
  }
  if ('values' in filter) return { ...filter, values: filter.values.map(local) }
  if (!('conditions' in filter)) return filter
  return { ...filter, conditions: filter.conditions.map((one) => ({ ...one, value: local(one.value) })) }
}

const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$/

const MIDNIGHT = /^(\d{4}-\d\d-\d\d)T00:00:00$/

const localTime = <Value>(value: Value, timeZone: string): Value | string => {
  // Answers write a day that has no midnight as others.
  const [, day] = (typeof value === 'string' && MIDNIGHT.exec(value)) || []
  if (day !== undefined) return startOfDay(day, timeZone)
  const [text, , fraction = ''] = (typeof value === 'string' && IN_UTC.exec(value)) || []
  const instant = Date.parse(text ?? '')
  if (Number.isNaN(instant)) return value
  return `${wallText(wallClock(instant, timeZone))}${fraction}`
}

type Period = [from: Date, to: Date]
type Shift = (date: Date, count: number) => Date

const LAST = 0
const THIS = 1

/** Returns the first instant of the period and the first one after it. */
const periodOf = (
  { operator, timeUnitType, timeUnitsCount: count, includeToday }: RelativeFilter,
  now: Date,
): Period => {
  const shift = shifts[timeUnitType] ?? byDays(1)
  if (timeUnitType >= timeUnits.minutes) {
    const start = new Date(now)
    start.setUTCSeconds(0, 0)
    if (timeUnitType === timeUnits.hours) start.setUTCMinutes(0)
    if (operator === THIS) return [start, shift(start, 1)]
    return operator === LAST ? [shift(now, -count), now] : [now, shift(now, count)]
  }
  const today = new Date(now)
  today.setUTCHours(0, 0, 0, 0)
  if (operator === THIS || calendarUnits.has(timeUnitType)) {
    const start = startOf(today, timeUnitType)
    if (operator === THIS) return [start, shift(start, 1)]
    return operator === LAST ? [shift(start, -count), start] : [shift(start, 1), shift(start, count + 1)]
  }
  // Seven days that include today begin six days ago.
  const tomorrow = byDays(1)(today, 1)
  if (operator === LAST) {
    const end = includeToday ? tomorrow : today
    return [shift(end, -count), end]
  }
  const start = includeToday ? today : tomorrow
  return [start, shift(start, count)]
}

const byDays =
  (days: number): Shift =>
  (date, count) =>
    new Date(date.getTime() + count * days * 86_400_000)

const byMinutes =
  (minutes: number): Shift =>
  (date, count) =>
    new Date(date.getTime() + count * minutes * 60_000)

/** Day 31 becomes the last day of a shorter month. */
const byMonths =
  (months: number): Shift =>
  (date, count) => {
    const moved = new Date(date)
    moved.setUTCDate(1)
    moved.setUTCMonth(moved.getUTCMonth() + count * months)
    const last = new Date(moved)
    last.setUTCMonth(last.getUTCMonth() + 1, 0)
    moved.setUTCDate(Math.min(date.getUTCDate(), last.getUTCDate()))
    return moved
  }

/** Indexed by the number of a time unit. */
const shifts: Shift[] = [
  byDays(1),
  byDays(7),
  byDays(7),
  byMonths(1),
  byMonths(1),
  byMonths(12),
  byMonths(12),
  byMinutes(1),
  byMinutes(60),
]

/** Returns the first day of the day, week, month or year; weeks start on Sunday, as in Power BI. */
const startOf = (today: Date, unit: number): Date => {
  const start = new Date(today)
  if (unit === timeUnits.weeks || unit === timeUnits.calendarWeeks)
    return byDays(1)(start, -start.getUTCDay())
  if (unit > timeUnits.days) start.setUTCDate(1)
  if (unit >= timeUnits.years) start.setUTCMonth(0)
  return start
}

const FIRST = Date.UTC(1000, 0)
const FINAL = Date.UTC(9999, 11, 31)

/** Long periods end where four digits write a year. */
const textOf = (date: Date) =>
  new Date(Math.min(Math.max(date.getTime(), FIRST), FINAL)).toISOString().slice(0, 19)
