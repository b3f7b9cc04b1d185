import { sql } from 'kysely'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isClaimed } from '../../platform/db/queries/claim-rows.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { isProduction } from '../../platform/installation/test-environment.ts'
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
      .where(({ eb, or }) => or([eb('ocupadoAte', 'is', null), eb('ocupadoAte', '<=', databaseNow)]))
      .where(isProduction)
      .orderBy('idAlerta')
      .limit(ALERTS_PER_CLAIM)
      .forUpdate('alerta')
      .skipLocked()
      .execute()
    for (const { idAlerta, concluidaEm } of due) {
      await tx
        .updateTable('alerta')
        .set({ atualizadaAte: concluidaEm, proximaEm: databaseNow, repeticoes: 0 })
        .where('idAlerta', '=', idAlerta)
        .execute()
    }
    return due.length === ALERTS_PER_CLAIM
  })

/** Claims alerts that are due. @returns no ids when none is due */
export const claimAlerts = async (db: Db) => {
  const rows = await db
    .updateTable('alerta')
    .set({ ocupadoAte: fromNow(LEASE_MS) })
    .where(
      isClaimed(
        'idAlerta',
        dueAlerts(db)
          .select('idAlerta')
          .where('idAlerta', 'in', firstOfEachOwner(db))
          .orderBy('proximaEm')
          .orderBy('idRelatorio')
          .orderBy('idAlerta')
          .limit(ALERTS_PER_CLAIM)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returning(['idAlerta', 'ocupadoAte'])
    .execute()
  return { ids: rows.map(({ idAlerta }) => idAlerta), ocupadoAte: rows[0]?.ocupadoAte ?? null }
}

const dueAlerts = (db: Db) =>
  db
    .selectFrom('alerta')
    .where('ativo', '=', true)
    .where('proximaEm', '<=', databaseNow)
    .where(({ eb, or }) => or([eb('ocupadoAte', 'is', null), eb('ocupadoAte', '<=', databaseNow)]))
    .where(isProduction)

const firstOfEachOwner = (db: Db) => {
  const place = sql<number>`row_number() over (partition by id_dono order by proxima_em, id_alerta)`
  return db
    .selectFrom(
      dueAlerts(db)
        .select(['idAlerta', place.as('lugar')])
        .as('fila'),
    )
    .select('idAlerta')
    .where('lugar', '<=', MAX_PER_OWNER)
}
