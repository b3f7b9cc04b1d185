import type { VisualDefinition } from '../../definitions/definition.ts'
import { LEVEL_COLUMN } from '../../wire/wire-names.ts'
import { quote } from '../data/database/database.ts'
import { sentBack } from './cell-expressions.ts'

export type ResultColumn = { name: string; type: string }
type Drill = NonNullable<VisualDefinition['drill']>

/** Returns the parameter for the drill value of a level. */
export const drillParameter = (level: number) => `nivel${level}`

/** Returns SQL with one row per value of the level, over the rows below the drill path. */
export const drillSql = (
  { levels, values, order }: Drill,
  level: number,
  query: string,
  columns: ResultColumn[],
) => {
  const column = levels[level]?.column ?? ''
  return `SELECT * FROM (
SELECT ${[`${quote(column)} AS ${quote(LEVEL_COLUMN)}`, ...measureColumns(values)].join(', ')}
FROM (${belowPath(levels, level, query, columns)}\n) GROUP BY 1
) ORDER BY ${order ?? orderBy(LEVEL_COLUMN, typeOf(columns, column))}\n`
}

/** Returns SQL for the query's rows below a drill path that ends above the level. */
export const belowPath = (
  levels: Drill['levels'],
  level: number,
  query: string,
  columns: ResultColumn[],
): string => {
  if (level === 0) return query
  // Compared in the serialised form, in which the caller sends the values back.
  const above = levels
    .slice(0, level)
    .map(({ column }, index) => sentBack(quote(column), typeOf(columns, column), drillParameter(index)))
  return `SELECT * FROM (${query}\n) WHERE ${above.join(' AND ')}`
}

const typeOf = (columns: ResultColumn[], column: string) =>
  columns.find(({ name }) => name === column)?.type ?? ''

/** Each in parentheses, which the check proved balanced; the newline ends a trailing comment. */
export const measureColumns = (values: Record<string, string>) =>
  Object.entries(values).map(([name, sql]) => `(${sql}\n) AS ${quote(name)}`)

/** Texts are sorted in Portuguese alphabetical order. */
export const orderBy = (column: string, type: string, descending = false) =>
  `${quote(column)}${type === 'VARCHAR' ? ' COLLATE pt' : ''}${descending ? ' DESC' : ''} NULLS LAST`
