import type { Cell, VisualData } from '../../wire/embed-contract.ts'
import type { AggregationTable, Dataset, Visual } from '../data/catalog.ts'
import { quote } from '../data/database/database.ts'
import { wireExpression } from '../sql/cell-expressions.ts'
import type { ResolvedFilter } from './filters.ts'
import { queryVisual, type RunStatement } from './query.ts'
import type { Reader } from './row-security.ts'

/** Keys by which the results are filtered, and roles with which they are compared. */
const MAX_KEYS = 6
const MAX_ROLES = 5
/** Relative difference of two numbers up to which they are equal: sums depend on their order. */
const TOLERANCE = 1e-9

type Case = { reader: Reader | undefined; filters: ResolvedFilter[]; name: string }

/**
 * Compares the results of a visual with and without its aggregation table on the data, with several
 * filters and roles. Returns a description of the first case in which they differ, with a value of
 * the data only with `quotesData`.
 */
export const findDifference = async (
  given: Dataset,
  visual: Visual,
  { quotesData }: { quotesData: boolean },
): Promise<string | undefined> => {
  const { aggregation, ...plain } = visual
  if (!aggregation) return undefined
  // All rows are compared too: a role may show none to the user that is made up here.
  const dataset = { ...given, definition: { ...given.definition, requiresIdentity: false } }
  const runStatement: RunStatement = (write) => {
    const { text, values } = write()
    return dataset.database.query(text, values)
  }
  for (const { reader, filters, name } of await casesOf(dataset, aggregation, quotesData)) {
    let drillPath: Cell[] = []
    for (const _shape of visual.queries) {
      const question = { filters, drillPath }
      const expected = await queryVisual(runStatement, dataset, plain, reader, question)
      const found = await queryVisual(runStatement, dataset, visual, reader, question)
      if (!isEqual(expected, found)) return name
      const [first] = expected.rows
      // The next level of a hierarchy, below its first value.
      if (!first) break
      drillPath = [...drillPath, first[0] ?? null]
    }
  }
  return undefined
}

/** Each reader without a filter, the first with each filter, every other with one of them. */
const casesOf = async (
  dataset: Dataset,
  aggregation: AggregationTable,
  quotesData: boolean,
): Promise<Case[]> => {
  const filters = await filtersOf(dataset, aggregation, quotesData)
  const text = filters.flatMap(({ filter }) => filter.values).find((value) => typeof value === 'string')
  const roles = dataset.roles.slice(0, MAX_ROLES).map(({ name }) => ({
    reader: { username: String(text ?? ''), roles: [name], customData: String(text ?? '') },
    as: `papel ${name}`,
  }))
  const readers = [{ reader: undefined, as: 'sem papel' }, ...roles]
  return readers.flatMap(({ reader, as }, index) => {
    const some = index === 0 ? filters : filters.slice(index % (filters.length || 1)).slice(0, 1)
    return [
      { reader, filters: [], name: `${as}, sem filtro` },
      ...some.map(({ filter, name }) => ({ reader, filters: [filter], name: `${as}, filtro ${name}` })),
    ]
  })
}

const filtersOf = async (
  { database }: Dataset,
  { table, by, source }: AggregationTable,
  quotesData: boolean,
) => {
  const columns = [...table.columns.entries()].filter(([name]) => by.has(name)).slice(0, MAX_KEYS)
  return Promise.all(
    columns.map(async ([, { name, type }], index) => {
      const wire = wireExpression(quote(name), type)
      const rows = await database.query(
        `SELECT ${wire} FROM (SELECT DISTINCT ${quote(name)} FROM ${source}) ORDER BY ${quote(name)} NULLS LAST LIMIT 2`,
      )
      // The second value: the first is often a special one, such as an empty text.
      const value = rows.at(-1)?.[0] ?? null
      const operator: 'In' | 'NotIn' = index % 2 ? 'NotIn' : 'In'
      const filter = { target: { table: table.name, column: name }, operator, values: [value] }
      const shown = quotesData ? ` = ${value ?? 'em branco'}` : ''
      return { filter, name: `${operator === 'In' ? '' : 'não '}${name}${shown}` }
    }),
  )
}

const isEqual = (one: VisualData, other: VisualData): boolean => {
  const rowsOf = ({ rows, totals = [] }: VisualData) => [...sorted(rows), totals]
  const [left, right] = [rowsOf(one), rowsOf(other)]
  return (
    left.length === right.length &&
    left.every((row, at) => row.every((cell, column) => isSameCell(cell, right[at]?.[column] ?? null)))
  )
}

/** An ORDER BY may leave the order of some rows open. */
const sorted = (rows: Cell[][]) =>
  rows
    .map((row) => ({ row, key: JSON.stringify(row.map(rounded)) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row)

const rounded = (cell: Cell) => (typeof cell === 'number' ? cell.toPrecision(9) : cell)

const isSameCell = (one: Cell, other: Cell): boolean => {
  if (Object.is(one, other)) return true
  if (typeof one !== 'number' || typeof other !== 'number') return false
  return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one), Math.abs(other))
}
