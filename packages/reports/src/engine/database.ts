import { availableParallelism } from 'node:os'
import { type DuckDBConnection, DuckDBInstance, type DuckDBType, type DuckDBValue } from '@duckdb/node-api'

export type Parameters = Record<string, DuckDBValue>
export type Rows = DuckDBValue[][]

/** A query that ran longer than it may. */
export class QueryTimeout extends Error {}

export type Database = Awaited<ReturnType<typeof openDatabase>>

/** Two readers saturate a small machine; a few more keep a slow query from holding up everybody else. */
const CONNECTIONS = 4

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
  const pool = createPool(connections)
  // `current_date` in a definition means today where the readers are.
  await connections[0]?.run("SET GLOBAL TimeZone = 'America/Sao_Paulo'")

  return {
    /** Runs one statement, waiting for a free connection. The time limit counts from when it starts. */
    query: (sql: string, values: Parameters = {}, types: Record<string, DuckDBType> = {}): Promise<Rows> =>
      pool((connection) => runWithin(connection, limits.timeoutMs, sql, values, types)),
    /** For reading the data files at start: no time limit. */
    load: (sql: string) =>
      pool(async (connection) => {
        await connection.run(sql)
      }),
    seal: () =>
      pool(async (connection) => {
        await connection.run('SET enable_external_access = false')
        await connection.run('SET lock_configuration = true')
      }),
    close() {
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}

async function runWithin(
  connection: DuckDBConnection,
  timeoutMs: number,
  sql: string,
  values: Parameters,
  types: Record<string, DuckDBType>,
) {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    connection.interrupt()
  }, timeoutMs)
  try {
    const reader = await connection.runAndReadAll(sql, values, types)
    return reader.getRows()
  } catch (error) {
    throw isLate ? new QueryTimeout() : error
  } finally {
    clearTimeout(timer)
  }
}

/** Lends each connection to one task at a time, first come first served. */
function createPool(connections: DuckDBConnection[]) {
  const free = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []

  return async <T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const connection = free.pop() ?? (await new Promise<DuckDBConnection>((resolve) => waiting.push(resolve)))
    try {
      return await task(connection)
    } finally {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    }
  }
}

/** A name as SQL writes it. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** A text as SQL writes it: for file names at load only, never for what a caller sent. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
