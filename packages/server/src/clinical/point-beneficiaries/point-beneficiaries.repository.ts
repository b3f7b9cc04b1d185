import { connectionColumns, identityColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isVisibleTo, type Viewer } from '../../reports/index.ts'

/** Returns the report with its connection, if the viewer may see it. */
export const findReport = (db: Db, viewer: Viewer, idRelatorio: number) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idRelatorio', 'reportId', 'idGrupo as groupId', 'datasetsAdicionais'])
    .select(identityColumns)
    .select(connectionColumns)
    .where('idRelatorio', '=', idRelatorio)
    .where(isVisibleTo(viewer))
    .executeTakeFirst()
