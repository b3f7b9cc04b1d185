import { type Selectable, sql } from 'kysely'
import { databaseNow, fromNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { isClaimed } from '../db/queries/claim-rows.ts'
import { hasChanged } from '../db/queries/outcomes.ts'
import type { Tables } from '../db/types.ts'
import { isProduction } from '../installation/test-environment.ts'

/** The lease of a claimed message, in milliseconds: longer than a delivery. */
const LEASE_MS = 120_000

type Mail = Selectable<Tables['mensagem']>

export type ClaimedMail = Pick<Mail, 'idMensagem' | 'conteudo' | 'criadaEm' | 'tentativas'> & {
  /** The code of the attempt before; null at the first one. */
  erro: Mail['erro']
  /** The database's time of the claim. */
  agora: Date
}

/**
 * Claims messages that are due. `proximaEm` is also the lease: until it passes, no other process claims
 * the row. `tentativas` identifies the claim: an update by a process whose lease has ended finds another
 * number, and changes nothing. `erro` is empty until the attempt fails.
 */
export const claimMails = (db: Db, limit: number): Promise<ClaimedMail[]> =>
  db
    .updateTable('mensagem')
    .set({
      proximaEm: fromNow(LEASE_MS),
      tentativas: sql<number>`tentativas + 1`,
      erro: null,
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
    .returning(['idMensagem', 'conteudo', 'criadaEm', 'tentativas', databaseNow.as('agora')])
    // A subquery sees the row as it was before the update.
    .returning((eb) =>
      eb
        .selectFrom('mensagem as before')
        .select('before.erro')
        .whereRef('before.idMensagem', '=', 'mensagem.idMensagem')
        .as('erro'),
    )
    .execute()

/**
 * Begins the lease again right before the delivery: the preparation may have lasted longer than the lease.
 * @returns false when another process has claimed the message since, and sends it
 */
export const renewClaim = (
  db: Db,
  { idMensagem, tentativas }: Pick<ClaimedMail, 'idMensagem' | 'tentativas'>,
): Promise<boolean> =>
  hasChanged(
    db
      .updateTable('mensagem')
      .set({ proximaEm: fromNow(LEASE_MS) })
      .where('idMensagem', '=', idMensagem)
      .where('tentativas', '=', tentativas),
  )

/** SQL: whether the message waits for its next attempt after a failure; no process holds its lease. */
export const isWaiting = sql<boolean>`mensagem.erro is not null`
