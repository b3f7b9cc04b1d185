import { cellText } from '@bi-manager/contract/filter-text'
import {
  FOLDED_APOSTROPHES,
  FOLDED_LETTERS,
  FOLDED_PAIRS,
  foldForSearch,
} from '@bi-manager/contract/fold-text'
import { MAX_CALL_POINTS, MAX_TOP_N } from '../../definitions/filter-operators.ts'
import type {
  Cell,
  ColumnKind,
  ColumnValues,
  ColumnValuesRequest,
  Sort,
  VisualData,
} from '../../wire/embed-contract.ts'
import {
  type AggregationTable,
  type CheckedQuery,
  type Dataset,
  findColumn,
  type Table,
  type Visual,
} from '../data/catalog.ts'
import { kindOf } from '../data/columns/column-kind.ts'
import { findNotNumbers } from '../data/columns/not-numbers.ts'
import { type Parameter, type Parameters, quote, type Rows } from '../data/database/database.ts'
import { cutTextsIn, sentBackText, wireExpression } from '../sql/cell-expressions.ts'
import { drillParameter, orderBy } from '../sql/drill.ts'
import { servesRows } from './aggregation-tables.ts'
import {
  type Bind,
  compileFilter,
  FilterError,
  isPoints,
  isTopN,
  type ResolvedFilter,
  tableOf,
  targetsOf,
} from './filters.ts'
import { predicatesFor, type Reader, restrictedSelect } from './row-security.ts'
import { withWholeDays } from './whole-days.ts'

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const letters = literal(FOLDED_LETTERS.map(([letter]) => letter).join('') + FOLDED_APOSTROPHES)
const typed = literal(FOLDED_LETTERS.map(([, letter]) => letter).join(''))

/**
 * Returns SQL for the text that a search compares, as the portal's searches fold it: without case,
 * marks and apostrophes, in letters that people type (ADR 0094).
 * @param text SQL
 */
const foldedText = (text: string): string =>
  FOLDED_PAIRS.reduce(
    (folded, [letter, two]) => `replace(${folded}, ${literal(letter)}, ${literal(two)})`,
    // `translate` removes a letter without a counterpart: the apostrophes.
    `translate(lower(strip_accents(${text})), ${letters}, ${typed})`,
  )

const MAX_ROWS = 10_000
/** The rows of a matrix are its cells, and the totals come last. */
const MAX_MATRIX_ROWS = 50_000
const MAX_VALUES = 200

export type Statement = { text: string; values: Parameters }
/** Calls `write` and runs its statement when a slot is free: writing long filters is slow too. */
export type RunStatement = (write: () => Statement) => Promise<Rows>

/** The question of one visual: the filters in force, its drill path, and an order of its rows. */
export type VisualQuestion = { filters: ResolvedFilter[]; drillPath: Cell[]; sort?: Sort | undefined }

/**
 * Returns the rows of a visual, restricted to the identity's rows and by all filters.
 * @throws IdentityError, FilterError
 */
export const queryVisual = async (
  runStatement: RunStatement,
  dataset: Dataset,
  visual: Visual,
  identity: Reader | undefined,
  { filters, drillPath, sort }: VisualQuestion,
): Promise<VisualData> => {
  const aggregations = visual.aggregation ? [visual.aggregation] : []
  const rowsOf = (query: CheckedQuery, order = '', most = MAX_ROWS) =>
    runStatement(() =>
      selectFrom(query, scopeOf(dataset, identity, filters, query.reads, aggregations), {
        drillPath,
        order,
        most,
      }),
    )
  const { columns, totals } = visual
  const query = visual.queries[drillPath.length] ?? visual.queries[0]
  // The rows of a matrix are ordered by their keys.
  const sorted = query.levels ? undefined : query.columns.find(({ name }) => name === sort?.column)
  const order = sort && sorted && orderBy(sorted.name, sorted.type, sort.descending)
  const most = query.levels ? MAX_MATRIX_ROWS : MAX_ROWS
  const [found, sums] = await Promise.all([rowsOf(query, order, most), totals && rowsOf(totals)])
  const truncated = found.length > most
  const rows = found.slice(0, most)
  const names = columns.map(({ name }) => name)
  const width = names.length
  const cut = query.levels ? rows.map((row) => row.slice(0, width)) : rows
  const shown = withWholeDays(cut, query.columns, dataset.definition.timeZone)
  const ownTotals = totals && names.map((name) => cellOf(totals, sums?.[0], name))
  const notNumbers = findNotNumbers(ownTotals ? [...shown, ownTotals] : shown)
  return {
    columns: names,
    kinds: kindsOf(query),
    rows: shown,
    truncated,
    ...cutTextsOf(query, shown),
    ...(order && { sort }),
    ...(totals && {
      totals: ownTotals,
      totalKinds: names.map((name) => kindOf(totals.columns.find((one) => one.name === name)?.type ?? '')),
    }),
    ...(notNumbers.length > 0 && { notNumbers }),
    ...(query.levels && { levels: rows.map((row) => [Number(row[width]), Number(row[width + 1])]) }),
  }
}

/** Cells of a matrix repeat the keys of their row and column. */
const cutTextsOf = ({ columns, levels, mostLetters }: CheckedQuery, rows: Rows) => {
  if (mostLetters === undefined) return {}
  const types = columns.map(({ type }) => type)
  const cut = cutTextsIn(rows, types, mostLetters)
  const count = levels ? new Set(cut).size : cut.length
  return count > 0 ? { cutTexts: count } : {}
}

/**
 * Returns the rows that a visual aggregates: at most `most`, restricted like its own.
 * @throws IdentityError, FilterError
 */
export const queryUnderlying = async (
  runStatement: RunStatement,
  dataset: Dataset,
  query: CheckedQuery,
  identity: Reader | undefined,
  { filters, drillPath, most }: VisualQuestion & { most: number },
): Promise<VisualData> => {
  const found = await runStatement(() =>
    selectFrom(query, scopeOf(dataset, identity, filters, query.reads, []), { drillPath, order: '', most }),
  )
  const rows = found.slice(0, most)
  const notNumbers = findNotNumbers(rows)
  return {
    columns: query.columns.map(({ name }) => name),
    kinds: kindsOf(query),
    rows,
    truncated: found.length > most,
    ...cutTextsOf(query, rows),
    ...(notNumbers.length > 0 && { notNumbers }),
  }
}

/**
 * Returns the ids of the beneficiaries in the rows that a visual aggregates, sorted: at most
 * `most`, restricted like its own rows; and how many more there are.
 * @throws IdentityError, FilterError
 */
export const queryBeneficiaries = async (
  runStatement: RunStatement,
  dataset: Dataset,
  { query, column }: { query: CheckedQuery; column: string },
  identity: Reader | undefined,
  { filters, drillPath, most }: VisualQuestion & { most: number },
): Promise<{ ids: string[]; more: number }> => {
  const id = `trim(CAST(${quote(column)} AS VARCHAR))`
  const distinct = {
    ...query,
    sql: `SELECT DISTINCT ${id} AS id FROM (${query.sql}\n) WHERE ${id} <> ''`,
    columns: [
      { name: 'id', type: 'VARCHAR', expression: 'id' },
      { name: 'total', type: 'DOUBLE', expression: 'CAST(count(*) OVER () AS DOUBLE)' },
    ],
  }
  const found = await runStatement(() =>
    selectFrom(distinct, scopeOf(dataset, identity, filters, query.reads, []), {
      drillPath,
      order: 'id',
      most,
    }),
  )
  const ids = found.slice(0, most).map(([value]) => String(value))
  return { ids, more: Number(found[0]?.[1] ?? 0) - ids.length }
}

type Selecting = { drillPath: Cell[]; order: string; most: number }

/** One more row than `most` tells whether there are others. */
const selectFrom = (
  query: CheckedQuery,
  { prefix, values }: Scope,
  { drillPath, order, most }: Selecting,
): Statement => {
  const list = [...query.columns.map(({ expression }) => expression), ...(query.levels ?? [])].join(', ')
  drillPath.forEach((value, level) => {
    values[drillParameter(level)] = sentBackText(value)
  })
  const sorted = order && ` ORDER BY ${order}`
  return { text: `${prefix}SELECT ${list} FROM (${query.sql}\n)${sorted} LIMIT ${most + 1}`, values }
}

const kindsOf = ({ columns }: CheckedQuery) => columns.map(({ type }) => kindOf(type))

const cellOf = ({ columns }: CheckedQuery, row: Cell[] | undefined, wanted: string): Cell =>
  row?.[columns.findIndex(({ name }) => name === wanted)] ?? null

/** The labels that a report gives to values, by their texts. */
type ValueLabels = Readonly<Record<string, { label?: string | undefined }>>

/** Returns the condition that a value has each word of a search, in any order. */
const searchOf = (kind: ColumnKind, search: string, labels: ValueLabels) => {
  const words = search.split(/\s+/).filter(Boolean)
  const isNumber = kind === 'integer' || kind === 'number'
  const contains = (parameter: string) => `contains(folded, ${foldedText(`$${parameter}`)})`
  const conditions = words.map((_, n) => {
    const other = isNumber ? contains(`digits${n}`) : `list_contains($labelled${n}, text)`
    return `(${contains(`search${n}`)} OR ${other})`
  })
  const parameters: Parameters = Object.fromEntries(
    words.flatMap((word, n) => [
      [`search${n}`, word],
      isNumber ? [`digits${n}`, asDigits(word)] : [`labelled${n}`, labelledWith(labels, word)],
    ]),
  )
  return { condition: conditions.length > 0 ? conditions.join(' AND ') : 'true', parameters }
}

const labelledWith = (labels: ValueLabels, word: string): string[] =>
  Object.entries(labels).flatMap(([value, { label }]) =>
    label !== undefined && foldForSearch(label).includes(foldForSearch(word)) ? [value] : [],
  )

/** Returns SQL for the texts of `value` that a search finds: as it is kept, and as the page shows it. */
const searchedText = (kind: ColumnKind): string => {
  const text = 'CAST(value AS VARCHAR)'
  const shown: Partial<Record<ColumnKind, string>> = {
    date: `strftime(value, '%d/%m/%Y')`,
    timestamp: `strftime(CAST(value AS TIMESTAMP), '%d/%m/%Y %H:%M:%S')`,
    boolean: `CASE WHEN value THEN 'Sim' ELSE 'Não' END`,
    text: `CASE WHEN value = '' THEN ${literal(cellText(''))} END`,
  }
  return `CASE WHEN value IS NULL THEN ${literal(cellText(null))} ELSE concat_ws(' ', ${text}, ${shown[kind] ?? 'NULL'}) END`
}

/**
 * Returns the sorted values of a column in the rows that the identity may see. `search` finds each
 * of its words in their text, also as the page shows it; `bounds` returns only the minimum and the
 * maximum.
 */
export const queryValues = async (
  runStatement: RunStatement,
  dataset: Dataset,
  identity: Reader | undefined,
  { target, search = '', bounds = false }: ColumnValuesRequest,
  labels: ValueLabels = {},
): Promise<ColumnValues> => {
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
    return { values: rows.map(([value = null]) => value), kind: column.kind, truncated: false }
  }
  const { condition, parameters } = searchOf(column.kind, search, labels)
  const distinct = `(SELECT DISTINCT ${name} FROM ${quote(table.name)}) AS found(value)`
  const text = `SELECT ${wireExpression('value', column.type)}
    FROM (SELECT value, CAST(${wireExpression('value', column.type)} AS VARCHAR) AS text,
      ${foldedText(searchedText(column.kind))} AS folded FROM ${distinct})
    WHERE ${condition}
    ORDER BY value${column.kind === 'text' ? ' COLLATE pt' : ''} NULLS FIRST LIMIT ${MAX_VALUES + 1}`
  const rows = await run(text, parameters)
  return {
    // JSON would write NaN and infinity as null, which is blank.
    values: rows
      .slice(0, MAX_VALUES)
      .map(([value = null]) =>
        typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
      ),
    kind: column.kind,
    truncated: rows.length > MAX_VALUES,
  }
}

/**
 * Returns whether a table has a row that the identity may see and that all filters keep.
 * @throws IdentityError, FilterError
 */
export const hasRows = async (
  runStatement: RunStatement,
  dataset: Dataset,
  table: Table,
  identity: Reader | undefined,
  filters: ResolvedFilter[],
): Promise<boolean> => {
  const found = await runStatement(() => {
    const { prefix, values } = scopeOf(dataset, identity, filters, [table], [])
    return { text: `${prefix}SELECT 1 FROM ${quote(table.name)} LIMIT 1`, values }
  })
  return found.length > 0
}

/**
 * Returns whether the identity sees a row below a drill path, without any filter.
 * @throws IdentityError
 */
export const hasRowsBelow = async (
  runStatement: RunStatement,
  dataset: Dataset,
  { queries, aggregation }: Visual,
  identity: Reader | undefined,
  drillPath: Cell[],
): Promise<boolean> => {
  const query = queries[drillPath.length]
  if (!query) return true
  const aggregations = aggregation ? [aggregation] : []
  const found = await runStatement(() =>
    selectFrom(query, scopeOf(dataset, identity, [], query.reads, aggregations), {
      drillPath,
      order: '',
      most: 0,
    }),
  )
  return found.length > 0
}

/** Lists show 1.234,5, and the data has 1234.5. */
const asDigits = (text: string) => text.replaceAll('.', '').replace(',', '.').replace('−', '-')

/**
 * Validates filters against the model, even those on tables that no query reads.
 * @throws FilterError
 */
export const checkFilters = (dataset: Dataset, filters: ResolvedFilter[]) => {
  const points = filters.filter(isPoints).flatMap(({ values }) => values.flat())
  if (points.length > MAX_CALL_POINTS)
    throw new FilterError(`os filtros de inclusão e exclusão têm no máximo ${MAX_CALL_POINTS} pontos ao todo`)
  if (filters.filter(isTopN).length > MAX_TOP_N)
    throw new FilterError(`há no máximo ${MAX_TOP_N} filtros dos N principais de uma vez`)
  for (const filter of filters) compileFilter(dataset, filter, () => '')
}

type Scope = { prefix: string; values: Parameters }

/**
 * Builds the WITH clause of a query: each table that it reads, under its plain name, with the
 * allowed rows only. Other tables are unreachable. Filters on tables that the query does not read
 * have no effect.
 */
const scopeOf = (
  dataset: Dataset,
  identity: Reader | undefined,
  filters: ResolvedFilter[],
  reads: Table[],
  aggregations: AggregationTable[],
): Scope => {
  const values: Parameters = {}
  let bound = 0
  const bind: Bind = (value: Parameter) => {
    const name = `f${bound}`
    bound += 1
    values[name] = value
    return `$${name}`
  }
  const ctes = reads.map((table) => {
    const predicates = predicatesFor(dataset, identity, table)
    for (const name of predicates.flatMap(({ parameters }) => parameters)) {
      values[name] = (name === 'username' ? identity?.username : identity?.customData) ?? null
    }
    const own = filters.filter((filter) => tableOf(dataset, filter) === table)
    const restricted = predicates.length > 0
    const compile = (filter: ResolvedFilter, rows?: string) =>
      compileFilter(dataset, filter, bind, { restricted, ...(rows ? { rows } : {}) }).condition
    const conditions = own.filter((filter) => !isTopN(filter)).map((filter) => compile(filter))
    // A top N counts among the rows that all other filters keep.
    const kept = restrictedSelect(table, predicates, conditions)
    const first = own.filter(isTopN).map((filter) => compile(filter, kept))
    const columns = own.flatMap(targetsOf).map(({ column }) => column.toLowerCase())
    const aggregation = aggregations.find(
      (one) => one.table === table && servesRows(one, columns, predicates),
    )
    const rows = restrictedSelect(table, predicates, [...conditions, ...first], aggregation?.source)
    return `${quote(table.name)} AS NOT MATERIALIZED (${rows})`
  })
  return { prefix: ctes.length ? `WITH ${ctes.join(', ')} ` : '', values }
}
