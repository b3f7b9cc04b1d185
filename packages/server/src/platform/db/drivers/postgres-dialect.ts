import { setTimeout } from 'node:timers/promises'
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { LONGEST_PREPARED_STATEMENT } from './longest-kept.ts'
import { isConnectionLost, STALE } from './lost-connection.ts'
import { pgTypes } from './parsers.ts'
import type { PoolState } from './pool-state.ts'
import { prepareSessions } from './session-settings.ts'
import { createSilenceWatch, isUnanswered, type SilenceWatch } from './silent-connections.ts'
import { isReadOnly } from './unwritable.ts'

/**
 * Opens Kysely's dialect over a PostgreSQL server (15 or later).
 * @param url `?pgbouncer=true` turns prepared statements off: PgBouncer before 1.21 loses them
 * between transactions
 * @param onError called for each lost connection, and once when a pooler loses prepared statements
 * @throws UnusableDatabase
 */
export const openPostgresDialect = async (
  url: string,
  onError: (error: Error) => void,
): Promise<Dialect & { pool: () => PoolState }> => {
  const address = new URL(url)
  const isPreparing = address.searchParams.get('pgbouncer') !== 'true'
  address.searchParams.delete('pgbouncer')
  const silence = createSilenceWatch(await prepareSessions(address.href))
  const pool = new pg.Pool({
    connectionString: address.href,
    max: 10,
    // An idle connection whose machine has vanished is noticed after 15 s.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    types: pgTypes(pg.types.getTypeParser as never) as never,
  })
  let isHinted = false
  const onLostStatement = () => {
    if (!isHinted) onError(new Error(POOLER_HINT))
    isHinted = true
  }
  // pg-pool listens only to idle connections. An 'error' without a listener ends the process.
  pool.on('connect', (client) => {
    silence.register(client)
    client.once('error', onError)
    // A connection that ends emits several errors.
    client.on('error', () => {})
  })
  // The connection's own listener has reported it.
  pool.on('error', () => {})
  const names = isPreparing ? createNames() : noNames
  const connect = createConnector(pool, silence)
  const dialect = new PostgresDialect({
    pool: {
      connect: async () => checkOut({ names, onLostStatement, silence, connect }),
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

const MAX_NAMES = 300

interface Names {
  nameOf: (text: string) => string | undefined
  /** Gives the statement another name, under which no connection has prepared it. */
  forget: (text: string) => void
}

const noNames: Names = { nameOf: () => undefined, forget: () => {} }

/** Names statements that repeat; a connection keeps its prepared statements until it ends. */
const createNames = (): Names => {
  const names = new Map<string, string>()
  const sentOnce = createBoundedCache<true>(500)
  let given = 0
  const nameOf = (text: string): string | undefined => {
    if (text.length > LONGEST_PREPARED_STATEMENT) return undefined
    const known = names.get(text)
    if (known || names.size >= MAX_NAMES) return known
    if (!sentOnce.get(text)) {
      sentOnce.set(text, true)
      return undefined
    }
    given += 1
    const name = `s${given}`
    names.set(text, name)
    return name
  }
  return { nameOf, forget: (text) => void names.delete(text) }
}

/** Those that a pooler causes. */
const LOST_STATEMENT = ['26000', '42P05']

/** Logged once per process. */
const POOLER_HINT =
  'O servidor perdeu um comando preparado. Atrás de um PgBouncer anterior ao 1.21, ou sem max_prepared_statements, acrescente ?pgbouncer=true a DATABASE_URL.'

/**
 * A statement that changes nothing, or that begins a transaction. A `select` that calls a writing
 * function starts with a comment, so that it does not match.
 */
const REPEATABLE = /^\s*(select|begin|start transaction)\b/i

/** Milliseconds until the pool has dropped the idle connections lost at the same moment. */
const pauseBeforeRepeat = 100

/** Few, because a statement may be what ends the server. */
const mostRepeats = 3

/** Milliseconds that a call waits for an unreachable database: longer than a restart takes. */
const patience = 4_000
const pauseBetweenConnects = 200

/** PgBouncer accepts connections, but not their first statement, while PostgreSQL is away. */
const SERVER_NOT_REACHED = /server login has been failing|server login failed/

/** Failures that are more milliseconds apart belong to two outages. */
const betweenOutages = 10_000

/**
 * Returns a function that takes a connection from the pool. It waits for an unreachable database
 * until `patience` has passed since the outage began; later calls fail at once. Safe to repeat:
 * nothing was sent yet.
 */
const createConnector = (pool: pg.Pool, silence: SilenceWatch) => {
  // By the monotonic clock, because the system's clock may be set back.
  let outage: { startedAt: number; failedAt: number } | undefined
  const hasPatience = (): boolean => {
    const now = performance.now()
    if (!outage || now - outage.failedAt > betweenOutages) outage = { startedAt: now, failedAt: now }
    outage.failedAt = now
    return now - outage.startedAt < patience
  }
  return async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        const client = await pool.connect()
        if (!silence.isDoubted(client) || (await silence.answers(client))) {
          outage = undefined
          return client
        }
        client.release(true)
      } catch (error) {
        if (!isConnectionLost(error) || !hasPatience()) throw error
        await setTimeout(pauseBetweenConnects)
      }
    }
  }
}

/**
 * Checks a connection out of the pool. PostgreSQL parses and plans a statement once per connection,
 * not at every call as with Kysely's driver. A first statement that changes nothing and is lost
 * with its connection is repeated on another connection.
 */
const checkOut = async ({
  names,
  onLostStatement,
  silence,
  connect,
}: {
  names: Names
  onLostStatement: () => void
  silence: SilenceWatch
  connect: () => Promise<pg.PoolClient>
}): Promise<PostgresPoolClient> => {
  let client: pg.PoolClient | undefined = await connect()
  let isFirst = true
  let isStale = false

  const send = async (text: string, values: unknown[]): Promise<unknown> => {
    if (!client) throw new Error('Connection terminated, and no other one could be opened.')
    const name = values.length > 0 ? names.nameOf(text) : undefined
    return silence.send(client, { text, values, name })
  }
  const drop = () => {
    client?.release(true)
    client = undefined
  }
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    const isAlone = isFirst
    const isRepeatable = isAlone && REPEATABLE.test(text)
    isFirst = false
    try {
      return await send(text, values)
    } catch (error) {
      const { code = '' } = error as { code?: string }
      // Of a standby or demoted primary: a new connection may reach another server.
      isStale ||= isReadOnly(error) || STALE.includes(code)
      if (LOST_STATEMENT.includes(code)) onLostStatement()
      if (STALE.includes(code)) names.forget(text)
      // Refused before it ran, so any statement may be sent again, unprepared.
      if (isAlone && client && STALE.includes(code)) return silence.send(client, { text, values })
      // The caller has waited for the whole limit; the rollback must not wait as long again.
      if (isUnanswered(error)) drop()
      else if (isRepeatable && isConnectionLost(error)) return repeat(text, values)
      throw error
    }
  }
  /**
   * Repeats it, because the next connection may be lost at the same moment, and longer while
   * PgBouncer reports that it reaches no server: nothing has run.
   */
  const repeat = async (text: string, values: unknown[]): Promise<unknown> => {
    const deadline = performance.now() + patience
    for (let repeats = 1; ; repeats += 1) {
      drop()
      await setTimeout(pauseBeforeRepeat)
      client = await connect()
      try {
        return await send(text, values)
      } catch (error) {
        const isLostAgain = repeats < mostRepeats && isConnectionLost(error) && !isUnanswered(error)
        const mayRepeat = isLostAgain || SERVER_NOT_REACHED.test(String(error))
        if (!mayRepeat || performance.now() > deadline) throw error
      }
    }
  }
  return {
    // The overload without cursors.
    query: query as PostgresPoolClient['query'],
    // A stale connection would fail each time, so it is destroyed.
    release: (destroy) => {
      if (client) silence.register(client)
      client?.release(destroy || isStale)
    },
  }
}
