import { LEVEL_COLUMN } from '../wire-names.ts'
import { quote } from './database.ts'
import type { VisualDefinition } from './definition.ts'
import { shownExpression } from './wire.ts'

export type Described = { name: string; type: string }
type Drill = NonNullable<VisualDefinition['drill']>

/** The parameter that holds the value opened at a level. */
export const openedAt = (level: number) => `nivel${level}`

/** One row for each value of the level, with the measures over what lies below the values opened in the levels above. */
export function drillSql(
  { levels, values, order }: Drill,
  level: number,
  query: string,
  columns: Described[],
) {
  const typeOf = (column: string) => columns.find(({ name }) => name === column)?.type ?? ''
  const column = levels[level]?.column ?? ''
  const above = levels.slice(0, level).map(({ column }, index) => {
    // Compared as they travel: what comes back is what was sent.
    const sent = shownExpression(quote(column), typeOf(column))
    return `${sent} IS NOT DISTINCT FROM $${openedAt(index)}`
  })
  return `SELECT * FROM (
SELECT ${[`${quote(column)} AS ${quote(LEVEL_COLUMN)}`, ...measures(values)].join(', ')}
FROM (${query}\n)${above.length ? ` WHERE ${above.join(' AND ')}` : ''} GROUP BY 1
) ORDER BY ${order ?? inOrder(LEVEL_COLUMN, typeOf(column))}\n`
}

/** Each in parentheses, which it was proved not to leave, and closed on a line of its own, beyond any comment. */
export const measures = (values: Record<string, string>) =>
  Object.entries(values).map(([name, sql]) => `(${sql}\n) AS ${quote(name)}`)

/** Texts stand in the order of the Portuguese alphabet. */
export const inOrder = (column: string, type: string, descending = false) =>
  `${quote(column)}${type === 'VARCHAR' ? ' COLLATE pt' : ''}${descending ? ' DESC' : ''} NULLS LAST`
