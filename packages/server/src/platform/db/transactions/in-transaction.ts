import { setTimeout } from 'node:timers/promises'
import { isConnectionLost, STALE } from '../drivers/lost-connection.ts'
import type { Db } from '../open-database.ts'
import { inShare } from './transaction-share.ts'

/**
 * The database ended one of two conflicting transactions, or a prepared statement was no longer
 * valid. The transaction may be repeated.
 */
const wasSacrificed = (error: unknown): boolean =>
  ['40P01', '40001', ...STALE].includes((error as { code?: string } | null)?.code ?? '')

const attempts = 4

/** The connection was lost during the commit: the transaction may or may not be committed. */
export class UncertainCommit extends Error {
  override readonly name = 'UncertainCommit'
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('Connection terminated during the commit', { cause })
    this.code = (cause as { code?: string }).code
  }
}

/**
 * Runs the work in one transaction and repeats it after a deadlock. Nothing slow (hashing, HTTP,
 * files) may run inside: the embedded database has one connection, so all other calls wait.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    let isWorkDone = false
    try {
      return await inShare(db, () =>
        db.transaction().execute(async (tx) => {
          const result = await work(tx)
          isWorkDone = true
          return result
        }),
      )
    } catch (error) {
      if (isWorkDone && isConnectionLost(error)) throw new UncertainCommit(error)
      if (attempt === attempts || !wasSacrificed(error)) throw error
      // A random delay, so that conflicting transactions do not retry at the same time.
      await setTimeout(Math.random() * 100 * attempt)
    }
  }
}
