import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'

/** Views per transaction: new views wait for its end. */
const viewsPerStep = 2_000

/** Adds the views from before usage was summed, newest first, in one process at a time. */
export const sumOlderViews = async (db: Db, stopped?: AbortSignal, step = viewsPerStep): Promise<void> => {
  let isLeft = true
  while (isLeft && !stopped?.aborted) {
    isLeft = await inTransaction(db, async (tx) => {
      const { rows } = await sql<{ isLeft: boolean }>`
        select somar_visualizacoes_antigas(${step}::int) as is_left`.execute(tx)
      return rows[0]?.isLeft ?? false
    })
  }
}
