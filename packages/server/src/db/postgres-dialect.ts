import { setTimeout } from 'node:timers/promises'
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { createBoundedCache } from '../bounded-cache.ts'
import { LONGEST_KEPT } from './longest-kept.ts'
import { isConnectionLost } from './lost-connection.ts'
import { pgTypes } from './parsers.ts'
import type { PoolState } from './pool-state.ts'

/**
 * Kysely's dialect over a PostgreSQL server (15 or later).
 * @param url `?pgbouncer=true` turns prepared statements off: PgBouncer before 1.21 loses them
 * between transactions
 * @param onError called for each connection that is lost, and once for a pooler that loses prepared
 * statements
 */
export const openPostgresDialect = async (
  url: string,
  onError: (error: Error) => void,
): Promise<Dialect & { pool: () => PoolState }> => {
  const address = new URL(url)
  const isPreparing = address.searchParams.get('pgbouncer') !== 'true'
  address.searchParams.delete('pgbouncer')
  await limitStatements(address.href)
  const pool = new pg.Pool({
    connectionString: address.href,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    types: pgTypes(pg.types.getTypeParser as never) as never,
  })
  let isHinted = false
  const onLostStatement = () => {
    if (!isHinted) onError(new Error(POOLER_HINT))
    isHinted = true
  }
  // pg-pool listens only while a connection is idle. An 'error' without a listener ends the process.
  pool.on('connect', (client) => {
    client.once('error', onError)
    // A connection that ends says so more than once.
    client.on('error', () => {})
  })
  // The connection's own listener has reported it.
  pool.on('error', () => {})
  const nameOf = isPreparing ? createNames() : () => undefined
  const dialect = new PostgresDialect({
    pool: {
      connect: async () => checkOut(pool, { nameOf, onLostStatement }),
      end: () => pool.end(),
      options: pool.options,
      Client: pg.Client as never,
    },
  })
  const { max } = pool.options
  const state = () => ({
    size: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    limit: max,
  })
  return Object.assign(dialect, { pool: state })
}

/**
 * Gives the role a limit for its statements in this database, unless it has one. Poolers refuse the
 * limit as a start-up parameter, and hand a limit that is set on a connection to other clients.
 */
const limitStatements = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    // One transaction. Without the lock, processes that start at once would change one row of the catalogue.
    await client.query(`
      select pg_advisory_xact_lock(hashtextextended('bi-manager statement_timeout', 0));
      do $$ begin
        if current_setting('statement_timeout') = '0' then
          execute format('alter role current_user in database %I set statement_timeout = %L', current_database(), '30s');
        end if;
      end $$`)
  } finally {
    await client.end()
  }
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
/** Of those, what a pooler causes. */
const LOST_STATEMENT = ['26000', '42P05']
/** A standby, or a primary that was demoted, behind the address: a new connection may reach another server. */
const READ_ONLY = '25006'

/** Printed once a process. */
const POOLER_HINT =
  'O servidor perdeu um comando preparado. Atrás de um PgBouncer anterior ao 1.21, ou sem max_prepared_statements, acrescente ?pgbouncer=true a DATABASE_URL.'

/**
 * A statement that changes nothing, or that begins a transaction. A `select` that calls a function
 * which writes begins with a comment, so that it does not match.
 */
const REPEATABLE = /^\s*(select|begin|start transaction)\b/i

/** Milliseconds until the pool has dropped the idle connections that were lost at the same moment. */
const pauseBeforeRepeat = 100

/** Milliseconds that a call waits for a database that cannot be reached: longer than a restart takes. */
const patience = 4_000
const pauseBetweenConnects = 200

/** PgBouncer takes connections, and refuses their first statement, while it cannot reach PostgreSQL. */
const SERVER_NOT_REACHED = /server login has been failing|server login failed/

/** Takes a connection of the pool, and waits for a database that is away. Nothing was sent to it yet. */
const connectTo = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  for (const deadline = Date.now() + patience; ; ) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isConnectionLost(error) || Date.now() > deadline) throw error
      await setTimeout(pauseBetweenConnects)
    }
  }
}

/**
 * Checks a connection out of the pool. PostgreSQL parses and plans a statement once a connection,
 * instead of at every call as with Kysely's driver. A first statement that changes nothing and is
 * lost with its connection is sent once more on another connection.
 */
const checkOut = async (
  pool: pg.Pool,
  { nameOf, onLostStatement }: { nameOf: (text: string) => string | undefined; onLostStatement: () => void },
): Promise<PostgresPoolClient> => {
  let client: pg.PoolClient | undefined = await connectTo(pool)
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
      const { code = '' } = error as { code?: string }
      isStale ||= code === READ_ONLY || STALE.includes(code)
      if (LOST_STATEMENT.includes(code)) onLostStatement()
      if (!isRepeatable || !isConnectionLost(error)) throw error
      return repeat(text, values)
    }
  }
  /** Once; but for as long as PgBouncer says that it reaches no server, where nothing is done twice. */
  const repeat = async (text: string, values: unknown[]): Promise<unknown> => {
    for (const deadline = Date.now() + patience; ; ) {
      client?.release(true)
      client = undefined
      await setTimeout(pauseBeforeRepeat)
      client = await connectTo(pool)
      try {
        return await send(text, values)
      } catch (error) {
        if (!SERVER_NOT_REACHED.test(String(error)) || Date.now() > deadline) throw error
      }
    }
  }
  return {
    // Of the two ways to call it, the one without cursors.
    query: query as PostgresPoolClient['query'],
    // A stale one would fail each time: another takes its place.
    release: (destroy) => client?.release(destroy || isStale),
  }
}
