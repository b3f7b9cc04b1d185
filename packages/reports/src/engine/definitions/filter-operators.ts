/*
 * The operators of Power BI's filters, and their limit. The embed page reads this too, so it
 * must not import zod.
 */

/** Filters per data call, of report, page and visual together. */
export const MAX_FILTERS = 20

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
