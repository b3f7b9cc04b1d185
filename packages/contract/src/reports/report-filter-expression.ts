import {
  comparisons,
  type FilterClause,
  type FilterFault,
  FilterSyntaxError,
  isComparison,
  parseFilterExpression,
} from './filter-expression.ts'
import type { ReportFilter } from './report-filter.ts'

/** An unreadable `filtro`. The message is a Portuguese sentence with the position. */
export class FilterExpressionError extends Error {
  override readonly name = 'FilterExpressionError'
}

/**
 * Parses a report's `filtro`, a Power BI filter expression (filter-expression.ts).
 * @returns filters for powerbi-client, one per column
 * @throws FilterExpressionError
 */
export const parseReportFilters = (expression: string): ReportFilter[] => {
  if (expression.length > maxLength)
    throw new FilterExpressionError(`Filtro inválido: passa de ${maxLength} caracteres.`)
  try {
    return filtersOf(parseFilterExpression(expression).map(withoutNull))
  } catch (error) {
    throw error instanceof FilterSyntaxError
      ? new FilterExpressionError(`Filtro inválido: ${sentenceOf(error)}.`)
      : error
  }
}

const maxLength = 4_000

type Value = string | number | boolean
interface Clause extends FilterClause {
  values: Value[]
}

/** powerbi-client has no null in lists of values. */
const withoutNull = (clause: FilterClause): Clause => {
  const values = clause.values.filter((value) => value !== null)
  if (values.length === clause.values.length) return { ...clause, values }
  throw new FilterExpressionError(`Filtro inválido: ${clause.table}/${clause.column} não aceita null.`)
}

const sentenceOf = ({ fault, position }: FilterSyntaxError): string => {
  const place = position === undefined ? 'no fim' : `na posição ${position}`
  const text = faultText[fault]
  if (text.includes('#')) return text.replace('#', place)
  return `${position === undefined ? 'falta' : 'esperava'} ${text} ${place}`
}

/** What is wrong, with '#' for its place, or what was expected. */
const faultText: Record<FilterFault, string> = {
  'expected a table': 'o nome da tabela',
  "expected '/'": "'/' entre tabela e coluna",
  'expected a column': 'o nome da coluna',
  'expected an operator': 'eq, ne, gt, ge, lt, le ou in',
  "expected '('": "'(' depois de in",
  "expected ')'": "')' no fim da lista",
  'expected a value': "um valor, como 'texto' ou 10",
  'expected and': "'and' ou o fim",
  'unreadable text': 'não entendi o trecho #',
  'large number': 'o número # é grande demais. Escreva-o entre aspas, como texto',
  'control character': 'o nome # tem um caractere que não pode estar nele',
}

const filtersOf = (clauses: Clause[]): ReportFilter[] =>
  [...Map.groupBy(clauses, ({ table, column }) => JSON.stringify([table, column])).values()].map((group) =>
    filterOf(group),
  )

/** Returns one column's filter: a list, exclusions, or one or two bounds; they cannot be mixed. */
const filterOf = (group: Clause[]): ReportFilter => {
  const [{ table, column, operator, values } = emptyClause] = group
  const name = `${table}/${column}`
  const target = { table, column }
  if (group.length === 1 && (operator === 'eq' || operator === 'in')) return basic(target, 'In', values)
  if (group.every((clause) => clause.operator === 'ne')) {
    return basic(
      target,
      'NotIn',
      group.flatMap((clause) => clause.values),
    )
  }
  const conditions = group.flatMap(({ operator, values: [value = ''] }) =>
    isComparison(operator) ? [{ operator: comparisons[operator], value }] : [],
  )
  if (conditions.length < group.length)
    throw new FilterExpressionError(`Filtro inválido: as condições sobre ${name} não podem ser combinadas.`)
  if (group.length > 2)
    throw new FilterExpressionError(`Filtro inválido: ${name} tem mais de duas condições.`)
  return {
    $schema: 'http://powerbi.com/product/schema#advanced',
    target,
    filterType: 0,
    logicalOperator: 'And',
    conditions,
  }
}

const emptyClause: Clause = { table: '', column: '', operator: 'eq', values: [] }

const basic = (target: ReportFilter['target'], operator: string, values: Value[]): ReportFilter => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target,
  filterType: 1,
  operator,
  values,
})
