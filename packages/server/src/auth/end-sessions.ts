import type { Db } from '../db/open-database.ts'

/** @returns how many sessions of the person were alive and are not any more; `kept` goes on */
export const endSessionsOf = async (
  tx: Db,
  idUsuario: number,
  { now, kept }: { now: Date; kept: string | undefined },
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('sessao')
    .set({ encerradaEm: now })
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .$if(kept !== undefined, (query) => query.where('idSessao', '<>', kept ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
