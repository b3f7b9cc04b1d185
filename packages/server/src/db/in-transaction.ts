import { setTimeout } from 'node:timers/promises'
import { isConnectionLost } from './lost-connection.ts'
import type { Db } from './open-database.ts'
import { STALE } from './postgres-dialect.ts'

/**
 * Two transactions stood in each other's way, and the database ended one of them, or a prepared
 * statement was no longer valid: it may simply be done again.
 */
const wasSacrificed = (error: unknown): boolean =>
  ['40P01', '40001', ...STALE].includes((error as { code?: string } | null)?.code ?? '')

const attempts = 4

/** The connection was lost while the transaction was committed: it may have been, or not. */
export class UncertainCommit extends Error {
  override readonly name = 'UncertainCommit'
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('Connection terminated during the commit', { cause })
    this.code = (cause as { code?: string }).code
  }
}

/**
 * Runs the work in one transaction: all of it is kept, or none; begun anew when the database broke a deadlock with it.
 * Nothing slow (hashing, HTTP, files) belongs inside: the embedded database has one connection, and everybody waits.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    let isWorkDone = false
    try {
      return await db.transaction().execute(async (tx) => {
        const result = await work(tx)
        isWorkDone = true
        return result
      })
    } catch (error) {
      if (isWorkDone && isConnectionLost(error)) throw new UncertainCommit(error)
      if (attempt === attempts || !wasSacrificed(error)) throw error
      // Not all at the same time again.
      await setTimeout(Math.random() * 100 * attempt)
    }
  }
}
