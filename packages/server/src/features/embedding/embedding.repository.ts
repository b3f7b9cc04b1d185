import { sql } from 'kysely'
import { isVisibleTo, type Viewer } from '../../access/visible-reports.ts'
import type { Db } from '../../db/open-database.ts'

interface Address {
  groupId: string
  reportId: string
  /** Tells apart registrations of the same external report; without it, the oldest one that the viewer may see. */
  idRelatorio?: number | null | undefined
}

/** The registered report behind two external ids, with its connection, if this viewer may see it. */
export const findViewableReport = (db: Db, viewer: Viewer, address: Address) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idRelatorio', 'nomeRelatorio', 'operadoraRelatorio', 'reportId', 'filtro', 'papeisRls'])
    .select(['nomeGrupo', 'idGrupo', 'powerbi.idPowerBi', 'powerbi.nome as nomeConexao', 'powerbi.versao'])
    .select(['provedor', 'tenantId', 'applicationId', 'tipoCredencial', 'username', 'segredo'])
    .where(sql<boolean>`lower(report_id) = lower(${address.reportId})`)
    .where(sql<boolean>`lower(id_grupo) = lower(${address.groupId})`)
    .where(isVisibleTo(viewer))
    .$if(!!address.idRelatorio, (query) => query.where('idRelatorio', '=', address.idRelatorio ?? 0))
    .orderBy('idRelatorio')
    .executeTakeFirst()

export type ViewableReport = NonNullable<Awaited<ReturnType<typeof findViewableReport>>>

export const mayView = async (db: Db, viewer: Viewer, idRelatorio: number): Promise<boolean> => {
  const row = await db
    .selectFrom('relatorio')
    .select('idRelatorio')
    .where('idRelatorio', '=', idRelatorio)
    .where(isVisibleTo(viewer))
    .executeTakeFirst()
  return row !== undefined
}

interface IssuedToken {
  idUsuario: number
  idRelatorio: number
  tokenId: string
  expiraEm: Date
  comIdentidade: boolean
}

export const insertIssuedToken = async (tx: Db, token: IssuedToken, quando: Date): Promise<void> => {
  await tx
    .insertInto('tokenEmitido')
    .values({ ...token, quando })
    .execute()
}

interface View {
  idUsuario: number
  idRelatorio: number
  carregadoMs: number
  renderizadoMs: number
}

export const insertView = async (tx: Db, view: View, quando: Date): Promise<void> => {
  await tx
    .insertInto('visualizacao')
    .values({ ...view, quando })
    .execute()
}
