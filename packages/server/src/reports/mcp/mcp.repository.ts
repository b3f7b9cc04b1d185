import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords } from '../../platform/db/queries/list-page.ts'
import { isVisibleTo, type Viewer } from '../visibility/visible-reports.ts'

const reports = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idRelatorio', 'nomeRelatorio', 'nomeGrupo', 'idGrupo as groupId', 'reportId', 'sensivel'])
    .select(sql<boolean>`powerbi.provedor = 'local'`.as('isLocal'))
    .where(isVisibleTo(viewer))

/** Returns at most `most` reports that the viewer may see, and whether there are more. */
export const listReports = async (
  db: Db,
  viewer: Viewer,
  { search, most }: { search: string | undefined; most: number },
) => {
  const rows = await reports(db, viewer)
    .$if(!!search, (some) =>
      some.where(containsWords(['relatorio.nomeBusca', 'grupoRelatorio.nomeBusca'], search ?? '')),
    )
    .orderBy('grupoRelatorio.nomeNatural')
    .orderBy('grupoRelatorio.idGrupoRelatorio')
    .orderBy('relatorio.nomeNatural')
    .orderBy('idRelatorio')
    .limit(most + 1)
    .execute()
  return { rows: rows.slice(0, most), hasMore: rows.length > most }
}

/** Returns undefined when there is no such report, or the viewer may not see it. */
export const findReport = (db: Db, viewer: Viewer, idRelatorio: number) =>
  reports(db, viewer).where('idRelatorio', '=', idRelatorio).executeTakeFirst()

export const isMcpOn = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('regrasChaves').select('mcp').executeTakeFirstOrThrow()).mcp
