import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { createBoundedCache } from '../bounded-cache.ts'
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
  return new PostgresDialect({
    pool: {
      connect: async () => preparing(await pool.connect()),
      end: () => pool.end(),
      options: pool.options,
      Client: pg.Client as never,
    },
  })
}

/** Names of the statements that are sent again and again; a connection keeps what it has prepared until it ends. */
const names = new Map<string, string>()
const sentOnce = createBoundedCache<true>(500)
const MOST_NAMES = 300

const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known || names.size >= MOST_NAMES) return known
  if (!sentOnce.get(text)) {
    sentOnce.set(text, true)
    return undefined
  }
  const name = `s${names.size + 1}`
  names.set(text, name)
  return name
}

/** Parses and plans a statement once a connection, where Kysely's driver would have it done at every call. */
const preparing = (client: pg.PoolClient): PostgresPoolClient => ({
  // Of the two ways to call it, the one without cursors.
  query: ((text: string, values: unknown[]): unknown => {
    const name = values.length > 0 ? nameOf(text) : undefined
    return name ? client.query({ name, text, values }) : client.query(text, values)
  }) as PostgresPoolClient['query'],
  release: (destroy) => client.release(destroy),
})
