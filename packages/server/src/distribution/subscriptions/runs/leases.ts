import { sql } from 'kysely'
import { databaseNow, fromNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { isClaimed } from '../../../platform/db/queries/claim-rows.ts'
import { isProduction } from '../../../platform/installation/test-environment.ts'

/** The lease of a claimed row: after it, another process claims the row and repeats the step. */
const LEASE_MS = 5 * 60_000

/** Exports of subscriptions that a connection's provider works on at once. */
const EXPORTS_PER_CONNECTION = 2

/**
 * Claims a run that is to be prepared: tests first, because a person waits for them.
 * @returns undefined when none is due
 */
export const claimRun = async (db: Db) =>
  db
    .updateTable('assinaturaExecucao')
    .set((eb) => ({
      ocupadaAte: fromNow(LEASE_MS),
      iniciadaEm: sql<Date>`coalesce(iniciada_em, ${databaseNow})`,
      repeticoes: sql<number>`repeticoes + (case when ${eb('ocupadaAte', 'is not', null)} then 1 else 0 end)`,
    }))
    .where(
      isClaimed(
        'idExecucao',
        db
          .selectFrom('assinaturaExecucao')
          .select('idExecucao')
          .where('terminadaEm', 'is', null)
          .where('preparadaEm', 'is', null)
          .where('tentarEm', '<=', databaseNow)
          .where(({ eb, or }) => or([eb('ocupadaAte', 'is', null), eb('ocupadaAte', '<=', databaseNow)]))
          .where(isProduction)
          .orderBy(sql`causa = 'TESTE'`, 'desc')
          .orderBy('tentarEm')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returning(['idExecucao', 'repeticoes', 'ocupadaAte'])
    .executeTakeFirst()

export type ClaimedRun = NonNullable<Awaited<ReturnType<typeof claimRun>>>

/** In a query with `assinatura_arquivo a`: joins the workspace, which names the connection. */
const withConnection = sql`
  join assinatura_execucao e using (id_execucao)
  join assinatura s using (id_assinatura)
  join relatorio r using (id_relatorio)
  join grupo_relatorio g using (id_grupo_relatorio)`

/**
 * Claims a file whose next step is due: the request for it, or a question about its progress. At most
 * `EXPORTS_PER_CONNECTION` exports of a connection are in progress. Call it in a transaction.
 * @returns undefined when none is due
 */
export const claimFile = async (tx: Db) => {
  // Two processes must not both take a connection's last place. A separate statement: the next one
  // then reads what was committed before the lock was free.
  await sql`select pg_advisory_xact_lock(hashtextextended('bi-manager subscriptions', 0))`.execute(tx)
  const next = sql<number>`(
    with ocupadas as (
      select g.id_power_bi, count(*) as total
      from assinatura_arquivo a ${withConnection}
      where a.estado = 'GERANDO' or a.estado = 'PENDENTE' and a.ocupado_ate > ${databaseNow}
      group by g.id_power_bi
    )
    select a.id_arquivo
    from assinatura_arquivo a ${withConnection}
    left join ocupadas o on o.id_power_bi = g.id_power_bi
    where a.estado in ('PENDENTE', 'GERANDO') and a.tentar_em <= ${databaseNow}
      and (a.ocupado_ate is null or a.ocupado_ate <= ${databaseNow}) and ${isProduction}
      and (a.estado = 'GERANDO' or coalesce(o.total, 0) < ${EXPORTS_PER_CONNECTION})
    order by a.estado = 'PENDENTE', e.causa <> 'TESTE', a.tentar_em, a.id_arquivo
    limit 1)`
  return tx
    .updateTable('assinaturaArquivo')
    .set((eb) => ({
      ocupadoAte: fromNow(LEASE_MS),
      repeticoes: sql<number>`repeticoes + (case when ${eb('ocupadoAte', 'is not', null)} then 1 else 0 end)`,
    }))
    .where('idArquivo', '=', next)
    .returningAll()
    .returning(databaseNow.as('agora'))
    .executeTakeFirst()
}

export type ClaimedFile = NonNullable<Awaited<ReturnType<typeof claimFile>>>
