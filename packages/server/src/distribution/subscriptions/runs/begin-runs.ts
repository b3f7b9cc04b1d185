import type { SubscriptionRunCause } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { isProduction } from '../../../platform/db/queries/is-production.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { nextRun } from '../../../platform/lib/recurrence.ts'
import { refreshedReports } from '../../../reports/index.ts'
import { recipientsOf } from '../recipients/recipients.ts'

/** Runs that one transaction begins. */
const MAX_BEGUN = 20

/** In a query with `assinatura`: whether files of an earlier run are still to be made. */
const isBeingMade = sql<boolean>`exists (select from assinatura_execucao e join assinatura_entrega d using (id_execucao)
  where e.id_assinatura = assinatura.id_assinatura and e.causa <> 'TESTE' and e.terminada_em is null
    and d.estado = 'PENDENTE')`

/**
 * Begins the runs that are due. Each is inserted with its e-mails in the transaction that plans the
 * next one, so that a process may die at any time; of several processes, one begins each.
 * @returns whether more may be due
 */
export const beginDueRuns = (db: Db): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('assinatura')
      .selectAll()
      .select([isBeingMade.as('isBeingMade'), databaseNow.as('agora')])
      .where('ativa', '=', true)
      .where('proximaEm', '<=', databaseNow)
      // A restored copy must not send production's e-mails.
      .where(isProduction)
      .orderBy('proximaEm')
      .limit(MAX_BEGUN)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const subscription of due) {
      const { idAssinatura, proximaEm, agora } = subscription
      // What the portal missed while it was stopped is sent once.
      await tx
        .updateTable('assinatura')
        .set({ proximaEm: nextRun(subscription, agora) })
        .where('idAssinatura', '=', idAssinatura)
        .execute()
      if (!subscription.isBeingMade)
        await insertRun(tx, { idAssinatura, causa: 'AGENDA', previstaEm: proximaEm ?? agora })
    }
    return due.length === MAX_BEGUN
  })

/**
 * Begins a run of each subscription whose data were refreshed since the last one. A refresh that ends
 * while the files of a run are made begins one afterwards.
 */
export const beginRunsAfterRefresh = (db: Db): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('assinatura')
      .innerJoin(refreshedReports(tx).as('atualizado'), 'atualizado.idRelatorio', 'assinatura.idRelatorio')
      .select(['idAssinatura', 'concluidaEm'])
      .where('ativa', '=', true)
      .where('frequencia', '=', 'ATUALIZACAO')
      .whereRef('concluidaEm', '>', 'atualizadaAte')
      .where(({ not }) => not(isBeingMade))
      .where(isProduction)
      .orderBy('idAssinatura')
      .limit(MAX_BEGUN)
      .forUpdate('assinatura')
      .skipLocked()
      .execute()
    for (const { idAssinatura, concluidaEm } of due) {
      await tx
        .updateTable('assinatura')
        .set({ atualizadaAte: concluidaEm })
        .where('idAssinatura', '=', idAssinatura)
        .execute()
      await insertRun(tx, { idAssinatura, causa: 'ATUALIZACAO', previstaEm: databaseNow })
    }
    return due.length === MAX_BEGUN
  })

interface NewRun {
  idAssinatura: number
  causa: SubscriptionRunCause
  previstaEm: Date | RawBuilder<Date>
}

/** Inserts a run and its e-mails. */
const insertRun = async (tx: Db, run: NewRun): Promise<void> => {
  const { idExecucao } = await tx
    .insertInto('assinaturaExecucao')
    .values({ ...run, tentarEm: databaseNow })
    .returning('idExecucao')
    .executeTakeFirstOrThrow()
  await sql`insert into assinatura_entrega (id_execucao, id_usuario, em)
    select ${idExecucao}::int, id_usuario, ${databaseNow}
    from (${recipientsOf(run.idAssinatura)}) r`.execute(tx)
}
