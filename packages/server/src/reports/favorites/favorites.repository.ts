import type { Favorite } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { countRows } from '../../platform/db/queries/list-page.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { isVisibleTo, type Viewer } from '../visibility/visible-reports.ts'

/**
 * Returns the visible favourites in the user's order; hidden ones reappear when their grant
 * returns.
 */
export const listFavorites = (db: Db, viewer: Viewer): Promise<Favorite[]> =>
  db
    .selectFrom('favorito')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'favorito.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'nomeGrupo', 'idGrupo as groupId', 'reportId'])
    .where('idUsuario', '=', viewer.idUsuario)
    .where(isVisibleTo(viewer))
    .orderBy('posicao')
    .orderBy('relatorio.idRelatorio')
    .execute()

export const countFavorites = (tx: Db, idUsuario: number): Promise<number> =>
  countRows(tx.selectFrom('favorito').where('idUsuario', '=', idUsuario))

/** @returns whether the report was not a favourite before */
export const insertFavorite = (tx: Db, idUsuario: number, idRelatorio: number): Promise<boolean> => {
  const next = sql<number>`(select coalesce(max(posicao), 0) + 1 from favorito where id_usuario = ${idUsuario})`
  return hasChanged(
    tx
      .insertInto('favorito')
      .values({ idUsuario, idRelatorio, posicao: next })
      .onConflict((conflict) => conflict.doNothing()),
  )
}

export const deleteFavorite = (tx: Db, idUsuario: number, idRelatorio: number): Promise<boolean> =>
  hasChanged(tx.deleteFrom('favorito').where(({ and }) => and({ idUsuario, idRelatorio })))

/** Favourites that are not named keep their order, after the named ones. */
export const orderFavorites = async (tx: Db, idUsuario: number, ids: number[]): Promise<void> => {
  await sql`
    update favorito f set posicao = ordem.posicao
    from (select id_relatorio, row_number() over
      (order by array_position(${ids}::int[], id_relatorio) nulls last, posicao, id_relatorio) as posicao
      from favorito where id_usuario = ${idUsuario}) ordem
    where f.id_usuario = ${idUsuario} and f.id_relatorio = ordem.id_relatorio`.execute(tx)
}
