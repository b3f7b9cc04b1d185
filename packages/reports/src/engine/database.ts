import { availableParallelism } from 'node:os'
import { type DuckDBConnection, DuckDBInstance, type DuckDBType, type DuckDBValue } from '@duckdb/node-api'
import { QueryTimeout } from './turns.ts'

export type Parameters = Record<string, DuckDBValue>
export type Rows = DuckDBValue[][]

export type Database = Awaited<ReturnType<typeof openDatabase>>

/** Two readers saturate a small machine; a few more keep a slow query from holding up everybody else. */
export const CONNECTIONS = 4
/** Statements run in steps, and DuckDB forgets an interruption that comes between two of them: repeated until heard. */
const INTERRUPT_EVERY_MS = 50

/**
 * One in-memory DuckDB. Files are read through `load` until `seal`; from then on no statement can reach file, network or
 * settings, whatever it says.
 */
export async function openDatabase(limits: { memoryMegabytes: number; timeoutMs: number }) {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${limits.memoryMegabytes}MB`,
    threads: String(Math.min(4, availableParallelism())),
    temp_directory: '',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()))
  const { lend, take } = createPool(connections)
  // `current_date` in a definition means today where the readers are.
  await connections[0]?.run("SET GLOBAL TimeZone = 'America/Sao_Paulo'")

  return {
    /** Runs one statement until `signal` aborts, whose reason it then throws; without a signal, for `timeoutMs` at most. */
    query: (
      sql: string,
      values: Parameters = {},
      types: Record<string, DuckDBType> = {},
      signal?: AbortSignal,
    ): Promise<Rows> =>
      lend((connection) =>
        signal
          ? runUntil(signal, connection, sql, values, types)
          : runWithin(limits.timeoutMs, connection, sql, values, types),
      ),
    /** For reading the data files at start: no time limit. */
    load: (sql: string) =>
      lend(async (connection) => {
        await connection.run(sql)
      }),
    seal: () =>
      lend(async (connection) => {
        await connection.run('SET enable_external_access = false')
        await connection.run('SET lock_configuration = true')
      }),
    /** Waits for what still runs: a connection must not go while a statement uses it. */
    async close() {
      await Promise.all(connections.map(take))
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}

type Statement = [sql: string, values: Parameters, types: Record<string, DuckDBType>]

async function runWithin(timeoutMs: number, connection: DuckDBConnection, ...statement: Statement) {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new QueryTimeout()), timeoutMs)
  try {
    return await runUntil(limit.signal, connection, ...statement)
  } finally {
    clearTimeout(timer)
  }
}

async function runUntil(signal: AbortSignal, connection: DuckDBConnection, ...statement: Statement) {
  signal.throwIfAborted()
  let interrupting: ReturnType<typeof setInterval> | undefined
  const stop = () => {
    connection.interrupt()
    interrupting = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const reader = await connection.runAndReadAll(...statement)
    return reader.getRows()
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(interrupting)
  }
}

/** Lends each connection to one task at a time, first come first served. */
function createPool(connections: DuckDBConnection[]) {
  const free = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  const take = async () => free.pop() ?? new Promise<DuckDBConnection>((resolve) => waiting.push(resolve))

  const lend = async <T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const connection = await take()
    try {
      return await task(connection)
    } finally {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    }
  }
  return { take, lend }
}

/** A name as SQL writes it. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** A text as SQL writes it: for file names at load only, never for what a caller sent. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
