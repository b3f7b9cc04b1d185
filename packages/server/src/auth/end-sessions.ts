import { lockRow } from '../db/lock-row.ts'
import type { Db } from '../db/open-database.ts'

/*
 * Every end of a session first locks the person's row: a call that is writing at that moment
 * finishes, a later one is refused.
 */

/** Ends one session of a person, and the enrolment of a second factor that it began. */
export const endSession = async (
  tx: Db,
  { idUsuario, idSessao }: { idUsuario: number; idSessao: string },
  now: Date,
): Promise<void> => {
  await lockRow(tx, 'usuario', idUsuario)
  await tx.updateTable('sessao').set({ encerradaEm: now }).where('idSessao', '=', idSessao).execute()
  await pendingFactors(tx, idUsuario).where('idSessao', '=', idSessao).execute()
  await nextFactors(tx, idUsuario).where('idSessao', '=', idSessao).execute()
}

/**
 * Ends the person's sessions, and the enrolments of a second factor that they began.
 * @returns how many were alive and are not any more; `kept` goes on
 */
export const endSessionsOf = async (
  tx: Db,
  idUsuario: number,
  { now, kept }: { now: Date; kept: string | undefined },
): Promise<number> => {
  await lockRow(tx, 'usuario', idUsuario)
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

/** A second factor whose first code has not come. */
const pendingFactors = (tx: Db, idUsuario: number) =>
  tx.deleteFrom('segundoFator').where('idUsuario', '=', idUsuario).where('ativoEm', 'is', null)

/** The device that is to take the place of the active one. */
const nextFactors = (tx: Db, idUsuario: number) =>
  tx.deleteFrom('segundoFatorNovo').where('idUsuario', '=', idUsuario)
