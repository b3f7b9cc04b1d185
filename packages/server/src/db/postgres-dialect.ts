import { type Dialect, PostgresDialect } from 'kysely'
import pg from 'pg'
import { pgTypes } from './parsers.ts'

/** Kysely's dialect over a PostgreSQL server (15 or later). `onError` hears of connections lost while idle. */
export const openPostgresDialect = (url: string, onError: (error: Error) => void): Dialect => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    types: pgTypes(pg.types.getTypeParser as never) as never,
  })
  // Without a listener, a server that stops takes this process with it.
  pool.on('error', onError)
  return new PostgresDialect({ pool })
}
