import { userEntity } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'

/* Ending a session locks the user's row first: a concurrent write of the session finishes
   before, later ones are refused. */

/** Ends one session of a user, and the second-factor enrolment that it started. */
export const endSession = async (
  tx: Db,
  { idUsuario, idSessao }: { idUsuario: number; idSessao: string },
  now: Date,
): Promise<void> => {
  await lockRow(tx, userEntity, idUsuario)
  await tx.updateTable('sessao').set({ encerradaEm: now }).where('idSessao', '=', idSessao).execute()
  await pendingFactors(tx, idUsuario).where('idSessao', '=', idSessao).execute()
  await nextFactors(tx, idUsuario).where('idSessao', '=', idSessao).execute()
}

/**
 * SQL: parts of a `with` that end the sessions of its part `excedente (id_sessao, id_usuario)`, and
 * the second-factor enrolments that they started; `encerrada` has the ids. For a transaction that
 * has locked the user's row (lockActiveAccount): what it reads here may not change during the wait
 * for the stronger lock.
 */
export const endingOfSurplus = (now: Date): RawBuilder<unknown> => sql`
  pessoa as (
    select id_usuario from usuario where id_usuario in (select id_usuario from excedente) for update
  ), encerrada as (
    update sessao set encerrada_em = ${now} from pessoa join excedente using (id_usuario)
    where sessao.id_sessao = excedente.id_sessao
    returning sessao.id_sessao
  ), fator_pendente as (
    delete from segundo_fator where ativo_em is null and id_usuario in (select id_usuario from pessoa)
      and id_sessao in (select id_sessao from encerrada)
  ), fator_novo as (
    delete from segundo_fator_novo where id_usuario in (select id_usuario from pessoa)
      and id_sessao in (select id_sessao from encerrada)
  )`

/**
 * Ends the user's sessions except `kept`, and the second-factor enrolments that they started.
 * @returns the number of live sessions that ended
 */
export const endSessionsOf = async (
  tx: Db,
  idUsuario: number,
  { now, kept }: { now: Date; kept: string | undefined },
): Promise<number> => {
  await lockRow(tx, userEntity, idUsuario)
  const { numUpdatedRows } = await tx
    .updateTable('sessao')
    .set({ encerradaEm: now })
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .$if(kept !== undefined, (query) => query.where('idSessao', '<>', kept ?? ''))
    .executeTakeFirst()
  await pendingFactors(tx, idUsuario)
    .$if(kept !== undefined, (query) => query.where('idSessao', 'is distinct from', kept ?? null))
    .execute()
  await nextFactors(tx, idUsuario)
    .$if(kept !== undefined, (query) => query.where('idSessao', 'is distinct from', kept ?? null))
    .execute()
  return Number(numUpdatedRows)
}

/**
 * Ends the user's sessions except `kept`; without one, also revokes their API keys: someone else may
 * have controlled the account.
 * @returns what ended, for the audit
 */
export const endAccessOf = async (
  tx: Db,
  idUsuario: number,
  { now, kept }: { now: Date; kept: string | undefined },
): Promise<{ sessoesEncerradas: number; chavesRevogadas?: number }> => {
  const sessoesEncerradas = await endSessionsOf(tx, idUsuario, { now, kept })
  if (kept !== undefined) return { sessoesEncerradas }
  const { numDeletedRows } = await tx
    .deleteFrom('chaveApi')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  const chavesRevogadas = Number(numDeletedRows)
  return { sessoesEncerradas, ...(chavesRevogadas > 0 ? { chavesRevogadas } : {}) }
}

/** A second factor that is not confirmed yet. */
const pendingFactors = (tx: Db, idUsuario: number) =>
  tx.deleteFrom('segundoFator').where('idUsuario', '=', idUsuario).where('ativoEm', 'is', null)

/** The device that will replace the active one. */
const nextFactors = (tx: Db, idUsuario: number) =>
  tx.deleteFrom('segundoFatorNovo').where('idUsuario', '=', idUsuario)
