import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * SQL: whether the row is among those that a subquery with `for update skip locked limit n` claims.
 * Each `update` that claims rows uses it: PostgreSQL may repeat `id in (select … limit n)` for each
 * row, for example when the table was empty at the last ANALYZE, and then claims all of them.
 */
export const isClaimed = (column: string, claimed: Expression<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(array(${claimed}))`
