import { setTimeout } from 'node:timers/promises'
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { createBoundedCache } from '../bounded-cache.ts'
import { LONGEST_KEPT } from './longest-kept.ts'
import { isConnectionLost } from './lost-connection.ts'
import { pgTypes } from './parsers.ts'

/** Kysely's dialect over a PostgreSQL server (15 or later). `onError` is called for each connection that is lost. */
export const openPostgresDialect = (url: string, onError: (error: Error) => void): Dialect => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    types: pgTypes(pg.types.getTypeParser as never) as never,
  })
  // pg-pool listens only while a connection is idle. An 'error' without a listener ends the process.
  pool.on('connect', (client) => {
    client.once('error', onError)
    // A connection that ends says so more than once.
    client.on('error', () => {})
  })
  // The connection's own listener has reported it.
  pool.on('error', () => {})
  const nameOf = createNames()
  return new PostgresDialect({
    pool: {
      connect: async () => checkOut(pool, nameOf),
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

/** A statement that changes nothing, or that opens a transaction. One that writes begins with another word or a comment. */
const REPEATABLE = /^\s*(select|begin|start transaction)\b/i

/** Milliseconds until the pool has dropped the idle connections that were lost at the same moment. */
const pauseBeforeRepeat = 100

/**
 * Checks a connection out of the pool. It parses and plans a statement once a connection, where Kysely's driver would have it done
 * at every call. A first statement that is lost with its connection is sent once more on another one, if it changed nothing.
 */
const checkOut = async (
  pool: pg.Pool,
  nameOf: ReturnType<typeof createNames>,
): Promise<PostgresPoolClient> => {
  let client: pg.PoolClient | undefined = await pool.connect()
  let isFirst = true
  let isStale = false

  const send = async (text: string, values: unknown[]): Promise<unknown> => {
    if (!client) throw new Error('The connection was lost, and no other one could be opened.')
    const name = values.length > 0 ? nameOf(text) : undefined
    return name ? client.query({ name, text, values }) : client.query(text, values)
  }
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    const isRepeatable = isFirst && REPEATABLE.test(text)
    isFirst = false
    try {
      return await send(text, values)
    } catch (error) {
      isStale ||= STALE.includes((error as { code?: string }).code ?? '')
      if (!isRepeatable || !isConnectionLost(error)) throw error
      client?.release(true)
      client = undefined
      await setTimeout(pauseBeforeRepeat)
      client = await pool.connect()
      return send(text, values)
    }
  }
  return {
    // Of the two ways to call it, the one without cursors.
    query: query as PostgresPoolClient['query'],
    // A stale one would fail each time: another takes its place.
    release: (destroy) => client?.release(destroy || isStale),
  }
}
