import {
  comparisons,
  type FilterClause,
  FilterSyntaxError,
  isComparison,
  parseFilterExpression,
} from '@bi-manager/contract/filter-expression'
import { filterTypes } from '../definitions/filter-operators.ts'
import type { Filter } from '../definitions/wire-filters.ts'
import { invalidRequest } from '../http/power-bi-error.ts'

/** Parses the filter expression of an export. Returns one filter per clause. */
export const readUrlFilter = (expression: string): Filter[] => {
  if (expression.length > LONGEST) throw invalidRequest(`The filter is longer than ${LONGEST} characters`)
  try {
    return parseFilterExpression(expression).map(filterOf)
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error
    const place = error.position === undefined ? 'its end' : `character ${error.position}`
    throw invalidRequest(`The filter is not understood at ${place}: ${error.fault}`)
  }
}

const LONGEST = 8_000

const filterOf = ({ table, column, operator, values }: FilterClause): Filter => {
  const target = { table, column }
  if (!isComparison(operator)) {
    return { target, filterType: filterTypes.basic, operator: operator === 'ne' ? 'NotIn' : 'In', values }
  }
  const conditions = [{ operator: comparisons[operator], value: values[0] }]
  return { target, filterType: filterTypes.advanced, logicalOperator: 'And', conditions }
}
