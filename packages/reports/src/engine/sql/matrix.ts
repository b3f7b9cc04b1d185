import type { VisualDefinition } from '../../definitions/definition.ts'
import { quote } from '../data/database/database.ts'
import { measureColumns, orderBy, type ResultColumn } from './drill.ts'

type Matrix = NonNullable<VisualDefinition['matrix']>

/** Columns for the number of keys of a row; an author's column cannot have such a name. */
export const MATRIX_LEVELS = ['#rows', '#columns'] as const

/**
 * Returns SQL for rows × columns, with a row for each subtotal and total: every prefix of the row
 * keys with every prefix of the column keys. Ordered by keys; totals follow what they sum.
 */
export const matrixSql = (
  { rows, columns, values, subtotals }: Matrix,
  query: string,
  described: ResultColumn[],
) => {
  const keys = [...rows, ...columns]
  const depths = (count: number) =>
    subtotals ? Array.from({ length: count + 1 }, (_, depth) => depth) : [count]
  const sets = depths(rows.length).flatMap((deep) =>
    depths(columns.length).map((wide) => [...rows.slice(0, deep), ...columns.slice(0, wide)]),
  )
  const isSummedUp = (key: string) => `grouping(${quote(key)})`
  const present = (of: string[], name: string) =>
    `${[of.length, ...of.map(isSummedUp)].join(' - ')} AS ${quote(name)}`
  const selected = [
    ...keys.map(quote),
    ...measureColumns(values),
    ...keys.map((key) => `${isSummedUp(key)} AS ${quote(summedUp(key))}`),
    present(rows, MATRIX_LEVELS[0]),
    present(columns, MATRIX_LEVELS[1]),
  ]
  const typeOf = (key: string) => described.find(({ name }) => name === key)?.type ?? ''
  const order = keys.flatMap((key) => [quote(summedUp(key)), orderBy(key, typeOf(key))])
  return `SELECT * FROM (
SELECT ${selected.join(', ')} FROM (${query}\n)
GROUP BY GROUPING SETS (${sets.map((set) => `(${set.map(quote).join(', ')})`).join(', ')})
) ORDER BY ${order.join(', ')}`
}

const summedUp = (key: string) => `#${key}`
