import { MAX_SUBSCRIPTION_TESTS_PER_HOUR } from '@bi-manager/contract'
import { sql } from 'kysely'
import { databaseNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { hasRow } from '../../../platform/db/queries/outcomes.ts'
import { Problem } from '../../../platform/lib/problem.ts'

const hourMs = 3_600_000

/**
 * Counts the user's tests in the audit trail. The caller must hold a lock of the user's row, so
 * that two calls cannot both take the last place.
 * @throws Problem 429 `muitos_envios` with Retry-After
 */
export const assertSendNowQuota = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  const since = new Date(now.getTime() - hourMs)
  const { rows } = await sql<{ total: number; primeiro: Date | null }>`
    select count(*)::int as total, min(quando) as primeiro from auditoria
    where acao = 'subscription.tested' and id_usuario = ${idUsuario} and quando > ${since}`.execute(tx)
  const { total = 0, primeiro } = rows[0] ?? {}
  if (total < MAX_SUBSCRIPTION_TESTS_PER_HOUR) return
  const freeAt = (primeiro ?? now).getTime() + hourMs
  throw new Problem('muitos_envios', { retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) })
}

/**
 * Inserts a run whose only recipient is the user.
 * @throws Problem 409 `assinatura_em_envio` while another one is in progress
 */
export const insertSendNow = async (
  tx: Db,
  idAssinatura: number,
  idUsuario: number,
  now: Date,
): Promise<number> => {
  const open = tx
    .selectFrom('assinaturaExecucao')
    .innerJoin('assinaturaEntrega', 'assinaturaEntrega.idExecucao', 'assinaturaExecucao.idExecucao')
    .select('assinaturaExecucao.idExecucao')
    .where('idAssinatura', '=', idAssinatura)
    .where('idUsuario', '=', idUsuario)
    .where('causa', '=', 'TESTE')
    .where('terminadaEm', 'is', null)
  if (await hasRow(open)) throw new Problem('assinatura_em_envio')
  const { idExecucao } = await tx
    .insertInto('assinaturaExecucao')
    .values({ idAssinatura, causa: 'TESTE', previstaEm: now, tentarEm: databaseNow })
    .returning('idExecucao')
    .executeTakeFirstOrThrow()
  await tx.insertInto('assinaturaEntrega').values({ idExecucao, idUsuario, em: now }).execute()
  return idExecucao
}
