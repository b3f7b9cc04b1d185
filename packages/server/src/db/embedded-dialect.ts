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
import { copyInUse, type FirstPass } from './embedded-snapshot.ts'
import type { PoolState } from './pool-state.ts'

export interface WorkerRequest {
  id: number
  sql: string
  parameters: unknown[]
  /** Part of a transaction: refused where none is open. */
  inTransaction?: boolean
  end?: boolean
  /** No statement, but the second pass of a copy of the folder. */
  snapshot?: FirstPass
}
export interface WorkerReply {
  /** Of the request that is answered; 0: open, `lost`: the database is gone, and all that was asked of it. */
  id: number | 'lost'
  rows?: object[]
  affectedRows?: number | undefined
  command?: string | undefined
  /** As in embedded-statements.ts; told before whoever asked for the change has their answer. */
  sessionsChanged?: boolean
  error?: { message: string; name?: string | undefined; code?: string | undefined }
}

type Send = (
  sql: string,
  parameters: unknown[],
  role?: Pick<WorkerRequest, 'inTransaction' | 'end' | 'snapshot'>,
) => Promise<WorkerReply>

/**
 * Kysely's dialect over PGlite in a worker thread. PGlite has one connection; the driver sees to it that no statement from
 * outside slips into somebody's open transaction.
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
      const firstPass = await copyInUse(directory, target)
      await send('', [], { snapshot: firstPass })
    },
  }
}

/** How many statements the worker has not answered yet, and how many wait for a transaction to end. */
interface Asked {
  sent: number
  held: number
}

interface Listeners {
  /** Hears of the worker's death, unless it was asked for. */
  onLost: (error: Error) => void
  asked?: Asked
  /** Hears that what decides whose session is whose has changed, before whoever changed it. */
  onSessionsChanged?: () => void
}

/** @param send to a worker, in whose order the answers come */
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
  // Lost is what was open: whoever could not open it is told by that failure.
  let isOpen = false
  const end = (error: Error) => {
    // Class 08, connection exception: callers are told that the database is out of reach, not left waiting.
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

/** One caller's view of the one connection there is. */
class EmbeddedConnection implements DatabaseConnection {
  readonly #run: (query: CompiledQuery) => Promise<WorkerReply>
  readonly streamQuery = refuseStream
  /** Set while this caller has a transaction open. */
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
 * Single statements go to the worker one behind the other without waiting for each other's answers; a transaction waits for
 * those before it, and everybody else for the transaction.
 */
class EmbeddedDriver implements Driver {
  readonly #send: Send
  readonly #asked: Asked
  /** Ends when the last transaction asked for so far has ended. */
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
    // Not waited for: where it is refused, so is what follows.
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
    // Whatever its answer, the transaction is over with it: the next one follows at once.
    this.#giveTurn(connection)
    // As Kysely's own driver does: a statement before it failed, and nothing of the transaction was kept.
    if ((await committed)?.command !== 'COMMIT') throw new AbortedTransactionError()
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    // Kysely rolls back what it could not commit; that must not meet somebody else's transaction.
    if (!connection.transaction) return
    const undone = this.#send('rollback', [])
    this.#giveTurn(connection)
    await undone
  }

  async destroy(): Promise<void> {
    await this.#send('', [], { end: true })
  }

  /** Sent at once; why the transaction was not begun is told before what came of that. */
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
