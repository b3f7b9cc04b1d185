import type { Filter } from '../../contract/embed-contract.ts'
import {
  basicOperators,
  type ConditionOperator,
  conditionOperators,
  MAX_FILTERS,
} from '../../engine/definitions/filter-operators.ts'
import { isRecord } from './is-record.ts'
import { problem } from './problem.ts'

/** Columns by table, as the report publishes them. */
export type Columns = Record<string, string[]>
type Value = string | number | boolean | null

const MAX_VALUES = 10_000
const MAX_CONDITIONS = 2

/**
 * Reads the filters of a message. Drops unknown fields and converts dates to ISO text.
 * @throws `InvalidFilter`
 */
export function readFilters(input: unknown, columns: Columns): Filter[] {
  const list = input === null || input === undefined ? [] : input
  if (!Array.isArray(list)) throw invalid('Os filtros devem vir em uma lista.')
  if (list.length > MAX_FILTERS) throw invalid(`No máximo ${MAX_FILTERS} filtros.`)
  return list.map((item) => readFilter(item, columns))
}

/**
 * Applies Power BI's FiltersOperations: 0 remove all, 1 replace all, 2 add, 3 replace those of the
 * same target.
 */
export function applyOperation(current: Filter[], operation: unknown, filters: Filter[]): Filter[] {
  switch (operation) {
    case 0:
      return []
    case 1:
      return filters
    case 2:
      return [...current, ...filters]
    case 3:
      return [...current.filter((old) => !filters.some((filter) => sameTarget(filter, old))), ...filters]
    default:
      throw problem(400, 'InvalidParameters', 'filtersOperation deve ser 0, 1, 2 ou 3.')
  }
}

export const sameTarget = (a: Pick<Filter, 'target'>, b: Pick<Filter, 'target'>) =>
  a.target.table === b.target.table && a.target.column === b.target.column

export const isBasic = (filter: Filter): filter is Extract<Filter, { values: unknown }> => 'values' in filter

const invalid = (detail: string) => problem(400, 'InvalidFilter', detail)

function readFilter(input: unknown, columns: Columns): Filter {
  if (!isRecord(input)) throw invalid('Cada filtro deve ser um objeto.')
  const target = readTarget(input.target, columns)
  const common = { target, ...pick(input, '$schema', 'displaySettings') }
  if (Array.isArray(input.conditions)) return { ...common, ...readConditions(input) }
  if (isBasicOperator(input.operator)) {
    return {
      ...common,
      filterType: 1,
      operator: input.operator,
      values: readValues(input.values),
      requireSingleSelection: input.requireSingleSelection === true,
    }
  }
  throw invalid('Só há filtros básicos (In, NotIn, All) e avançados (condições) neste serviço.')
}

function readTarget(input: unknown, columns: Columns): Filter['target'] {
  const { table, column } = isRecord(input) ? input : {}
  if (typeof table !== 'string' || typeof column !== 'string')
    throw invalid('O alvo de um filtro é uma tabela e uma coluna.')
  const known = Object.hasOwn(columns, table) && columns[table]?.includes(column)
  if (!known) throw invalid(`Este relatório não tem a coluna ${table}/${column}.`)
  return { table, column }
}

function readConditions(input: Record<string, unknown>) {
  const conditions = Array.isArray(input.conditions) ? input.conditions : []
  if (conditions.length < 1 || conditions.length > MAX_CONDITIONS)
    throw invalid('Um filtro avançado tem uma ou duas condições.')
  const logicalOperator = input.logicalOperator ?? 'And'
  if (logicalOperator !== 'And' && logicalOperator !== 'Or') throw invalid('O operador lógico é And ou Or.')
  return { filterType: 0 as const, logicalOperator, conditions: conditions.map(readCondition) } as const
}

function readCondition(input: unknown) {
  const { operator, value } = isRecord(input) ? input : {}
  if (!isConditionOperator(operator)) throw invalid(`A condição ${String(operator)} não existe.`)
  return value === undefined ? { operator } : { operator, value: readValue(value) }
}

function readValues(input: unknown): Value[] {
  const values = input ?? []
  if (!Array.isArray(values)) throw invalid('Os valores de um filtro devem vir em uma lista.')
  if (values.length > MAX_VALUES) throw invalid(`Um filtro tem no máximo ${MAX_VALUES} valores.`)
  return values.map(readValue)
}

function readValue(input: unknown): Value {
  if (input === null || typeof input === 'string' || typeof input === 'boolean') return input
  if (typeof input === 'number' && Number.isFinite(input)) return input
  if (input instanceof Date && !Number.isNaN(input.getTime())) return input.toISOString()
  throw invalid('Um valor de filtro é texto, número, lógico, data ou nulo.')
}

const isBasicOperator = (input: unknown): input is (typeof basicOperators)[number] =>
  basicOperators.some((operator) => operator === input)
const isConditionOperator = (input: unknown): input is ConditionOperator =>
  conditionOperators.some((operator) => operator === input)

function pick(input: Record<string, unknown>, ...names: string[]) {
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  )
}
