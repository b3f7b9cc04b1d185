import type { z } from 'zod'
import { type Column, type Dataset, findColumn, type Table } from '../data/catalog.ts'
import { type Parameter, quote } from '../data/database.ts'
import type { AdvancedFilter, BasicFilter, Filter } from '../definitions/definition.ts'

/** A filter that does not fit the model: the caller's mistake. */
export class FilterError extends Error {}

/** Adds a bound parameter and returns its SQL placeholder. */
export type Bind = (value: Parameter) => string

type Scalar = string | number | boolean | null
type Condition = z.infer<typeof AdvancedFilter>['conditions'][number]

/**
 * Compiles a filter to a condition over one table. Values are bound, never written into the SQL.
 * `restricted` rows are compared one by one: the known values are those of all rows, so the time of
 * an answer would reveal hidden ones.
 */
export function compileFilter(
  dataset: Dataset,
  filter: Filter,
  bind: Bind,
  { restricted = false }: { restricted?: boolean } = {},
): { table: Table; condition: string } {
  const found = findColumn(dataset, filter.target)
  if (!found) throw new FilterError(`a coluna ${filter.target.table}.${filter.target.column} não existe`)
  const { table } = found
  const column = restricted ? { ...found.column, spellings: undefined } : found.column
  const reference = `${quote(table.name)}.${quote(column.name)}`
  const condition =
    'conditions' in filter
      ? compileAdvanced(reference, column, filter, bind)
      : compileBasic(reference, column, filter, bind)
  return { table, condition }
}

/** An empty list is no filter, which Power BI shows as 'all'. Blank is a regular value. */
function compileBasic(reference: string, column: Column, filter: z.infer<typeof BasicFilter>, bind: Bind) {
  if (filter.operator === 'All' || filter.values.length === 0) return 'TRUE'
  const given = filter.values.filter((value) => value !== null)
  const hasBlank = given.length < filter.values.length
  const selected = `(${isAmong(reference, column, given, bind)}${hasBlank ? ` OR ${reference} IS NULL` : ''})`
  return filter.operator === 'In' ? selected : `(NOT ${selected})`
}

/** SQL that is true or false, never NULL. */
function isAmong(reference: string, column: Column, values: Scalar[], bind: Bind): string {
  const checked = values.map((value) => checkValue(column, value))
  const { spellings } = column
  const wanted = spellings ? checked.flatMap((text) => spellings.get(String(text)) ?? []) : checked
  if (wanted.length === 0) return 'FALSE'
  const compared = spellings ? reference : comparable(reference, column)
  return `(${reference} IS NOT NULL AND ${compared} IN (${bindList(column, wanted, bind)}))`
}

/** Longer lists are bound as one value: DuckDB is slow with thousands of parameters. */
const LONG_LIST = 50

function bindList(column: Column, values: (string | number | boolean)[], bind: Bind): string {
  const type = sqlType(column)
  if (values.length <= LONG_LIST) return values.map((value) => bindOne(column, value, bind)).join(', ')
  return `SELECT CAST(unnest(${bind(values.map(String))}) AS ${type})`
}

function bindOne(column: Column, value: string | number | boolean, bind: Bind) {
  // Comparing integers with an integer avoids a conversion for every row.
  if (column.kind === 'integer' && Number.isSafeInteger(value))
    return `CAST(${bind(BigInt(value))} AS BIGINT)`
  return `CAST(${bind(value)} AS ${sqlType(column)})`
}

function compileAdvanced(
  reference: string,
  column: Column,
  filter: z.infer<typeof AdvancedFilter>,
  bind: Bind,
) {
  const conditions = filter.conditions
    .filter(({ operator }) => operator !== 'None')
    .map((condition) => `(${compileCondition(reference, column, condition, bind)})`)
  return conditions.length
    ? `(${conditions.join(filter.logicalOperator === 'And' ? ' AND ' : ' OR ')})`
    : 'TRUE'
}

const COMPARISONS = {
  LessThan: '<',
  LessThanOrEqual: '<=',
  GreaterThan: '>',
  GreaterThanOrEqual: '>=',
} as const

function compileCondition(
  reference: string,
  column: Column,
  { operator, value = null }: Condition,
  bind: Bind,
) {
  const compared = comparable(reference, column)
  const bound = () => bindOne(column, checkValue(column, value), bind)
  const has = (part: TextPart) => {
    requireText(column, operator)
    return hasPart(reference, column, part, String(checkValue(column, value)), bind)
  }
  switch (operator) {
    case 'None':
      return 'TRUE'
    case 'Is':
      return value === null ? `${reference} IS NULL` : isAmong(reference, column, [value], bind)
    case 'IsNot':
      return value === null ? `${reference} IS NOT NULL` : `NOT ${isAmong(reference, column, [value], bind)}`
    case 'IsBlank':
      return `${reference} IS NULL`
    case 'IsNotBlank':
      return `${reference} IS NOT NULL`
    case 'IsEmptyString':
      requireText(column, operator)
      return `${reference} = ''`
    case 'IsNotEmptyString':
      requireText(column, operator)
      return `${reference} IS DISTINCT FROM ''`
    case 'Contains':
      return has('contains')
    case 'DoesNotContain':
      return `NOT ${has('contains')}`
    case 'StartsWith':
      return has('starts_with')
    case 'DoesNotStartWith':
      return `NOT ${has('starts_with')}`
    default:
      return `${compared} ${COMPARISONS[operator]} ${bound()}`
  }
}

type TextPart = 'contains' | 'starts_with'

/**
 * SQL that is true or false, never NULL. If the column has few values, they are searched here, not
 * row by row.
 */
function hasPart(reference: string, column: Column, part: TextPart, text: string, bind: Bind) {
  if (column.spellings) {
    const isWanted = (known: string) => (part === 'contains' ? known.includes(text) : known.startsWith(text))
    return isAmong(reference, column, [...column.spellings.keys()].filter(isWanted), bind)
  }
  return `coalesce(${part}(${comparable(reference, column)}, ${bindOne(column, text, bind)}), FALSE)`
}

/** Text compares without case, as in Power BI; dates compare as instants: '…T12:00' is noon. */
function comparable(reference: string, { kind }: Column) {
  if (kind === 'text') return `lower(${reference})`
  if (kind === 'other') return `lower(CAST(${reference} AS VARCHAR))`
  return kind === 'date' || kind === 'timestamp' ? `CAST(${reference} AS TIMESTAMP)` : reference
}

function sqlType({ kind }: Column) {
  if (kind === 'integer' || kind === 'number') return 'DOUBLE'
  if (kind === 'date' || kind === 'timestamp') return 'TIMESTAMP'
  return kind === 'boolean' ? 'BOOLEAN' : 'VARCHAR'
}

/**
 * Returns the value in its compared form.
 * @throws FilterError when it does not fit the column
 */
function checkValue(column: Column, value: Scalar): string | number | boolean {
  const { kind } = column
  if (kind === 'integer' || kind === 'number') {
    if (typeof value === 'number') return value
  } else if (kind === 'boolean') {
    if (typeof value === 'boolean') return value
  } else if (typeof value === 'string') {
    if (kind !== 'date' && kind !== 'timestamp') return value.toLowerCase()
    if (isInstant(value)) return value.replace('T', ' ').replace('Z', '')
  }
  throw new FilterError(`o valor ${JSON.stringify(value)} não serve para a coluna ${column.name} (${kind})`)
}

/** A valid day as yyyy-mm-dd, with or without time. UTC instants compare with the data as is. */
function isInstant(text: string) {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?Z?)?$/.exec(text) ?? []
  if (!day || day < '0001') return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function requireText({ kind, name }: Column, operator: string) {
  if (kind === 'text' || kind === 'other') return
  throw new FilterError(`${operator} só vale para texto, e a coluna ${name} não é`)
}
