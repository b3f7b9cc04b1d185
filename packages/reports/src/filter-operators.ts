/* The operators of Power BI's filters, and how many of them. Without zod, because the embed page reads this too. */

/** What one data call carries: those of the report, of a page and of a visual together. */
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
