import type { z } from 'zod'
import type { Target } from '../../definitions/definition.ts'
import type {
  AdvancedFilter,
  BasicFilter,
  PointFilter,
  RelativeFilter,
  TopNFilter,
  VisualFilter,
} from '../../definitions/wire-filters.ts'
import { type Column, type Dataset, findColumn, type Table } from '../data/catalog.ts'
import { digitsOf } from '../data/columns/exact-cells.ts'
import { type Parameter, quote } from '../data/database/database.ts'
import { hasDigits, readExact } from './exact-values.ts'

/** A filter that does not fit the model: the caller's mistake. */
export class FilterError extends Error {}

/** Adds a bound parameter and returns its SQL placeholder. */
export type Bind = (value: Parameter) => string

type Scalar = string | number | boolean | null
type Condition = AdvancedFilter['conditions'][number]

/** A filter that means the same at any time. */
export type ResolvedFilter = Exclude<VisualFilter, RelativeFilter>

/** Returns the columns that a filter names; those of a top N's order are not among them. */
export const targetsOf = ({ target }: VisualFilter): Target[] =>
  Array.isArray(target) ? target.flat() : [target]

/** Returns the table whose rows the filter restricts, or undefined when it does not exist. */
export const tableOf = (dataset: Dataset, filter: VisualFilter): Table | undefined => {
  const [first] = targetsOf(filter)
  return first && findColumn(dataset, first)?.table
}

export const isTopN = (filter: VisualFilter): filter is TopNFilter => 'itemCount' in filter

type Compiling = {
  /**
   * `restricted` rows are compared one by one: the known values are those of all rows, so the time
   * of an answer would reveal hidden ones.
   */
  restricted?: boolean
  /** SELECT of the rows among which a top N counts: the allowed ones that all other filters keep. */
  rows?: string
}

/** Compiles a filter to a condition over one table. Values are bound, never written into the SQL. */
export const compileFilter = (
  dataset: Dataset,
  filter: ResolvedFilter,
  bind: Bind,
  { restricted = false, rows = '' }: Compiling = {},
): { table: Table; condition: string } => {
  const find = (target: Target): Found => {
    const found = findColumn(dataset, target)
    if (!found) throw new FilterError(`a coluna ${target.table}.${target.column} não existe`)
    const column = restricted ? { ...found.column, spellings: undefined } : found.column
    return { table: found.table, column, reference: `${quote(found.table.name)}.${quote(column.name)}` }
  }
  if (isPoints(filter)) return compilePoints(filter, find, bind)
  const { table, column, reference } = find(filter.target)
  if (isTopN(filter)) return { table, condition: compileTopN(filter, find, rows, bind) }
  if ('conditions' in filter) return { table, condition: compileAdvanced(reference, column, filter, bind) }
  if ('isExclude' in filter) {
    const operator = filter.isExclude ? 'NotIn' : 'In'
    return { table, condition: compileBasic(reference, column, { operator, values: filter.values }, bind) }
  }
  return { table, condition: compileBasic(reference, column, filter, bind) }
}

type Found = { table: Table; column: Column; reference: string }
type Find = (target: Target) => Found

export const isPoints = (filter: ResolvedFilter): filter is PointFilter => Array.isArray(filter.target)

/** Each group has its columns; a point has one value for each of them. */
const compilePoints = ({ target, values, isExclude }: PointFilter, find: Find, bind: Bind) => {
  const groups = target.map((columns) => columns.map(find))
  const table = groups[0]?.[0]?.table
  if (!table || groups.flat().some((found) => found.table !== table))
    throw new FilterError('as colunas de um filtro de inclusão ou exclusão são de uma tabela só')
  if (
    values.length !== groups.length ||
    values.some((points, at) => points.some((point) => point.length !== groups[at]?.length))
  )
    throw new FilterError('cada ponto de um filtro de inclusão ou exclusão tem um valor por coluna')
  const points = groups.flatMap((columns, at) =>
    (values[at] ?? []).map((point) => {
      const equal = columns.map(({ reference, column }, place) => {
        const value = point[place]?.value ?? null
        return value === null ? `${reference} IS NULL` : isAmong(reference, column, [value], bind)
      })
      return `(${equal.join(' AND ')})`
    }),
  )
  if (points.length === 0) return { table, condition: 'TRUE' }
  return { table, condition: `(${isExclude ? 'NOT ' : ''}(${points.join(' OR ')}))` }
}

/**
 * Keeps the values that are first by an aggregate; equal ones share a place, as in Power BI. Blank
 * is a regular value: lists, unlike values, compare NULL as equal.
 */
const compileTopN = (
  { target, operator, itemCount, orderBy }: TopNFilter,
  find: Find,
  rows: string,
  bind: Bind,
) => {
  const { table, column, reference } = find(target)
  const ordering = find(orderBy)
  if (ordering.table !== table) throw new FilterError('orderBy é uma coluna da tabela do filtro')
  const key = comparable(reference, column)
  const order = `${aggregate(ordering, orderBy.aggregationFunction)} ${operator === 'Top' ? 'DESC' : 'ASC'} NULLS LAST`
  const ranked = `SELECT ${key} AS item, rank() OVER (ORDER BY ${order}) AS place FROM (${rows}) AS ${quote(table.name)} GROUP BY 1`
  const first = `SELECT list_value(item) FROM (${ranked}) WHERE place <= CAST(${bind(BigInt(itemCount))} AS BIGINT)`
  return `(list_value(${key}) IN (${first}))`
}

const aggregate = ({ column, reference }: Found, wanted: TopNFilter['orderBy']['aggregationFunction']) => {
  const isNumber = column.kind === 'integer' || column.kind === 'number'
  const name = wanted ?? (isNumber ? 'Sum' : 'Max')
  if (!isNumber && (name === 'Sum' || name === 'Average' || name === 'Avg'))
    throw new FilterError(`${name} só vale para números, e a coluna ${column.name} não é`)
  if (name === 'DistinctCount') return `count(DISTINCT ${comparable(reference, column)})`
  return `${AGGREGATES[name]}(${reference})`
}

const AGGREGATES = { Sum: 'sum', Min: 'min', Max: 'max', Count: 'count', Average: 'avg', Avg: 'avg' } as const

/** An empty list is no filter, which Power BI shows as 'all'. Blank is a regular value. */
const compileBasic = (
  reference: string,
  column: Column,
  filter: Pick<z.infer<typeof BasicFilter>, 'operator' | 'values' | 'matchCase'>,
  bind: Bind,
) => {
  if (filter.operator === 'All' || filter.values.length === 0) return 'TRUE'
  const given = filter.values.filter((value) => value !== null)
  const hasBlank = given.length < filter.values.length
  const selected = `(${isAmong(reference, column, given, bind, filter.matchCase)}${hasBlank ? ` OR ${reference} IS NULL` : ''})`
  return filter.operator === 'In' ? selected : `(NOT ${selected})`
}

/** SQL that is true or false, never NULL. */
const isAmong = (
  reference: string,
  column: Column,
  values: Scalar[],
  bind: Bind,
  matchCase = false,
): string => {
  const read = matchCase ? listedValue : comparedValue
  const checked = values
    .map((value) => read(column, value))
    .filter((value) => value !== undefined)
    .filter((value) => mayEqual(column, value))
  const spellings = matchCase ? undefined : column.spellings
  const wanted = spellings ? checked.flatMap((text) => spellings.get(String(text)) ?? []) : checked
  if (wanted.length === 0) return 'FALSE'
  const compared = matchCase || spellings ? exact(reference, column) : comparable(reference, column)
  // One list for each type: DuckDB would compare all values of a mixed list as doubles.
  const lists = Map.groupBy(wanted, (value) => comparedType(column, value)).values()
  const among = [...lists].map((list) => `${compared} IN (${bindList(column, list, bind)})`)
  return `(${reference} IS NOT NULL AND ${among.length > 1 ? `(${among.join(' OR ')})` : among[0]})`
}

/** Longer lists are bound as one value: DuckDB is slow with thousands of parameters. */
const LONG_LIST = 50

/** Writes values that are compared as one type. */
const bindList = (column: Column, values: (string | number | boolean)[], bind: Bind): string => {
  if (values.length <= LONG_LIST) return values.map((value) => bindOne(column, value, bind)).join(', ')
  const texts = values.map((value) => readExact(column, value)?.text ?? String(value))
  return `SELECT CAST(unnest(${bind(texts)}) AS ${comparedType(column, values[0] ?? '')})`
}

const bindOne = (column: Column, value: string | number | boolean, bind: Bind) => {
  // Comparing integers with an integer avoids a conversion for every row.
  if (column.kind === 'integer' && Number.isSafeInteger(value))
    return `CAST(${bind(BigInt(value))} AS BIGINT)`
  const exact = readExact(column, value)
  return `CAST(${bind(exact?.text ?? value)} AS ${exact?.type ?? sqlType(column)})`
}

/** Digits that do not fit the type equal none of its values; as a double, they could equal some. */
const mayEqual = (column: Column, value: string | number | boolean): boolean =>
  typeof value !== 'string' || !hasDigits(column) || readExact(column, value) !== undefined

/** Returns the type as which a value is compared. */
const comparedType = (column: Column, value: string | number | boolean): string =>
  readExact(column, value)?.type ?? sqlType(column)

const compileAdvanced = (reference: string, column: Column, filter: AdvancedFilter, bind: Bind) => {
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

const compileCondition = (
  reference: string,
  column: Column,
  { operator, value = null }: Condition,
  bind: Bind,
) => {
  const compared = comparable(reference, column)
  const bound = () => bindOne(column, comparedValue(column, value), bind)
  const has = (part: TextPart) => {
    requireText(column, operator)
    return hasPart(reference, column, part, String(comparedValue(column, value)), bind)
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
const hasPart = (reference: string, column: Column, part: TextPart, text: string, bind: Bind) => {
  if (column.spellings) {
    const isWanted = (known: string) => (part === 'contains' ? known.includes(text) : known.startsWith(text))
    return isAmong(reference, column, [...column.spellings.keys()].filter(isWanted), bind)
  }
  return `coalesce(${part}(${comparable(reference, column)}, ${bindOne(column, text, bind)}), FALSE)`
}

/** Text compares without case, as in Power BI; dates compare as instants: '…T12:00' is noon. */
const comparable = (reference: string, column: Column) => {
  const compared = exact(reference, column)
  return isText(column) ? `lower(${compared})` : compared
}

const isText = ({ kind }: Column): boolean => kind === 'text' || kind === 'other' || kind === 'time'

/** Text compares by its letters. */
const exact = (reference: string, { kind }: Column) => {
  if (kind === 'other' || kind === 'time') return `CAST(${reference} AS VARCHAR)`
  return kind === 'date' || kind === 'timestamp' ? `CAST(${reference} AS TIMESTAMP)` : reference
}

/** Returns the value in the form that `comparable` gives a column. */
const comparedValue = (column: Column, value: Scalar) => {
  const checked = checkValue(column, value)
  return typeof checked === 'string' && isText(column) ? lowerCased(checked) : checked
}

/**
 * Returns a value that was in a list or under a click; undefined for one that the column cannot have.
 * Its type may have changed since: stored views keep such values, and they equal no row.
 */
const listedValue = (column: Column, value: Scalar) => {
  const text = typeof value === 'number' && isText(column) ? digitsOf(value) : undefined
  return fits(column, text ?? value) ? checkValue(column, text ?? value) : undefined
}

/**
 * Returns a text in lower case as DuckDB's `lower` does: letter by letter. JavaScript knows a final
 * ς, and two characters for İ.
 */
export const lowerCased = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0)).join('')

const sqlType = ({ kind }: Column) => {
  if (kind === 'integer' || kind === 'number') return 'DOUBLE'
  if (kind === 'date' || kind === 'timestamp') return 'TIMESTAMP'
  return kind === 'boolean' ? 'BOOLEAN' : 'VARCHAR'
}

/**
 * Returns the value as it is bound.
 * @throws FilterError when it does not fit the column
 */
const checkValue = (column: Column, value: Scalar): string | number | boolean => {
  const { kind } = column
  if (!fits(column, value))
    throw new FilterError(`o valor ${JSON.stringify(value)} não serve para a coluna ${column.name} (${kind})`)
  const isMoment = kind === 'date' || kind === 'timestamp'
  return isMoment && typeof value === 'string' ? value.replace('T', ' ').replace('Z', '') : value
}

const fits = ({ kind }: Column, value: Scalar): value is string | number | boolean => {
  // Digits that a JSON number cannot hold come as text, as they were sent.
  if (kind === 'integer' || kind === 'number')
    return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))
  if (kind === 'boolean') return typeof value === 'boolean'
  if (typeof value !== 'string') return false
  return (kind !== 'date' && kind !== 'timestamp') || isInstant(value)
}

/** JSON has no other form of the last three. */
const NUMBER = /^(-?\d{1,40}(\.\d{1,40})?|NaN|-?Infinity)$/

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)( \(BC\))?(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?Z?)?$/

/**
 * A valid day as yyyy-mm-dd, with or without time. UTC instants compare with the data as is. Years
 * before 1 are as DuckDB writes them: 0001-12-31 (BC).
 */
const isInstant = (text: string) => {
  const [, year, month, day, isBefore] = INSTANT.exec(text) ?? []
  if (!year || Number(year) === 0) return false
  const date = new Date(0)
  date.setUTCFullYear(isBefore ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

const requireText = (column: Column, operator: string) => {
  if (!isText(column))
    throw new FilterError(`${operator} só vale para texto, e a coluna ${column.name} não é`)
}
