import { Worker } from 'node:worker_threads'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { DirectoryInUse } from './directory-lock.ts'

export interface WorkerRequest {
  id: number
  sql: string
  parameters: unknown[]
  end?: boolean
}
export interface WorkerReply {
  id: number
  rows?: object[]
  affectedRows?: number | undefined
  error?: { message: string; name?: string | undefined; code?: string | undefined }
}

type Send = (sql: string, parameters: unknown[], end?: boolean) => Promise<WorkerReply>

/**
 * Kysely's dialect over PGlite in a worker thread. PGlite has one connection, so the driver hands it to one caller at a
 * time: a statement from outside can never slip into somebody's open transaction.
 */
export const openEmbeddedDialect = async (directory: string): Promise<Dialect> => {
  const send = await startWorker(directory)
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EmbeddedDriver(send),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

const startWorker = async (directory: string): Promise<Send> => {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: { directory } })
  const pending = new Map<number, { resolve: (reply: WorkerReply) => void; reject: (error: Error) => void }>()
  const rejectAll = (error: Error) => {
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  const opened = new Promise<WorkerReply>((resolve, reject) => pending.set(0, { resolve, reject }))
  worker.on('message', (reply: WorkerReply) => {
    const waiting = pending.get(reply.id)
    pending.delete(reply.id)
    if (reply.error) waiting?.reject(errorOf(reply.error))
    else waiting?.resolve(reply)
  })
  worker.on('error', rejectAll)
  worker.on('exit', () => rejectAll(new Error('The embedded database has been closed.')))
  await opened
  let lastId = 0
  return (sql, parameters, end = false) =>
    new Promise((resolve, reject) => {
      lastId += 1
      pending.set(lastId, { resolve, reject })
      worker.postMessage({ id: lastId, sql, parameters, end } satisfies WorkerRequest)
    })
}

const errorOf = ({ message, name, ...fields }: NonNullable<WorkerReply['error']>): Error =>
  name === 'DirectoryInUse' ? new DirectoryInUse(message) : Object.assign(new Error(message), fields)

class EmbeddedDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #send: Send
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(send: Send) {
    this.#send = send
    this.#connection = { executeQuery, streamQuery: refuseStream }
    async function executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows = [], affectedRows } = await send(sql, [...parameters])
      return affectedRows === undefined
        ? { rows: rows as R[] }
        : { rows: rows as R[], numAffectedRows: BigInt(affectedRows) }
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    let release: () => void = () => {}
    this.#last = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {
    await this.#send('', [], true)
  }
}

// biome-ignore lint/correctness/useYield: Kysely's interface asks for a generator; nothing here streams.
async function* refuseStream(): AsyncIterableIterator<never> {
  throw new Error('Streaming is not supported by the embedded database.')
}
