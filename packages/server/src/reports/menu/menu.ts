import { MENU_MATCHES, MENU_REPORTS, type MenuReport, type MenuWorkspace } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords } from '../../platform/db/queries/list-page.ts'
import { isVisibleTo, type Viewer } from '../visibility/visible-reports.ts'

/** Returns the viewer's menu, by name; without reports when they exceed MENU_REPORTS. */
export const findMenu = async (db: Db, viewer: Viewer): Promise<MenuWorkspace[]> => {
  const workspaces = await db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['nomeGrupo as workspace', 'idGrupo as groupId', 'grupoRelatorio.idGrupoRelatorio'])
    .select(({ fn }) => fn.countAll<number>().as('quantidade'))
    .where(isVisibleTo(viewer))
    .groupBy('grupoRelatorio.idGrupoRelatorio')
    .orderBy('grupoRelatorio.nomeNatural')
    .orderBy('nomeGrupo')
    .orderBy('grupoRelatorio.idGrupoRelatorio')
    .execute()
  const total = workspaces.reduce((sum, { quantidade }) => sum + quantidade, 0)
  const reports = total > MENU_REPORTS ? new Map() : await reportsByWorkspace(db, viewer)
  return workspaces.map((workspace) => ({
    ...workspace,
    relatorios: reports.get(workspace.idGrupoRelatorio) ?? [],
  }))
}

export const listMenuReports = (db: Db, viewer: Viewer, idGrupoRelatorio: number): Promise<MenuReport[]> =>
  db
    .selectFrom('relatorio')
    .select(['idRelatorio', 'nomeRelatorio as nome', 'reportId'])
    .where('idGrupoRelatorio', '=', idGrupoRelatorio)
    .where(isVisibleTo(viewer))
    .orderBy('nomeNatural')
    .orderBy('nomeRelatorio')
    .orderBy('idRelatorio')
    .execute()

/** Returns at most MENU_MATCHES reports whose own and workspace's names have every word. */
export const searchMenu = async (db: Db, viewer: Viewer, text: string): Promise<MenuWorkspace[]> => {
  const rows = await db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['nomeGrupo as workspace', 'idGrupo as groupId', 'grupoRelatorio.idGrupoRelatorio'])
    .select(['idRelatorio', 'nomeRelatorio as nome', 'reportId'])
    .where(isVisibleTo(viewer))
    .where(containsWords(['relatorio.nomeBusca', 'grupoRelatorio.nomeBusca'], text))
    .orderBy('grupoRelatorio.nomeNatural')
    .orderBy('grupoRelatorio.idGrupoRelatorio')
    .orderBy('relatorio.nomeNatural')
    .orderBy('idRelatorio')
    .limit(MENU_MATCHES)
    .execute()
  const found = new Map<number, MenuWorkspace>()
  for (const { workspace, groupId, idGrupoRelatorio, ...report } of rows) {
    const entry = found.get(idGrupoRelatorio) ?? {
      workspace,
      groupId,
      idGrupoRelatorio,
      quantidade: 0,
      relatorios: [],
    }
    entry.relatorios.push(report)
    entry.quantidade += 1
    found.set(idGrupoRelatorio, entry)
  }
  return [...found.values()]
}

/** One JSON value: the embedded database returns one row much faster than many. */
const reportsByWorkspace = async (db: Db, viewer: Viewer): Promise<Map<number, MenuReport[]>> => {
  const { rows } = await sql<{ id: number; relatorios: MenuReport[] }>`
    select id_grupo_relatorio as id, json_agg(json_build_object(
      'idRelatorio', id_relatorio, 'nome', nome_relatorio, 'reportId', report_id)
      order by nome_natural, nome_relatorio, id_relatorio) as relatorios
    from relatorio where ${isVisibleTo(viewer)} group by id_grupo_relatorio`.execute(db)
  return new Map(rows.map(({ id, relatorios }) => [id, relatorios]))
}
