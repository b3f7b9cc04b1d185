import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'

/**
 * Runs the work in a transaction, unless another process on the same database is running the work
 * of this name. The lock ends with the transaction, so it also works behind a pooler.
 * @returns whether it ran here
 */
export const runExclusively = (db: Db, name: string, work: (tx: Db) => Promise<void>): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`bi-manager ${name}`}::text, 0)) as is_ours`.execute(
      tx,
    )
    if (!rows[0]?.isOurs) return false
    await work(tx)
    return true
  })
