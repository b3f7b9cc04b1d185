import { connectionColumns, identityColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'

/** Selects reports with what an export of them needs; the caller restricts who may see them. */
export const selectExportableReports = (db: Db) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'reportId', 'filtro', 'idGrupo as groupId'])
    .select([...identityColumns, 'datasetsAdicionais', 'tipoRelatorio', 'relatorio.parametros'])
    .select(['painelParametros', 'filtrosPainel', 'operadoraRelatorio', 'sensivel'])
    .select(connectionColumns)

export type ExportableReport = Awaited<
  ReturnType<ReturnType<typeof selectExportableReports>['execute']>
>[number]
