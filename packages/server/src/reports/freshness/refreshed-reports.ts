import type { Db } from '../../platform/db/open-database.ts'

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

/** When a dataset counts as last read whose refresh is expected. */
export const EXPECTED = new Date(0)

/**
 * Makes `reports/freshness/refresh-watch.job.ts` read datasets in its next run, from the provider,
 * because a refresh is in progress or has just ended.
 * @param idConjuntos 'all' datasets of the connection, when it is not known which
 */
export const expectRefreshes = async (
  db: Db,
  idPowerBi: number,
  idConjuntos: readonly string[] | 'all',
): Promise<void> => {
  const ids = idConjuntos === 'all' ? [] : idConjuntos.map((id) => id.toLowerCase())
  await db
    .updateTable('leituraAtualizacoes')
    .set({ lidaEm: EXPECTED })
    .where('idPowerBi', '=', idPowerBi)
    .$if(idConjuntos !== 'all', (query) => query.where((eb) => eb('idConjunto', '=', eb.fn.any(eb.val(ids)))))
    .execute()
}
