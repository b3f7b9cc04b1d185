import { sql } from 'kysely'
import { databaseNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isProduction } from '../../platform/db/queries/is-production.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { type Claimed, claimDue, isDue, isFree, type WorkTable } from '../../platform/jobs/work-queue.ts'
import { refreshedReports } from '../../reports/index.ts'

/** The lease of claimed alerts: after it, another process claims and evaluates them again. */
const LEASE_MS = 5 * 60_000

/** Alerts that one process evaluates together: those of one report share queries. */
const ALERTS_PER_CLAIM = 20

/** Alerts of one owner among them: their slow reports delay other owners by minutes only. */
const MAX_PER_OWNER = 10

/**
 * Plans an evaluation of alerts whose data were refreshed since the last one.
 * @returns whether there may be more
 */
export const planRefreshedAlerts = (db: Db): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('alerta')
      .innerJoin(refreshedReports(tx).as('atualizado'), 'atualizado.idRelatorio', 'alerta.idRelatorio')
      .select(['idAlerta', 'concluidaEm'])
      .where('ativo', '=', true)
      .where('frequencia', '=', 'ATUALIZACAO')
      .whereRef('concluidaEm', '>', 'atualizadaAte')
      // The end of an evaluation in progress would overwrite that it is due again.
      .where(isFree(alertQueue))
      .where(isProduction)
      .orderBy('idAlerta')
      .limit(ALERTS_PER_CLAIM)
      .forUpdate('alerta')
      .skipLocked()
      .execute()
    for (const { idAlerta, concluidaEm } of due) {
      await tx
        .updateTable('alerta')
        .set({ atualizadaAte: concluidaEm, proximaEm: databaseNow })
        .where('idAlerta', '=', idAlerta)
        .execute()
    }
    return due.length === ALERTS_PER_CLAIM
  })

export const alertQueue: WorkTable<'alerta'> = {
  table: 'alerta',
  id: 'idAlerta',
  due: 'proximaEm',
  lease: 'ocupadoAte',
  attempts: 'repeticoes',
  isOpen: sql<boolean>`ativo`,
}

export type ClaimedAlert = Claimed<'alerta'>

/**
 * Claims alerts that are due, together because they may share questions. One whose evaluation was
 * interrupted is claimed alone, since it may be what ended the process.
 */
export const claimAlerts = async (db: Db): Promise<ClaimedAlert[]> => {
  const claim = { leaseMs: LEASE_MS, order: sql`proxima_em, id_relatorio, id_alerta` }
  const only = sql<boolean>`(ocupado_ate is null and ${firstOfEachOwner})`
  const together = await claimDue(db, alertQueue, { ...claim, limit: ALERTS_PER_CLAIM, only })
  if (together.length > 0) return together
  return claimDue(db, alertQueue, { ...claim, limit: 1, only: sql<boolean>`ocupado_ate is not null` })
}

/** SQL: whether the due alert is among the first of its owner. */
const firstOfEachOwner = sql<boolean>`id_alerta in (
  select id_alerta from (
    select id_alerta, row_number() over (partition by id_dono order by proxima_em, id_alerta) as lugar
    from alerta where ${isDue(alertQueue)}
  ) fila where lugar <= ${MAX_PER_OWNER})`
