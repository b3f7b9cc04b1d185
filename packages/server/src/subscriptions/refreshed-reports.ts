import type { Db } from '../db/open-database.ts'

/** Selects reports whose dataset was refreshed, with the end of its newest completed refresh. */
export const refreshedReports = (db: Db) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('conjuntoRelatorio', (join) =>
      join
        .onRef('conjuntoRelatorio.idRelatorio', '=', 'relatorio.idRelatorio')
        .onRef('conjuntoRelatorio.reportId', '=', 'relatorio.reportId'),
    )
    .innerJoin('leituraAtualizacoes', (join) =>
      join
        .onRef('leituraAtualizacoes.idPowerBi', '=', 'grupoRelatorio.idPowerBi')
        .onRef('leituraAtualizacoes.idConjunto', '=', 'conjuntoRelatorio.idConjunto'),
    )
    .where('concluidaEm', 'is not', null)
    .select(({ ref }) => ['relatorio.idRelatorio', ref('concluidaEm').$notNull().as('concluidaEm')])

/** Makes `jobs/refresh-watch.ts` read a dataset in its next run, because a refresh is in progress. */
export const expectRefresh = async (
  db: Db,
  { idPowerBi, idConjunto }: { idPowerBi: number; idConjunto: string },
): Promise<void> => {
  await db
    .updateTable('leituraAtualizacoes')
    .set({ lidaEm: new Date(0) })
    .where('idPowerBi', '=', idPowerBi)
    .where('idConjunto', '=', idConjunto.toLowerCase())
    .execute()
}
