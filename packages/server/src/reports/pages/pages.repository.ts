import type { BoundPage, PageRoute } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { isVisibleTo, type Viewer } from '../visibility/visible-reports.ts'

type BoundReport = NonNullable<BoundPage['relatorio']>

/**
 * Returns the reports bound to these pages that the viewer may see; pages without one have no
 * entry.
 */
export const findBoundReports = async (
  db: Db,
  viewer: Viewer,
  routes: readonly PageRoute[],
): Promise<Map<string, BoundReport>> => {
  const rows = await db
    .selectFrom('pagina')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'pagina.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['rota', 'relatorio.idRelatorio', 'nomeRelatorio', 'nomeGrupo'])
    .select(['idGrupo as groupId', 'reportId'])
    .where('rota', 'in', routes)
    .where(isVisibleTo(viewer))
    .execute()
  return new Map(rows.map(({ rota, ...report }) => [rota, report]))
}

/** Binds the report to the page; null unbinds it. */
export const bindReport = async (tx: Db, rota: PageRoute, idRelatorio: number | null): Promise<void> => {
  if (idRelatorio === null) {
    await tx.deleteFrom('pagina').where('rota', '=', rota).execute()
    return
  }
  await tx
    .insertInto('pagina')
    .values({ rota, idRelatorio })
    .onConflict((conflict) => conflict.column('rota').doUpdateSet({ idRelatorio }))
    .execute()
}
