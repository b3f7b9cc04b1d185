import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api'
import { PORTAL_ZONE } from '../../../definitions/time-zone.ts'
import type { Cell } from '../../../wire/embed-contract.ts'
import { exactDecimal, exactInteger } from '../columns/exact-cells.ts'

/** Numbers are bound as DOUBLE, bigints as BIGINT, everything else as VARCHAR or BOOLEAN. */
export type Parameter = string | number | bigint | boolean | null | string[]
export type Parameters = Record<string, Parameter>
/** Numbers may be NaN or infinite, after a division by zero. */
export type Rows = Cell[][]

/** What asks, such as a visual, and for which reader. */
export interface Origin {
  /** The same object until it is published again. */
  part: object
  owner: string
}

/**
 * One version of one dataset. `openDatabase` runs it in this process, `createDatabaseProcess` in a
 * child process.
 */
export interface Database {
  memoryMegabytes: number
  isClosed: () => boolean
  /** The process that ran it ended while the data was being loaded. */
  isLost: () => boolean
  /** Megabytes of the data when it was sealed. */
  dataMegabytes: () => number
  /**
   * Runs one statement until `signal` aborts, and throws its reason; without a signal, for at most
   * `timeoutMs`. An origin whose statements have ended the child process twice is refused.
   */
  query: (sql: string, values?: Parameters, signal?: AbortSignal, origin?: Origin) => Promise<Rows>
  /** Reads data files, with a separate time limit. */
  load: (sql: string, signal?: AbortSignal) => Promise<Rows>
  /** Creates and compresses a table, and returns its number of rows. */
  createTable: (table: string, select: string, signal?: AbortSignal) => Promise<number>
  /**
   * Seals the database: no file, network or setting is reachable afterwards. `roomMegabytes` is the
   * memory for queries besides the data; by default the limit stays.
   */
  seal: (roomMegabytes?: number) => Promise<void>
  /** Refuses new statements and waits for running ones. */
  close: () => Promise<void>
}

/** Minimum megabytes that DuckDB needs to read a file and to run queries. */
export const LEAST_MEGABYTES = 64
/** Returns the megabytes for the queries of one dataset, besides its data. */
export const roomFor = (memoryMegabytes: number) => Math.max(LEAST_MEGABYTES, Math.floor(memoryMegabytes / 4))

/** Two queries saturate a small machine; more keep a slow one from blocking others. */
export const CONNECTIONS = 4
/** Files are loaded by one statement at a time, which uses all cores, of at most four. */
const LOADING_THREADS = Math.min(4, availableParallelism())
/** Queries run side by side: threads that share one query cost processor time, about a tenth. */
const QUERY_THREADS = Math.max(1, Math.floor(LOADING_THREADS / 2))
/** Time limit of one statement that reads files; a hundred million rows take less. */
export const LOAD_MS = 600_000
export type Limits = {
  memoryMegabytes: number
  timeoutMs: number
  loadMs?: number
  /** The dataset's time zone; by default that of the portal. */
  timeZone?: string
}
/** `file` keeps the data; without it, the data is in memory. `isReadOnly`: it exists already. */
export type Storage = { file?: string; isReadOnly?: boolean }
/** Statements run in steps, and DuckDB loses an interrupt between two steps, so it is repeated. */
const INTERRUPT_EVERY_MS = 50

const COMPRESSED = 'compressed'

/** The statement exceeded its time. */
export class QueryTimeout extends Error {}

/** The database was closed: its data was replaced and had no readers left. */
export class DatabaseClosed extends Error {}

/** The answer of a statement is too large for a page and for the service. */
export class AnswerTooLarge extends Error {}

/** Opens a DuckDB in this process. `load` reads files until `seal`. */
export const openDatabase = async (limits: Limits & Storage): Promise<Database> => {
  const { memoryMegabytes, timeoutMs, loadMs = LOAD_MS, timeZone = PORTAL_ZONE, file, isReadOnly } = limits
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMegabytes}MB`,
    threads: String(LOADING_THREADS),
    temp_directory: '',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()))
  const { lend, drain } = createPool(connections)
  await lend(async (connection) => {
    // Casts, `date_trunc` and `current_date` follow the clock of the dataset.
    await connection.run(`SET GLOBAL TimeZone = ${literal(timeZone)}`)
    // DuckDB compresses database files by default, a database in memory only by this option.
    const options = file === undefined ? '(COMPRESS)' : isReadOnly ? '(READ_ONLY)' : ''
    await connection.run(`ATTACH ${literal(file ?? ':memory:')} AS ${COMPRESSED} ${options}`)
  })
  for (const connection of connections) await connection.run(`USE ${COMPRESSED}`)

  let isClosed = false
  let dataMegabytes = 0
  const run = (most: AbortSignal | number, sql: string, values: Parameters = {}) =>
    lend((connection) => withTimeLimit(most, (signal) => runUntil(signal, connection, sql, values)))
  return {
    memoryMegabytes,
    isClosed: () => isClosed,
    isLost: () => false,
    dataMegabytes: () => dataMegabytes,
    query: (sql, values, signal) => run(signal ?? timeoutMs, sql, values),
    load: (sql, signal) => run(signal ?? loadMs, sql),
    createTable: async (table, select, signal) => {
      const most = signal ?? loadMs
      const columns = await run(most, `DESCRIBE ${select}`)
      const isWide = columns.some(([, type]) => /HUGEINT|DECIMAL\((19|[23]\d),/.test(String(type)))
      // DuckDB unpacks numbers of 128 bits slowly.
      await run(most, `SET GLOBAL disabled_compression_methods = '${isWide ? 'bitpacking' : ''}'`)
      const [created] = await run(most, `CREATE TABLE ${table} AS ${select}`)
      await run(most, `CHECKPOINT ${COMPRESSED}`)
      return Number(created?.[0])
    },
    seal: (roomMegabytes) =>
      lend(async (connection) => {
        dataMegabytes =
          (file === undefined ? await heldBytes(connection) : (await stat(file)).size) / 1_000_000
        if (dataMegabytes > memoryMegabytes)
          throw new Error('Out of Memory Error: the data exceeds the limit')
        if (roomMegabytes !== undefined)
          await connection.run(`SET memory_limit = '${Math.ceil(dataMegabytes) + roomMegabytes}MB'`)
        await connection.run(`SET threads = ${QUERY_THREADS}`)
        await connection.run('SET enable_external_access = false')
        await connection.run('SET lock_configuration = true')
      }),
    async close() {
      if (isClosed) return
      isClosed = true
      await drain()
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}

const heldBytes = async (connection: DuckDBConnection): Promise<number> => {
  const reader = await connection.runAndReadAll('SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()')
  return Number(reader.getRows()[0]?.[0] ?? 0)
}

/** Runs until the signal aborts, or for this many milliseconds. */
export const withTimeLimit = async <T>(
  most: AbortSignal | number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  if (typeof most !== 'number') return run(most)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new QueryTimeout()), most)
  try {
    return await run(limit.signal)
  } finally {
    clearTimeout(timer)
  }
}

const runUntil = async (
  signal: AbortSignal,
  connection: DuckDBConnection,
  sql: string,
  values: Parameters,
): Promise<Rows> => {
  signal.throwIfAborted()
  let interrupting: ReturnType<typeof setInterval> | undefined
  const stop = () => {
    connection.interrupt()
    interrupting = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await rowsOf(await connection.stream(sql, ...toBindings(values)), signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(interrupting)
  }
}

/** Approximate characters of one answer, of which memory holds several copies until it is sent. */
const MAX_LETTERS = 32_000_000

const rowsOf = async (result: DuckDBResult, signal: AbortSignal): Promise<Rows> => {
  const rows: Rows = []
  let letters = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    signal.throwIfAborted()
    if (!chunk?.rowCount) return rows
    for (const row of chunk.getRows()) {
      for (const value of row) letters += typeof value === 'string' ? value.length : 8
      rows.push(row.map(toCell))
    }
    if (letters > MAX_LETTERS) throw new AnswerTooLarge()
  }
}

/** Numbers of more digits than a double holds become texts. NaN and infinity stay. */
const toCell = (value: DuckDBValue): Cell => {
  if (typeof value === 'bigint') return exactInteger(value)
  if (value instanceof DuckDBDecimalValue) return exactDecimal(value)
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? value : null
}

const toBindings = (values: Parameters): [Record<string, DuckDBValue>, Record<string, DuckDBType>] => {
  const bound: Record<string, DuckDBValue> = {}
  const types: Record<string, DuckDBType> = {}
  for (const [name, value] of Object.entries(values)) {
    bound[name] = Array.isArray(value) ? listValue(value) : value
    if (typeof value !== 'boolean') types[name] = typeOf(value)
  }
  return [bound, types]
}

const typeOf = (value: Parameter): DuckDBType => {
  if (typeof value === 'number') return DOUBLE
  if (typeof value === 'bigint') return BIGINT
  return Array.isArray(value) ? LIST(VARCHAR) : VARCHAR
}

/** Lends each connection to one task at a time, in order of arrival. */
const createPool = (connections: DuckDBConnection[]) => {
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

/** Returns DuckDB's name of an error, such as 'Conversion Error': its text may quote values. */
export const kindOfError = (error: Error): string =>
  /^[A-Z][A-Za-z ]{1,40} Error(?=:)/.exec(error.message)?.[0] ?? 'Error'
export const isDatabaseError = (error: unknown): error is Error =>
  error instanceof Error && kindOfError(error) !== 'Error'

/** Quotes an SQL identifier. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Quotes an SQL string. Only for file names at load, never for input of a caller. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
