import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { ColumnValues, PageData, VisualData } from '../embed-contract.ts'
import { type Dataset, findColumn, type Page, type Report, type Table } from './catalog.ts'
import { type Parameters, quote, type Rows } from './database.ts'
import type { Filter, Target } from './definition.ts'
import { type Bind, compileFilter, FilterError } from './filters.ts'
import { predicatesFor, type Reader, restrictedSelect } from './row-security.ts'
import { toCells, wireExpression } from './wire.ts'

const MAX_ROWS = 10_000
const MAX_VALUES = 200

export type Statement = { text: string; values: Parameters; types: Record<string, DuckDBType> }
/** Writes a statement and runs it, when its turn comes: long filters are dear to write too. */
export type Ask = (write: () => Statement) => Promise<Rows>

/** The rows of every visual of a page, as one identity may see them and restricted by all the filters. */
export async function queryPage(
  ask: Ask,
  { dataset }: Report,
  page: Page,
  identity: Reader | undefined,
  filters: Filter[],
): Promise<PageData> {
  const visuals = await Promise.all(
    page.visuals.map(async ({ definition, sql, reads, columns }): Promise<[string, VisualData]> => {
      const list = columns.map(({ expression }) => expression).join(', ')
      const found = await ask(() => {
        const { prefix, values, types } = scopeOf(dataset, identity, filters, reads)
        return { text: `${prefix}SELECT ${list} FROM (${sql}\n) LIMIT ${MAX_ROWS + 1}`, values, types }
      })
      const rows = toCells(found)
      const names = columns.map(({ name }) => name)
      const truncated = rows.length > MAX_ROWS
      return [definition.name, { columns: names, rows: rows.slice(0, MAX_ROWS), truncated }]
    }),
  )
  return { visuals: Object.fromEntries(visuals), failures: {} }
}

/** The values of a column in the rows that the identity may see, in order; `search` is a part of their text. */
export async function queryValues(
  ask: Ask,
  dataset: Dataset,
  identity: Reader | undefined,
  target: Target,
  search = '',
): Promise<ColumnValues> {
  const found = findColumn(dataset, target)
  if (!found) throw new FilterError(`a coluna ${target.table}.${target.column} não existe`)
  const { prefix, values, types } = scopeOf(dataset, identity, [], [found.table])
  const column = quote(found.column.name)
  if (search) values.search = search.toLowerCase()
  const text = `${prefix}SELECT ${wireExpression(column, found.column.type)}
    FROM (SELECT DISTINCT ${column} FROM ${quote(found.table.name)}
      ${search ? `WHERE contains(lower(CAST(${column} AS VARCHAR)), $search)` : ''})
    ORDER BY ${column}${found.column.kind === 'text' ? ' COLLATE pt' : ''} NULLS FIRST LIMIT ${MAX_VALUES + 1}`
  const rows = toCells(await ask(() => ({ text, values, types })))
  return {
    values: rows.slice(0, MAX_VALUES).map(([value = null]) => value),
    truncated: rows.length > MAX_VALUES,
  }
}

type Scope = { prefix: string; values: Parameters; types: Record<string, DuckDBType> }

/**
 * The WITH that stands before a query: under the plain name of each table that it reads, only the rows allowed. What has
 * no such name cannot be reached at all. Filters on tables that the query does not read are checked and have no effect.
 */
function scopeOf(dataset: Dataset, identity: Reader | undefined, filters: Filter[], reads: Table[]): Scope {
  const values: Parameters = {}
  const types: Record<string, DuckDBType> = {}
  const bind: Bind = (value: DuckDBValue, type?: DuckDBType) => {
    const name = `f${Object.keys(values).length}`
    values[name] = value
    if (type) types[name] = type
    return `$${name}`
  }
  const conditions = new Map<Table, string[]>(reads.map((table) => [table, []]))
  for (const filter of filters) {
    const { table } = compileFilter(dataset, filter, () => '')
    const own = conditions.get(table)
    // DuckDB refuses a value that no parameter takes: bound only where the condition is used.
    if (own) own.push(compileFilter(dataset, filter, bind).condition)
  }
  const ctes = [...conditions].map(([table, own]) => {
    const predicates = predicatesFor(dataset, identity, table)
    for (const name of predicates.flatMap(({ parameters }) => parameters)) {
      values[name] = (name === 'username' ? identity?.username : identity?.customData) ?? null
    }
    return `${quote(table.name)} AS NOT MATERIALIZED (${restrictedSelect(table, predicates, own)})`
  })
  return { prefix: ctes.length ? `WITH ${ctes.join(', ')} ` : '', values, types }
}
