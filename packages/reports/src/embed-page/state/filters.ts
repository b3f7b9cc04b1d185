import {
  aggregationFunctions,
  basicOperators,
  type ConditionOperator,
  conditionOperators,
  filterTypes,
  MAX_COLUMNS,
  MAX_FILTERS,
  MAX_GROUPS,
  MAX_POINTS,
  MAX_TIME_UNIT,
  MAX_UNITS,
  MAX_VALUES,
  timeUnits,
} from '../../definitions/filter-operators.ts'
import { isRecord } from '../../definitions/is-record.ts'
import type { Filter, VisualFilter } from '../../wire/embed-contract.ts'
import { problem } from './problem.ts'

/** Columns by table, as the report publishes them. */
type Columns = Record<string, string[]>
type Value = string | number | boolean | null

const MAX_CONDITIONS = 2

/**
 * Reads the filters of the report, a page or a slicer from a message. Drops unknown fields and
 * converts dates to ISO text.
 * @throws `InvalidFilter`
 */
export const readFilters = (input: unknown, columns: Columns): Filter[] =>
  readEach(input, (item) => {
    const filter = readFilter(item, columns)
    if (isVisualOnly(filter)) throw invalid('Este tipo de filtro só vale para um visual.')
    return filter
  })

/** Reads the filters of one visual, which may have more types than a page's, as in Power BI. */
export const readVisualFilters = (input: unknown, columns: Columns): VisualFilter[] =>
  readEach(input, (item) => readFilter(item, columns))

const readEach = <T>(input: unknown, read: (item: unknown) => T): T[] => {
  const list = input === null || input === undefined ? [] : input
  if (!Array.isArray(list)) throw invalid('Os filtros devem vir em uma lista.')
  if (list.length > MAX_FILTERS) throw invalid(`No máximo ${MAX_FILTERS} filtros.`)
  return list.map(read)
}

/**
 * Applies Power BI's FiltersOperations: 0 remove all, 1 replace all, 2 add, 3 replace those of the
 * same target.
 */
export const applyOperation = <T extends VisualFilter>(
  current: T[],
  operation: unknown,
  filters: T[],
): T[] => {
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

type Targeted = Pick<VisualFilter, 'target'>

export const sameTarget = (a: Targeted, b: Targeted) => targetKey(a) === targetKey(b)

const targetKey = ({ target }: Targeted) =>
  JSON.stringify([target].flat(2).map(({ table, column }) => [table, column]))

export const isBasic = (filter: Filter): filter is Extract<Filter, { values: unknown }> => 'values' in filter

/** Returns the filter that keeps these values of a column, as a list of values shows them. */
export const keepValues = (
  target: Filter['target'],
  values: Value[],
): Extract<Filter, { values: unknown }> => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target,
  filterType: filterTypes.basic,
  operator: 'In',
  values,
  matchCase: true,
})

const isVisualOnly = (filter: VisualFilter): filter is Exclude<VisualFilter, Filter> =>
  'isExclude' in filter || 'itemCount' in filter

const invalid = (detail: string) => problem(400, 'InvalidFilter', detail)

const readFilter = (input: unknown, columns: Columns): VisualFilter => {
  if (!isRecord(input)) throw invalid('Cada filtro deve ser um objeto.')
  const common = pick(input, '$schema', 'displaySettings')
  if (Array.isArray(input.target) && input.filterType === filterTypes.includeExclude)
    return { ...common, filterType: filterTypes.includeExclude, ...readPoints(input, columns) }
  const target = readTarget(input.target, columns)
  if (Array.isArray(input.conditions)) return { target, ...common, ...readConditions(input) }
  if (input.filterType === filterTypes.includeExclude) {
    const isExclude = readFlag(input.isExclude, 'isExclude')
    return {
      target,
      ...common,
      filterType: filterTypes.includeExclude,
      isExclude,
      values: readValues(input.values),
    }
  }
  if (input.filterType === filterTypes.topN) return { target, ...common, ...readTopN(input, columns) }
  if (input.timeUnitType !== undefined) return { target, ...common, ...readPeriod(input) }
  if (isBasicOperator(input.operator)) {
    return {
      target,
      ...common,
      filterType: filterTypes.basic,
      operator: input.operator,
      values: readValues(input.values),
      requireSingleSelection: input.requireSingleSelection === true,
      ...(input.matchCase === true && { matchCase: true }),
    }
  }
  throw invalid('Este tipo de filtro não existe neste serviço.')
}

/** Reads combinations of values: one group of columns for each group of points. */
const readPoints = ({ target, values, isExclude }: Record<string, unknown>, columns: Columns) => {
  const groups = listOf(target, MAX_GROUPS).map((group) =>
    listOf(group, MAX_COLUMNS).map((column) => readTarget(column, columns)),
  )
  const tables = new Set(groups.flat().map(({ table }) => table))
  if (tables.size !== 1) throw invalid('Os alvos de um filtro devem ser de uma só tabela.')
  const points = listOf(values, groups.length).map((group, at) =>
    listOf(group, MAX_POINTS).map((point) => {
      const cells = listOf(point, MAX_COLUMNS)
      if (cells.length !== groups[at]?.length) throw invalid('Cada ponto tem um valor por coluna.')
      return cells.map((cell) => ({ value: readValue(isRecord(cell) ? cell.value : undefined) }))
    }),
  )
  if (points.length !== groups.length) throw invalid('Cada grupo de colunas tem os seus pontos.')
  return { target: groups, isExclude: readFlag(isExclude, 'isExclude'), values: points }
}

const listOf = (input: unknown, most: number): unknown[] => {
  if (Array.isArray(input) && input.length >= 1 && input.length <= most) return input
  throw invalid(`Alvos e pontos vêm em listas de 1 a ${most} itens.`)
}

const readTopN = (input: Record<string, unknown>, columns: Columns) => {
  const { operator, itemCount, orderBy } = input
  if (operator !== 'Top' && operator !== 'Bottom')
    throw invalid('O operador dos N primeiros é Top ou Bottom.')
  const { measure, aggregationFunction } = isRecord(orderBy) ? orderBy : {}
  if (measure !== undefined)
    throw invalid('Este serviço não tem medidas: em orderBy, use uma coluna e aggregationFunction.')
  const known = aggregationFunctions.find((name) => name === aggregationFunction)
  if (aggregationFunction !== undefined && !known)
    throw invalid(`A função ${String(aggregationFunction)} não existe neste serviço.`)
  return {
    filterType: filterTypes.topN,
    operator,
    itemCount: readCount(itemCount, 'itemCount', MAX_VALUES),
    orderBy: { ...readTarget(orderBy, columns), ...(known && { aggregationFunction: known }) },
  } as const
}

const readPeriod = ({ operator, timeUnitType, timeUnitsCount, includeToday }: Record<string, unknown>) => {
  if (operator !== 0 && operator !== 1 && operator !== 2)
    throw invalid('O operador de um período é 0, 1 ou 2.')
  if (!isWhole(timeUnitType, 0, MAX_TIME_UNIT)) throw invalid('Esta unidade de tempo não existe.')
  // "This month" has no count.
  const count = operator === 1 ? (timeUnitsCount ?? 1) : timeUnitsCount
  return {
    filterType: timeUnitType >= timeUnits.minutes ? filterTypes.relativeTime : filterTypes.relativeDate,
    operator,
    timeUnitsCount: readCount(count, 'timeUnitsCount', MAX_UNITS),
    timeUnitType,
    includeToday: readFlag(includeToday ?? false, 'includeToday'),
  } as const
}

const isWhole = (input: unknown, least: number, most: number): input is number =>
  typeof input === 'number' && Number.isInteger(input) && input >= least && input <= most

const readCount = (input: unknown, name: string, most: number): number => {
  if (isWhole(input, 1, most)) return input
  throw invalid(`${name} deve ser um número inteiro de 1 a ${most}.`)
}

const readFlag = (input: unknown, name: string): boolean => {
  if (typeof input === 'boolean') return input
  throw invalid(`${name} deve ser verdadeiro ou falso.`)
}

const readTarget = (input: unknown, columns: Columns): Filter['target'] => {
  const { table, column } = isRecord(input) ? input : {}
  if (typeof table !== 'string' || typeof column !== 'string')
    throw invalid('O alvo de um filtro é uma tabela e uma coluna.')
  const [knownTable, names = []] = Object.entries(columns).find(([name]) => isSame(name, table)) ?? []
  const knownColumn = names.find((name) => isSame(name, column))
  if (knownTable === undefined || knownColumn === undefined)
    throw invalid(`Este relatório não tem a coluna ${table}/${column}.`)
  return { table: knownTable, column: knownColumn }
}

/** Names ignore case, as in Power BI. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const readConditions = (input: Record<string, unknown>) => {
  const conditions = Array.isArray(input.conditions) ? input.conditions : []
  if (conditions.length < 1 || conditions.length > MAX_CONDITIONS)
    throw invalid('Um filtro avançado tem uma ou duas condições.')
  const logicalOperator = input.logicalOperator ?? 'And'
  if (logicalOperator !== 'And' && logicalOperator !== 'Or') throw invalid('O operador lógico é And ou Or.')
  return {
    filterType: filterTypes.advanced,
    logicalOperator,
    conditions: conditions.map(readCondition),
  } as const
}

const readCondition = (input: unknown) => {
  const { operator, value } = isRecord(input) ? input : {}
  if (!isConditionOperator(operator)) throw invalid(`A condição ${String(operator)} não existe.`)
  return value === undefined ? { operator } : { operator, value: readValue(value) }
}

const readValues = (input: unknown): Value[] => {
  const values = input ?? []
  if (!Array.isArray(values)) throw invalid('Os valores de um filtro devem vir em uma lista.')
  if (values.length > MAX_VALUES) throw invalid(`Um filtro tem no máximo ${MAX_VALUES} valores.`)
  return values.map(readValue)
}

const readValue = (input: unknown): Value => {
  if (input === null || typeof input === 'string' || typeof input === 'boolean') return input
  if (typeof input === 'number' && Number.isFinite(input)) return input
  if (input instanceof Date && !Number.isNaN(input.getTime())) return input.toISOString()
  throw invalid('Um valor de filtro é texto, número, lógico, data ou nulo.')
}

const isBasicOperator = (input: unknown): input is (typeof basicOperators)[number] =>
  basicOperators.some((operator) => operator === input)
const isConditionOperator = (input: unknown): input is ConditionOperator =>
  conditionOperators.some((operator) => operator === input)

const pick = (input: Record<string, unknown>, ...names: string[]) => {
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  )
}
