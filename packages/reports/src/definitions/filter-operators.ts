/*
 * The operators of Power BI's filters, and their limit. The embed page reads this too, so it
 * must not import zod.
 */

/** Filters per data call, of report, page and visual together. */
export const MAX_FILTERS = 20

/** Values of one filter. */
export const MAX_VALUES = 10_000
/** Units of a relative filter. */
export const MAX_UNITS = 10_000
/** Limits of an include/exclude filter: groups, columns of a group, points of a group. */
export const MAX_GROUPS = 5
export const MAX_COLUMNS = 5
export const MAX_POINTS = 200
/** Points of all include/exclude filters of a data call: each value is a parameter. */
export const MAX_CALL_POINTS = 1_000
/** Filters of the first values by an aggregate that may be in force at the same time. */
export const MAX_TOP_N = 3

export const basicOperators = ['In', 'NotIn', 'All'] as const

export const conditionOperators = [
  'None',
  'LessThan',
  'LessThanOrEqual',
  'GreaterThan',
  'GreaterThanOrEqual',
  'Contains',
  'DoesNotContain',
  'StartsWith',
  'DoesNotStartWith',
  'Is',
  'IsNot',
  'IsBlank',
  'IsNotBlank',
  'IsEmptyString',
  'IsNotEmptyString',
] as const
export type ConditionOperator = (typeof conditionOperators)[number]

/** powerbi-models' RelativeDateFilterTimeUnit. */
export const timeUnits = {
  days: 0,
  weeks: 1,
  calendarWeeks: 2,
  months: 3,
  calendarMonths: 4,
  years: 5,
  calendarYears: 6,
  minutes: 7,
  hours: 8,
} as const
export const MAX_TIME_UNIT = timeUnits.hours
/** Units of whole calendar periods: not the last seven days, but the last week from Sunday on. */
export const calendarUnits: ReadonlySet<number> = new Set([
  timeUnits.calendarWeeks,
  timeUnits.calendarMonths,
  timeUnits.calendarYears,
])

/** powerbi-models' FilterType. */
export const filterTypes = {
  advanced: 0,
  basic: 1,
  includeExclude: 3,
  relativeDate: 4,
  topN: 5,
  relativeTime: 7,
} as const

/** powerbi-models' AggregateFunction, and the short name that Power BI's samples use. */
export const aggregationFunctions = ['Sum', 'Min', 'Max', 'Count', 'Average', 'Avg', 'DistinctCount'] as const
