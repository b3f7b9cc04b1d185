import { Worker } from 'node:worker_threads'
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { DirectoryInUse } from './directory-lock.ts'
import { copyFirstPass, type FirstPass } from './embedded-snapshot.ts'
import type { PoolState } from './pool-state.ts'

export interface WorkerRequest {
  id: number
  sql: string
  parameters: unknown[]
  /** Part of a transaction: refused while none is open. */
  inTransaction?: boolean
  end?: boolean
  /** Asks for the second pass of a copy of the folder, instead of a statement. */
  snapshot?: FirstPass
}
export interface WorkerReply {
  /** Id of the answered request; 0: opened; `lost`: the database is gone, with all requests. */
  id: number | 'lost'
  rows?: object[]
  affectedRows?: number | undefined
  command?: string | undefined
  /** See embedded-statements.ts. Sent before the caller of the change gets its answer. */
  sessionsChanged?: boolean
  error?: { message: string; name?: string | undefined; code?: string | undefined }
}

type Send = (
  sql: string,
  parameters: unknown[],
  role?: Pick<WorkerRequest, 'inTransaction' | 'end' | 'snapshot'>,
) => Promise<WorkerReply>

/**
 * Opens Kysely's dialect over PGlite in a worker thread. PGlite has one connection; the driver
 * keeps statements from outside out of an open transaction.
 */
export const openEmbeddedDialect = async (
  directory: string,
  listeners: Listeners,
): Promise<{ dialect: Dialect; pool: () => PoolState; snapshot: (target: string) => Promise<void> }> => {
  const asked = { sent: 0, held: 0 }
  const send = await startWorker(directory, { ...listeners, asked })
  return {
    dialect: dialectOver(send, asked),
    pool: () => {
      const { sent, held } = asked
      return { size: 1, idle: sent > 0 ? 0 : 1, waiting: Math.max(sent - 1, 0) + held, limit: 1 }
    },
    snapshot: async (target) => {
      const firstPass = await copyFirstPass(directory, target)
      await send('', [], { snapshot: firstPass })
    },
  }
}

/** Statements that the worker has not answered, and those that wait for a transaction's end. */
interface Asked {
  sent: number
  held: number
}

interface Listeners {
  /** Called when the worker ends unexpectedly. */
  onLost: (error: Error) => void
  asked?: Asked
  /** Called when session data has changed, before the writer gets its reply. */
  onSessionsChanged?: () => void
}

/** @param send sends to a worker that answers in order */
export const dialectOver = (send: Send, asked: Asked = { sent: 0, held: 0 }): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new EmbeddedDriver(send, asked),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

export const startWorker = async (
  directory: string,
  { onLost, onSessionsChanged, asked = { sent: 0, held: 0 } }: Listeners,
): Promise<Send> => {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: { directory } })
  const pending = new Map<number, { resolve: (reply: WorkerReply) => void; reject: (error: Error) => void }>()
  const rejectAll = (error: Error) => {
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  const opened = new Promise<WorkerReply>((resolve, reject) => pending.set(0, { resolve, reject }))
  worker.on('message', (reply: WorkerReply) => {
    if (reply.id === 'lost') return end(new Error(reply.error?.message))
    if (reply.sessionsChanged) onSessionsChanged?.()
    const waiting = pending.get(reply.id)
    pending.delete(reply.id)
    asked.sent = pending.size
    if (reply.error) waiting?.reject(errorOf(reply.error))
    else waiting?.resolve(reply)
  })
  let ended: Error | undefined
  // Only an opened database is reported as lost: a failed start is reported by its own error.
  let isOpen = false
  const end = (error: Error) => {
    // Class 08, connection exception: waiting callers fail at once.
    const isFirst = ended === undefined
    ended ??= Object.assign(error, { code: '08006' })
    rejectAll(ended)
    if (isFirst && isOpen) onLost(ended)
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The embedded database has ended.')))
  await opened
  isOpen = true
  let lastId = 0
  return (sql, parameters, role = {}) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      if (role.end) isOpen = false
      lastId += 1
      pending.set(lastId, { resolve, reject })
      asked.sent = pending.size
      worker.postMessage({ id: lastId, sql, parameters, ...role } satisfies WorkerRequest)
    })
}

const errorOf = ({ message, name, ...fields }: NonNullable<WorkerReply['error']>): Error =>
  name === 'DirectoryInUse' ? new DirectoryInUse(message) : Object.assign(new Error(message), fields)

/** One caller's view of the one connection. */
class EmbeddedConnection implements DatabaseConnection {
  readonly #run: (query: CompiledQuery) => Promise<WorkerReply>
  readonly streamQuery = refuseStream
  /** Set while this caller has an open transaction. */
  transaction: { begun: Promise<WorkerReply>; end: () => void } | undefined

  constructor(run: (query: CompiledQuery, connection: EmbeddedConnection) => Promise<WorkerReply>) {
    this.#run = (query) => run(query, this)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows = [], affectedRows } = await this.#run(query)
    return affectedRows === undefined
      ? { rows: rows as R[] }
      : { rows: rows as R[], numAffectedRows: BigInt(affectedRows) }
  }
}

/**
 * Single statements go to the worker without waiting for each other's answers. A transaction waits
 * for the statements before it, and every other caller waits for the transaction.
 */
class EmbeddedDriver implements Driver {
  readonly #send: Send
  readonly #asked: Asked
  /** Resolves when the last transaction requested so far has ended. */
  #turn: Promise<void> = Promise.resolve()

  constructor(send: Send, asked: Asked) {
    this.#send = send
    this.#asked = asked
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    return new EmbeddedConnection(async ({ sql, parameters }, { transaction }) => {
      if (transaction) return this.#sendWithin(transaction, sql, [...parameters])
      await this.#waitFor(this.#turn)
      return this.#send(sql, [...parameters])
    })
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: EmbeddedConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) {
      throw new Error('The embedded database has one connection: transactions take no settings.')
    }
    const before = this.#turn
    let end: () => void = () => {}
    this.#turn = new Promise((resolve) => {
      end = resolve
    })
    await this.#waitFor(before)
    const begun = this.#send('begin', [])
    connection.transaction = { begun, end }
    // Not awaited: when `begin` fails, the statements after it fail too.
    begun.catch(() => undefined)
  }

  async #waitFor(turn: Promise<void>): Promise<void> {
    this.#asked.held += 1
    await turn
    this.#asked.held -= 1
  }

  async commitTransaction(connection: EmbeddedConnection): Promise<void> {
    const { transaction } = connection
    const committed = transaction && this.#sendWithin(transaction, 'commit', [])
    // The transaction ends with the commit, whatever its answer, so the next one may start.
    this.#giveTurn(connection)
    // As in Kysely's own driver: an earlier statement failed, and nothing was committed.
    if ((await committed)?.command !== 'COMMIT') throw new AbortedTransactionError()
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    // Kysely rolls back after a failed commit; that must not reach another caller's transaction.
    if (!connection.transaction) return
    const undone = this.#send('rollback', [])
    this.#giveTurn(connection)
    await undone
  }

  async destroy(): Promise<void> {
    await this.#send('', [], { end: true })
  }

  /** Sends at once. A failed `begin` is reported before the statement's own failure. */
  async #sendWithin(
    { begun }: NonNullable<EmbeddedConnection['transaction']>,
    sql: string,
    parameters: unknown[],
  ): Promise<WorkerReply> {
    const [, answer] = await Promise.all([begun, this.#send(sql, parameters, { inTransaction: true })])
    return answer
  }

  #giveTurn(connection: EmbeddedConnection): void {
    connection.transaction?.end()
    connection.transaction = undefined
  }
}

// biome-ignore lint/correctness/useYield: Kysely's interface asks for a generator; nothing here streams.
async function* refuseStream(): AsyncIterableIterator<never> {
  throw new Error('Streaming is not supported by the embedded database.')
}
