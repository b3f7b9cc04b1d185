import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { createBoundedCache } from '../bounded-cache.ts'
import { LONGEST_KEPT } from './longest-kept.ts'
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
  const nameOf = createNames()
  return new PostgresDialect({
    pool: {
      connect: async () => preparing(await pool.connect(), nameOf),
      end: () => pool.end(),
      options: pool.options,
      Client: pg.Client as never,
    },
  })
}

const MOST_NAMES = 300

/** Names of the statements that a pool sends again and again; a connection keeps what it has prepared until it ends. */
const createNames = () => {
  const names = new Map<string, string>()
  const sentOnce = createBoundedCache<true>(500)
  return (text: string): string | undefined => {
    if (text.length > LONGEST_KEPT) return undefined
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
}

/**
 * What the server answers where a connection and it do not agree on a prepared statement: the table has gained a column since
 * (0A000), or something between them gave the connection another session (26000, 42P05).
 */
const STALE = ['0A000', '26000', '42P05']

/** Parses and plans a statement once a connection, where Kysely's driver would have it done at every call. */
const preparing = (client: pg.PoolClient, nameOf: ReturnType<typeof createNames>): PostgresPoolClient => {
  let isStale = false
  const noteStale = (error: { code?: string }): never => {
    isStale ||= STALE.includes(error.code ?? '')
    throw error
  }
  return {
    // Of the two ways to call it, the one without cursors.
    query: ((text: string, values: unknown[]): unknown => {
      const name = values.length > 0 ? nameOf(text) : undefined
      return name ? client.query({ name, text, values }).catch(noteStale) : client.query(text, values)
    }) as PostgresPoolClient['query'],
    // It would fail each time: another takes its place.
    release: (destroy) => client.release(destroy || isStale),
  }
}
