import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { connectionColumns, registeredConnection } from './registered-connection.ts'

/** Returns a registered report with its ids at the provider and its connection. */
export const findRegisteredReport = async (
  { db, ...settings }: { db: Db; config: Config; secrets: Secrets },
  id: number,
) => {
  const row = await db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['reportId', 'idGrupo', 'datasetsAdicionais'])
    .select(connectionColumns)
    .where('idRelatorio', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const connection = registeredConnection(row, settings)
  const { idGrupo: groupId, reportId, datasetsAdicionais } = row
  return { connection, groupId, reportId, datasetsAdicionais }
}
