import { availableParallelism } from 'node:os'
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { runWatched } from './memory-watch.ts'
import { QueryTimeout } from './turns.ts'

export type Parameters = Record<string, DuckDBValue>
export type Rows = DuckDBValue[][]

export type Database = Awaited<ReturnType<typeof openDatabase>>

/** Two queries saturate a small machine; more keep a slow one from blocking others. */
export const CONNECTIONS = 4
/** Time limit of one statement that reads files; a hundred million rows take less. */
const LOAD_MS = 600_000
type Limits = { memoryMegabytes: number; timeoutMs: number; loadMs?: number }
/** Statements run in steps, and DuckDB loses an interrupt between two steps, so it is repeated. */
const INTERRUPT_EVERY_MS = 50

const COMPRESSED = 'compressed'

/** The database was closed: its data was replaced and had no readers left. */
export class DatabaseClosed extends Error {}

/** Compressing ran out of memory. DuckDB then loses the data as well: it must be loaded again. */
export class NotCompressed extends Error {}

/** The answer of a statement is too large for a page and for the service. */
export class AnswerTooLarge extends Error {}

/**
 * Opens an in-memory DuckDB for one version of one dataset. `load` reads files until `seal`; after
 * that no statement can reach files, network or settings.
 */
export async function openDatabase(limits: Limits) {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${limits.memoryMegabytes}MB`,
    threads: String(Math.min(4, availableParallelism())),
    temp_directory: '',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()))
  const { lend, drain } = createPool(connections)
  await lend(async (connection) => {
    // `current_date` in a definition means the readers' local date.
    await connection.run("SET GLOBAL TimeZone = 'America/Sao_Paulo'")
    // DuckDB does not compress its default in-memory database.
    await connection.run(`ATTACH ':memory:' AS ${COMPRESSED} (COMPRESS)`)
  })
  for (const connection of connections) await connection.run(`USE ${COMPRESSED}`)

  let isClosed = false
  let dataMegabytes = 0
  return {
    isClosed: () => isClosed,
    /** Megabytes of the data when it was sealed. */
    dataMegabytes: () => dataMegabytes,
    /**
     * Runs one statement until `signal` aborts, and throws its reason; without a signal, for at
     * most `timeoutMs`.
     */
    query: (
      sql: string,
      values: Parameters = {},
      types: Record<string, DuckDBType> = {},
      signal?: AbortSignal,
    ): Promise<Rows> =>
      lend((connection) =>
        within(signal ?? limits.timeoutMs, (limit) =>
          runWatched(limits.memoryMegabytes, limit, (stop) => runUntil(stop, connection, sql, values, types)),
        ),
      ),
    memoryMegabytes: limits.memoryMegabytes,
    /** Reads data files, with a separate time limit. */
    load: (sql: string): Promise<Rows> =>
      lend((connection) =>
        within(limits.loadMs ?? LOAD_MS, (limit) => runUntil(limit, connection, sql, {}, {})),
      ),
    /**
     * Compresses the existing tables; dictionary-encoded texts also group faster. With
     * `hasWideNumbers` (128 bits), numbers are not packed, since DuckDB unpacks those slowly.
     * @throws NotCompressed
     */
    compress: (hasWideNumbers: boolean) =>
      lend(async (connection) => {
        try {
          if (hasWideNumbers) await connection.run("SET GLOBAL disabled_compression_methods = 'bitpacking'")
          await connection.run(`CHECKPOINT ${COMPRESSED}`)
        } catch (cause) {
          throw new NotCompressed('the data could not be compressed', { cause })
        }
      }),
    /**
     * Seals the database. `roomMegabytes` is the memory for queries besides the data; by default
     * the limit stays.
     */
    seal: (roomMegabytes?: number) =>
      lend(async (connection) => {
        dataMegabytes = (await heldBytes(connection)) / 1_000_000
        if (roomMegabytes !== undefined)
          await connection.run(`SET memory_limit = '${Math.ceil(dataMegabytes) + roomMegabytes}MB'`)
        await connection.run('SET enable_external_access = false')
        await connection.run('SET lock_configuration = true')
      }),
    /** Refuses new statements and waits for running ones, which still use a connection. */
    async close() {
      if (isClosed) return
      isClosed = true
      await drain()
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}

async function heldBytes(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll('SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()')
  return Number(reader.getRows()[0]?.[0] ?? 0)
}

type Statement = [sql: string, values: Parameters, types: Record<string, DuckDBType>]

/** Runs until the signal aborts, or for this many milliseconds. */
async function within<T>(most: AbortSignal | number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (typeof most !== 'number') return run(most)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new QueryTimeout()), most)
  try {
    return await run(limit.signal)
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
    return await rowsOf(await connection.run(...statement), signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(interrupting)
  }
}

/** Approximate characters of one answer, of which memory holds several copies until it is sent. */
const MOST_LETTERS = 32_000_000

async function rowsOf(result: DuckDBResult, signal: AbortSignal): Promise<Rows> {
  const rows: Rows = []
  let letters = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    signal.throwIfAborted()
    if (!chunk?.rowCount) return rows
    for (const row of chunk.getRows()) {
      for (const value of row) letters += typeof value === 'string' ? value.length : 8
      rows.push(row)
    }
    if (letters > MOST_LETTERS) throw new AnswerTooLarge()
  }
}

/** Lends each connection to one task at a time, in order of arrival. */
function createPool(connections: DuckDBConnection[]) {
  const free = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  let isClosed = false
  const take = async () => free.pop() ?? new Promise<DuckDBConnection>((resolve) => waiting.push(resolve))

  /** Resolves when all tasks have returned their connections; no later task gets one. */
  const drain = async () => {
    isClosed = true
    await Promise.all(connections.map(take))
  }
  const lend = async <T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    if (isClosed) throw new DatabaseClosed('the database is closed')
    const connection = await take()
    try {
      return await task(connection)
    } finally {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    }
  }
  return { lend, drain }
}

/** Returns an error's text before the first colon; the rest may quote values of the data. */
export const kindOfError = (error: Error): string => error.message.split(':', 1)[0] ?? ''
export const isDatabaseError = (error: unknown): error is Error =>
  error instanceof Error && / Error$/.test(kindOfError(error))

/** Quotes an SQL identifier. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Quotes an SQL string. Only for file names at load, never for input of a caller. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
