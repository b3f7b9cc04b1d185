/* The operators of Power BI's filters. Without zod, because the embed page reads them too. */

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
