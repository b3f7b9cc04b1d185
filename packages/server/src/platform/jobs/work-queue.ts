import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Expression, type Kysely, type Selectable, sql } from 'kysely'
import { databaseNow, fromNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { isClaimed } from '../db/queries/claim-rows.ts'
import { isProduction } from '../db/queries/is-production.ts'
import type { Tables } from '../db/types.ts'
import { startRepeating } from './repeat.ts'

/*
 * Work that must happen although processes die. Its rows are its queue: a process claims rows that are
 * due, for the time of a lease; does the work; and settles each, which ends the work or puts it off. When
 * a process dies, its lease ends, and another process claims the row again. All times are those of the
 * database's clock, so nodes need not agree on the time. Each step may therefore be repeated, and stores
 * its result in the transaction that settles it (ADR 0111).
 */

/** The columns of a table that make its rows a queue. */
export interface WorkTable<T extends keyof Tables> {
  table: T
  id: Column<T>
  /** When the next attempt is due; null for never. */
  due: Column<T>
  /** Until when a process has the row to itself; null while none has. It may be the column `due` itself. */
  lease: Column<T>
  /** Counts attempts: those that failed or were interrupted, and the one in progress. */
  attempts?: Column<T>
  /** SQL: whether the row waits for work at all. */
  isOpen?: Expression<boolean>
}
type Column<T extends keyof Tables> = keyof Tables[T] & string

/** A claimed row, as the claim left it. The end of its lease identifies the claim. */
export type Claimed<T extends keyof Tables> = Selectable<Tables[T]> & {
  /** The database's time of the claim. */
  agora: Date
}

interface Claim<T extends keyof Tables> {
  /** Milliseconds: longer than an attempt takes. */
  leaseMs: number
  limit: number
  /** SQL: which of the due rows. */
  only?: Expression<boolean>
  /** SQL: which of them first; by default, the longest due. */
  order?: Expression<unknown>
  /** Columns that the claim changes. */
  set?: { [C in Column<T>]?: unknown }
}

const all = sql<boolean>`true`

/** SQL: whether no process has claimed the row; a row with its lease in `due` is not due while one has. */
export const isFree = <T extends keyof Tables>({ due, lease }: WorkTable<T>) =>
  lease === due ? all : sql<boolean>`(${sql.ref(lease)} is null or ${sql.ref(lease)} <= ${databaseNow})`

/** SQL: whether the row's work is due, and no process has claimed it. */
export const isDue = <T extends keyof Tables>(queue: WorkTable<T>) => {
  const { due, isOpen = all } = queue
  // A restored copy must not do production's work.
  return sql<boolean>`(${isOpen} and ${sql.ref(due)} <= ${databaseNow} and ${isFree(queue)} and ${isProduction})`
}

/** Returns whether a row is due. */
export const hasDue = async <T extends keyof Tables>(db: Db, queue: WorkTable<T>): Promise<boolean> => {
  const due = untyped(db).selectFrom<string>(queue.table).select(queue.id).where(isDue(queue)).limit(1)
  return (await due.executeTakeFirst()) !== undefined
}

/** Claims rows that are due. Other processes leave them alone until the lease ends. */
export const claimDue = async <T extends keyof Tables>(
  db: Db,
  queue: WorkTable<T>,
  { leaseMs, limit, only = all, order = sql.ref(queue.due), set = {} }: Claim<T>,
): Promise<Claimed<T>[]> => {
  const { table, id, lease, attempts, isOpen = all } = queue
  const due = sql`select ${sql.ref(id)} from ${sql.table(table)} where ${isDue(queue)} and ${only}
    order by ${order} limit ${limit} for update skip locked`
  const rows = await untyped(db)
    .updateTable<string>(table)
    .set({
      ...set,
      [lease]: fromNow(leaseMs),
      ...(attempts ? { [attempts]: sql`${sql.ref(attempts)} + 1` } : {}),
    })
    .where(isClaimed(id, due))
    .where(isOpen)
    .returningAll()
    .returning(databaseNow.as('agora'))
    .execute()
  return rows as Claimed<T>[]
}

/** SQL: whether no other process has claimed the row since. The lease itself may have ended. */
const isHeld = <T extends keyof Tables>({ id, lease, isOpen = all }: WorkTable<T>, row: Claimed<T>) => {
  const columns = row as Record<string, unknown>
  return sql<boolean>`(${sql.ref(id)} = ${columns[id]} and ${sql.ref(lease)} = ${columns[lease]} and ${isOpen})`
}

/**
 * Locks a claimed row, so that the transaction that stores the result also ends the claim.
 * @returns the database's time; undefined when another process has claimed the row since
 */
export const holdClaim = async <T extends keyof Tables>(
  tx: Db,
  queue: WorkTable<T>,
  row: Claimed<T>,
): Promise<Date | undefined> => {
  const held = await untyped(tx)
    .selectFrom<string>(queue.table)
    .select(databaseNow.as('agora'))
    .where(isHeld(queue, row))
    .forUpdate()
    .executeTakeFirst()
  return held?.agora as Date | undefined
}

/**
 * Begins the lease again right before a step that cannot be taken back, such as a delivery: what it needs
 * may have been read for longer than the lease.
 * @returns the row as it is now; undefined when another process may have claimed it since
 */
export const renewClaim = async <T extends keyof Tables>(
  db: Db,
  queue: WorkTable<T>,
  row: Claimed<T>,
  leaseMs: number,
): Promise<Claimed<T> | undefined> => {
  const renewed = await untyped(db)
    .updateTable<string>(queue.table)
    .set({ [queue.lease]: fromNow(leaseMs) })
    .where(isHeld(queue, row))
    .where(sql<boolean>`${sql.ref(queue.lease)} > ${databaseNow}`)
    .returningAll()
    .returning(databaseNow.as('agora'))
    .executeTakeFirst()
  return renewed as Claimed<T> | undefined
}

interface Settled<T extends keyof Tables> {
  /** Columns that the result changes, often among them when the row is due again. */
  set?: { [C in Column<T>]?: unknown }
  /** Milliseconds after which the row is due again. */
  afterMs?: number
  /** Whether the attempt stays counted: one that failed does. */
  isCounted?: boolean
}

/**
 * Ends a claim. Without `afterMs`, and without `due` in `set`, a row with its lease in `due` is never due
 * again.
 * @returns false when another process has claimed the row since: then nothing changes
 */
export const settle = async <T extends keyof Tables>(
  db: Db,
  queue: WorkTable<T>,
  row: Claimed<T>,
  { set = {}, afterMs, isCounted = false }: Settled<T>,
): Promise<boolean> => {
  const { table, due, lease, attempts } = queue
  const { numUpdatedRows } = await untyped(db)
    .updateTable<string>(table)
    .set({
      [lease]: null,
      ...(attempts && !isCounted ? { [attempts]: sql`greatest(${sql.ref(attempts)} - 1, 0)` } : {}),
      ...(afterMs === undefined ? {} : { [due]: fromNow(afterMs) }),
      ...set,
    })
    .where(isHeld(queue, row))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Milliseconds before each repetition of work that waits for another service. */
export const PAUSES = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000]

/**
 * Returns the milliseconds until the next attempt; undefined when the work is given up.
 * @param attempts those that failed, with this one
 * @param retryAfter seconds that the other service asked to wait
 */
export const pauseAfter = (attempts: number, pauses = PAUSES, retryAfter?: number): number | undefined => {
  const pause = pauses[attempts - 1]
  return pause === undefined || retryAfter === undefined ? pause : retryAfter * 1000
}

/** Whether interruptions have used up the attempts: a failure would have given the work up. */
export const isSpent = (attempts: number, pauses = PAUSES): boolean => attempts > pauses.length + 1

/** How a process does the work of a queue. */
export interface Work<Item> {
  /** Completes the sentence 'the … failed' of the log. */
  name: string
  /** Milliseconds between two looks for due work. */
  everyMs: number
  /** Whether the first look is at once. */
  isDoneAtStart?: boolean
  /** Items that one process works on at once. Another is claimed as soon as one ends. */
  places: number
  /** Done before the first claim and every `everyMs`, for example to queue what has become due. */
  before?: (stopped: AbortSignal) => Promise<unknown>
  /** Done at the end of each look. */
  after?: () => Promise<unknown>
  /** Claims at most `limit` items. */
  claim: (limit: number) => Promise<readonly Item[]>
  /** Does the work, and settles it, also when it fails. An item that is not settled is repeated. */
  attempt: (item: Item, stopped: AbortSignal) => Promise<unknown>
}

type Log = Pick<FastifyBaseLogger, 'error'>

const never = new AbortController().signal

/**
 * Works until nothing is due and nothing is in progress. A slow item occupies one of the places; the
 * others go on.
 */
export const workOff = async <Item>(work: Work<Item>, log: Log, stopped = never): Promise<void> => {
  const { name, everyMs, places, before, after, claim, attempt } = work
  let nextBefore = 0
  const running = new Set<Promise<void>>()
  const begin = (item: Item) => {
    const run = attempt(item, stopped)
      // When its lease ends, a process repeats it.
      .catch((err: unknown) => log.error({ err }, `the ${name} failed`))
      .then(() => void running.delete(run))
    running.add(run)
  }
  try {
    while (!stopped.aborted) {
      if (performance.now() >= nextBefore) {
        nextBefore = performance.now() + everyMs
        await before?.(stopped)
      }
      const items = await claim(places - running.size)
      if (items.length === 0 && running.size === 0) break
      for (const item of items) begin(item)
      const isFull = running.size >= places
      await Promise.race([...running, ...(isFull ? [] : [sleep(everyMs, undefined, { ref: false })])])
    }
  } finally {
    await Promise.all(running)
  }
  if (!stopped.aborted) await after?.()
}

/** Looks for due work, and does it, until it is stopped. */
export const startWork = <Item>(work: Work<Item>, log: Log) => {
  const { name, everyMs, isDoneAtStart } = work
  const look = (stopped: AbortSignal) => workOff(work, log, stopped)
  return startRepeating({ name, everyMs, log, ...(isDoneAtStart ? { first: look } : {}) }, look)
}

/** The columns of a queue are named by its `WorkTable`, whose types have checked them. */
const untyped = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
