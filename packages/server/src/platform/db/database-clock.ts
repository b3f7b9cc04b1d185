import { type RawBuilder, sql } from 'kysely'

/*
 * What coordinates nodes (claims, leases, due work) is written and compared with the database's
 * clock: a node whose own clock is ahead would otherwise repeat what another one does.
 */

/**
 * SQL: the database's time at the start of the statement; `now()` would be that of the transaction.
 * In whole milliseconds, so that a value is the same after it was read into a Date.
 */
export const databaseNow = sql<Date>`date_trunc('milliseconds', statement_timestamp())`

/** SQL: the database's time plus these milliseconds, which may be negative. */
export const fromNow = (ms: number): RawBuilder<Date> =>
  sql<Date>`(date_trunc('milliseconds', statement_timestamp()) + make_interval(secs => ${ms / 1000}))`
