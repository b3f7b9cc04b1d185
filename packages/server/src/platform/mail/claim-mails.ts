import { type Selectable, sql } from 'kysely'
import { isClaimed } from '../db/claim-rows.ts'
import { databaseNow, fromNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'
import { isProduction } from '../installation/test-environment.ts'

/** The lease of a claimed message, in milliseconds: longer than an attempt. */
export const LEASE_MS = 120_000

export type ClaimedMail = Selectable<Tables['mensagem']> & {
  /** The database's time of the claim. */
  agora: Date
}

/**
 * Claims messages that are due. `proximaEm` is also the lease: until it passes, no other process claims
 * the row. `tentativas` identifies the claim: an update by a process whose lease has ended finds another
 * number, and changes nothing.
 */
export const claimMails = (db: Db, limit: number): Promise<ClaimedMail[]> =>
  db
    .updateTable('mensagem')
    .set({
      proximaEm: fromNow(LEASE_MS),
      tentativas: sql<number>`tentativas + 1`,
    })
    .where(
      isClaimed(
        'idMensagem',
        db
          .selectFrom('mensagem')
          .select('idMensagem')
          .where('proximaEm', '<=', databaseNow)
          .where(isProduction)
          .orderBy('proximaEm')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returningAll()
    .returning(databaseNow.as('agora'))
    .execute()
