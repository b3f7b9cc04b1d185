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

/** Two readers saturate a small machine; a few more keep a slow query from holding up everybody else. */
export const CONNECTIONS = 4
/** One statement that reads files: a hundred million rows take less. */
const LOAD_MS = 600_000
type Limits = { memoryMegabytes: number; timeoutMs: number; loadMs?: number }
/** Statements run in steps, and DuckDB forgets an interruption that comes between two of them: repeated until heard. */
const INTERRUPT_EVERY_MS = 50

const COMPRESSED = 'compressed'

/** The database was closed: its version of the data has been replaced, and nobody read it any more. */
export class DatabaseClosed extends Error {}

/** Compressing takes room beside the data. Where there is too little, DuckDB gives up the data too: they have to be loaded again. */
export class NotCompressed extends Error {}

/** A statement answers more than a page, or the service, could hold. */
export class AnswerTooLarge extends Error {}

/**
 * One in-memory DuckDB, for one version of one dataset. Files are read through `load` until `seal`; from then on no
 * statement can reach file, network or settings, whatever it says.
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
    // `current_date` in a definition means today where the readers are.
    await connection.run("SET GLOBAL TimeZone = 'America/Sao_Paulo'")
    // The database that an instance begins with keeps its rows as they came.
    await connection.run(`ATTACH ':memory:' AS ${COMPRESSED} (COMPRESS)`)
  })
  for (const connection of connections) await connection.run(`USE ${COMPRESSED}`)

  let isClosed = false
  let dataMegabytes = 0
  return {
    isClosed: () => isClosed,
    /** What the data took when it was sealed. */
    dataMegabytes: () => dataMegabytes,
    /** Runs one statement until `signal` aborts, whose reason it then throws; without a signal, for `timeoutMs` at most. */
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
    /** For reading the data files: with a time limit of its own. */
    load: (sql: string): Promise<Rows> =>
      lend((connection) =>
        within(limits.loadMs ?? LOAD_MS, (limit) => runUntil(limit, connection, sql, {}, {})),
      ),
    /**
     * Compresses the tables that are there by now: texts become numbers of a dictionary, which they are grouped by too.
     * `hasWideNumbers`: of 128 bits, which DuckDB unpacks slowly; then no numbers are packed.
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
    /** `roomMegabytes`: what queries may use beside the data that is there by now; without it, the limit stays. */
    seal: (roomMegabytes?: number) =>
      lend(async (connection) => {
        dataMegabytes = (await heldBytes(connection)) / 1_000_000
        if (roomMegabytes !== undefined)
          await connection.run(`SET memory_limit = '${Math.ceil(dataMegabytes) + roomMegabytes}MB'`)
        await connection.run('SET enable_external_access = false')
        await connection.run('SET lock_configuration = true')
      }),
    /** Waits for what still runs: a connection must not go while a statement uses it. What comes later is refused. */
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

/** Until the signal aborts, or for so many milliseconds. */
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

/** Letters of one answer, about: it is held several times over until it has left, and no page draws as much. */
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

/** Lends each connection to one task at a time, first come first served. */
function createPool(connections: DuckDBConnection[]) {
  const free = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  let isClosed = false
  const take = async () => free.pop() ?? new Promise<DuckDBConnection>((resolve) => waiting.push(resolve))

  /** Ends when no task has a connection, nor will have one. */
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

/** The database's errors quote the values that they could not take: what stands before the first colon says nothing of them. */
export const kindOfError = (error: Error): string => error.message.split(':', 1)[0] ?? ''
export const isDatabaseError = (error: unknown): error is Error =>
  error instanceof Error && / Error$/.test(kindOfError(error))

/** A name as SQL writes it. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** A text as SQL writes it: for file names at load only, never for what a caller sent. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
