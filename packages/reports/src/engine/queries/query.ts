import type { Cell, ColumnValues, VisualData } from '../../contract/embed-contract.ts'
import {
  type AggregationTable,
  type CheckedQuery,
  type Dataset,
  findColumn,
  type Table,
  type Visual,
} from '../data/catalog.ts'
import { type Parameter, type Parameters, quote, type Rows } from '../data/database.ts'
import type { Filter, Target } from '../definitions/definition.ts'
import { wireExpression } from '../sql/cell-expressions.ts'
import { drillParameter } from '../sql/drill.ts'
import { servesRows } from './aggregation-tables.ts'
import { type Bind, compileFilter, FilterError } from './filters.ts'
import { predicatesFor, type Reader, restrictedSelect } from './row-security.ts'

const MAX_ROWS = 10_000
const MAX_VALUES = 200

export type Statement = { text: string; values: Parameters }
/** Calls `write` and runs its statement when a slot is free: writing long filters is slow too. */
export type RunStatement = (write: () => Statement) => Promise<Rows>

/** The question of one visual: the filters in force, and its drill path. */
export type VisualQuestion = { filters: Filter[]; drillPath: Cell[] }

/**
 * Returns the rows of a visual, restricted to the identity's rows and by all filters.
 * @throws IdentityError, FilterError
 */
export async function queryVisual(
  runStatement: RunStatement,
  dataset: Dataset,
  visual: Visual,
  identity: Reader | undefined,
  { filters, drillPath }: VisualQuestion,
): Promise<VisualData> {
  const aggregations = visual.aggregation ? [visual.aggregation] : []
  const rowsOf = async (query: CheckedQuery) => {
    const list = [...query.columns.map(({ expression }) => expression), ...(query.levels ?? [])].join(', ')
    return runStatement(() => {
      const { prefix, values } = scopeOf(dataset, identity, filters, query.reads, aggregations)
      drillPath.forEach((value, level) => {
        values[drillParameter(level)] = value
      })
      return { text: `${prefix}SELECT ${list} FROM (${query.sql}\n) LIMIT ${MAX_ROWS + 1}`, values }
    })
  }
  const { columns, totals } = visual
  const query = visual.queries[drillPath.length] ?? visual.queries[0]
  const [found, sums] = await Promise.all([rowsOf(query), totals && rowsOf(totals)])
  const truncated = found.length > MAX_ROWS
  const rows = found.slice(0, MAX_ROWS)
  const names = columns.map(({ name }) => name)
  const width = names.length
  return {
    columns: names,
    rows: query.levels ? rows.map((row) => row.slice(0, width)) : rows,
    truncated,
    ...(totals && { totals: names.map((name) => cellOf(totals, sums?.[0], name)) }),
    ...(query.levels && { levels: rows.map((row) => [Number(row[width]), Number(row[width + 1])]) }),
  }
}

const cellOf = ({ columns }: CheckedQuery, row: Cell[] | undefined, wanted: string): Cell =>
  row?.[columns.findIndex(({ name }) => name === wanted)] ?? null

/**
 * Returns the sorted values of a column in the rows that the identity may see. `search` matches
 * part of their text; `bounds` returns only the minimum and the maximum.
 */
export async function queryValues(
  runStatement: RunStatement,
  dataset: Dataset,
  identity: Reader | undefined,
  {
    target,
    search = '',
    bounds = false,
  }: { target: Target; search?: string | undefined; bounds?: boolean | undefined },
): Promise<ColumnValues> {
  const found = findColumn(dataset, target)
  if (!found) throw new FilterError(`a coluna ${target.table}.${target.column} não existe`)
  const { table, column } = found
  const name = quote(column.name)
  const wire = wireExpression(name, column.type)
  // Counts do not matter here, so any aggregation table by this column will do.
  const serving = dataset.aggregations.filter(({ by }) => by.has(column.name.toLowerCase()))
  const run = (select: string, parameters: Parameters = {}) =>
    runStatement(() => {
      const { prefix, values } = scopeOf(dataset, identity, [], [table], serving)
      return { text: `${prefix}${select}`, values: { ...values, ...parameters } }
    })
  if (bounds) {
    const ends = `SELECT unnest([min(${name}), max(${name})]) AS ${name} FROM ${quote(table.name)}`
    const rows = await run(`SELECT ${wire} FROM (${ends}) WHERE ${name} IS NOT NULL ORDER BY ${name}`)
    return { values: rows.map(([value = null]) => value), truncated: false }
  }
  const text = `SELECT ${wire}
    FROM (SELECT DISTINCT ${name} FROM ${quote(table.name)})
    ${search ? `WHERE contains(${plain(`CAST(${name} AS VARCHAR)`)}, ${plain('$search')})` : ''}
    ORDER BY ${name}${column.kind === 'text' ? ' COLLATE pt' : ''} NULLS FIRST LIMIT ${MAX_VALUES + 1}`
  const rows = await run(text, search ? { search } : {})
  return {
    values: rows.slice(0, MAX_VALUES).map(([value = null]) => value),
    truncated: rows.length > MAX_VALUES,
  }
}

/** Ignores case and accents. */
const plain = (text: string) => `strip_accents(lower(${text}))`

/**
 * Validates filters against the model, even those on tables that no query reads.
 * @throws FilterError
 */
export function checkFilters(dataset: Dataset, filters: Filter[]) {
  for (const filter of filters) compileFilter(dataset, filter, () => '')
}

type Scope = { prefix: string; values: Parameters }

/**
 * Builds the WITH clause of a query: each table that it reads, under its plain name, with the
 * allowed rows only. Other tables are unreachable. Filters on tables that the query does not read
 * have no effect.
 */
function scopeOf(
  dataset: Dataset,
  identity: Reader | undefined,
  filters: Filter[],
  reads: Table[],
  aggregations: AggregationTable[],
): Scope {
  const values: Parameters = {}
  const bind: Bind = (value: Parameter) => {
    const name = `f${Object.keys(values).length}`
    values[name] = value
    return `$${name}`
  }
  const conditions = new Map<Table, { columns: string[]; sql: string[] }>(
    reads.map((table) => [table, { columns: [], sql: [] }]),
  )
  for (const filter of filters) {
    const found = findColumn(dataset, filter.target)
    const own = found && conditions.get(found.table)
    if (!own) continue
    own.columns.push(found.column.name.toLowerCase())
    const restricted = predicatesFor(dataset, identity, found.table).length > 0
    own.sql.push(compileFilter(dataset, filter, bind, { restricted }).condition)
  }
  const ctes = [...conditions].map(([table, own]) => {
    const predicates = predicatesFor(dataset, identity, table)
    for (const name of predicates.flatMap(({ parameters }) => parameters)) {
      values[name] = (name === 'username' ? identity?.username : identity?.customData) ?? null
    }
    const aggregation = aggregations.find(
      (one) => one.table === table && servesRows(one, own.columns, predicates),
    )
    const rows = restrictedSelect(table, predicates, own.sql, aggregation?.source)
    return `${quote(table.name)} AS NOT MATERIALIZED (${rows})`
  })
  return { prefix: ctes.length ? `WITH ${ctes.join(', ')} ` : '', values }
}
