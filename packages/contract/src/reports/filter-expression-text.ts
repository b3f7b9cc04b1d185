import { comparisons } from './filter-expression.ts'
import type { ReportFilter } from './report-filter.ts'

/**
 * Writes filters as a Power BI filter expression, for exports: the inverse of `parseReportFilters`.
 * @param filters one per column, as made by `parseReportFilters` and `panelFiltersOf`
 */
export const reportFiltersText = (filters: readonly ReportFilter[]): string =>
  filters.flatMap((filter) => clausesOf(filter)).join(' and ')

type Value = string | number | boolean

const clausesOf = ({ target, operator, values = [], conditions = [] }: ReportFilter): string[] => {
  const column = `${nameText(target.table)}/${nameText(target.column)}`
  if (operator === 'NotIn') return values.map((value) => `${column} ne ${valueText(value)}`)
  if (operator === 'In') {
    const [only = ''] = values
    return values.length === 1
      ? [`${column} eq ${valueText(only)}`]
      : [`${column} in (${values.map(valueText).join(', ')})`]
  }
  return conditions.map((bound) => {
    const comparison = comparisonOf.get(bound.operator)
    if (!comparison || bound.value === undefined) throw new TypeError(`no expression for ${bound.operator}`)
    return `${column} ${comparison} ${valueText(bound.value)}`
  })
}

const comparisonOf = new Map<string, string>(
  Object.entries(comparisons).map(([comparison, operator]) => [operator, comparison]),
)

const valueText = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/** Escapes a name: `_x0020_` for a space; also an underscore that would start such a code. */
const nameText = (name: string): string =>
  name.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)|[^\p{L}\p{N}_]|^\p{N}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `_x${character.charCodeAt(at).toString(16).padStart(4, '0').toUpperCase()}_`,
    ).join(''),
  )
