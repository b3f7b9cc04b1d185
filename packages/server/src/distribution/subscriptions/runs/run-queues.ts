import { sql } from 'kysely'
import { databaseNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { type Claimed, claimDue, hasDue, type WorkTable } from '../../../platform/jobs/work-queue.ts'

/** The lease of a claimed row: after it, another process claims the row and repeats the step. */
const LEASE_MS = 5 * 60_000

/** Exports of subscriptions that a connection's provider works on at once. */
const EXPORTS_PER_CONNECTION = 2

/** Runs that are to be prepared. */
export const runQueue: WorkTable<'assinaturaExecucao'> = {
  table: 'assinaturaExecucao',
  id: 'idExecucao',
  due: 'tentarEm',
  lease: 'ocupadaAte',
  attempts: 'repeticoes',
  isOpen: sql<boolean>`(terminada_em is null and preparada_em is null)`,
}

export type ClaimedRun = Claimed<'assinaturaExecucao'>

/** Claims runs that are to be prepared: tests first, because a person waits for them. */
export const claimRuns = (db: Db, limit: number): Promise<ClaimedRun[]> =>
  claimDue(db, runQueue, {
    leaseMs: LEASE_MS,
    limit,
    order: sql`causa = 'TESTE' desc, tentar_em`,
    set: { iniciadaEm: sql`coalesce(iniciada_em, ${databaseNow})` },
  })

/** Files that are to be made. */
export const fileQueue: WorkTable<'assinaturaArquivo'> = {
  table: 'assinaturaArquivo',
  id: 'idArquivo',
  due: 'tentarEm',
  lease: 'ocupadoAte',
  attempts: 'repeticoes',
  isOpen: sql<boolean>`estado in ('PENDENTE', 'GERANDO')`,
}

export type ClaimedFile = Claimed<'assinaturaArquivo'>

/** In a query with `assinatura_execucao e`: joins the workspace, which names the connection. */
const withConnection = sql`
  join assinatura s using (id_assinatura)
  join relatorio r using (id_relatorio)
  join grupo_relatorio g using (id_grupo_relatorio)`

/** SQL: whether the provider of the file's connection may work on another export. */
const hasPlace = sql`(
  select g.id_power_bi from assinatura_execucao e ${withConnection}
  where e.id_execucao = assinatura_arquivo.id_execucao
) not in (
  select g.id_power_bi from assinatura_arquivo a join assinatura_execucao e using (id_execucao) ${withConnection}
  where a.estado = 'GERANDO' or a.estado = 'PENDENTE' and a.ocupado_ate > ${databaseNow}
  group by g.id_power_bi having count(*) >= ${EXPORTS_PER_CONNECTION})`

/** SQL: whether a person waits for the file. */
const isTest = sql`(select e.causa = 'TESTE' from assinatura_execucao e
  where e.id_execucao = assinatura_arquivo.id_execucao)`

/**
 * Claims a file whose next step is due: the request for it, or a question about its progress. At most
 * `EXPORTS_PER_CONNECTION` exports of a connection are in progress.
 */
export const claimFiles = async (db: Db): Promise<ClaimedFile[]> => {
  if (!(await hasDue(db, fileQueue))) return []
  return inTransaction(db, async (tx) => {
    // Two processes must not both take a connection's last place. A separate statement: the next one
    // then reads what was committed before the lock was free.
    await sql`select pg_advisory_xact_lock(hashtextextended('bi-manager subscriptions', 0))`.execute(tx)
    return claimDue(tx, fileQueue, {
      leaseMs: LEASE_MS,
      limit: 1,
      only: sql<boolean>`(estado = 'GERANDO' or ${hasPlace})`,
      order: sql`estado = 'PENDENTE', ${isTest} desc, tentar_em, id_arquivo`,
    })
  })
}
