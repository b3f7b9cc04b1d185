import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { RecordId } from './ids.ts'

export const MenuReport = z
  .object({ idRelatorio: z.number().int(), nome: z.string(), reportId: z.string() })
  .meta({ id: 'MenuReport' })
export type MenuReport = z.infer<typeof MenuReport>

export const MenuWorkspace = z
  .object({
    workspace: z.string(),
    /** The workspace's id at the BI provider. */
    groupId: z.string(),
    idGrupoRelatorio: z.number().int(),
    /** Number of reports in it that this person may view. */
    quantidade: z.number().int(),
    /** Empty in a menu of more than MENU_REPORTS reports: loaded with the opened workspace. */
    relatorios: z.array(MenuReport),
  })
  .meta({ id: 'MenuWorkspace' })
export type MenuWorkspace = z.infer<typeof MenuWorkspace>

/** Maximum number of reports that are part of the menu itself. */
export const MENU_REPORTS = 1_000

/** Maximum number of reports in a search of the menu. */
export const MENU_MATCHES = 50

export const menusApi = {
  list: endpoint({
    method: 'GET',
    url: '/usuarios/menus',
    permission: 'menu:read',
    tag: 'Menu',
    summary: 'Workspaces e relatórios que a pessoa pode ver, em ordem de nome',
    response: { 200: z.array(MenuWorkspace) },
  }),
  search: endpoint({
    method: 'GET',
    url: '/usuarios/menus/busca',
    permission: 'menu:read',
    tag: 'Menu',
    summary: 'Relatórios do menu cujo nome ou workspace contém o texto, no máximo 50',
    query: z.object({
      busca: z
        .string()
        .trim()
        .normalize('NFC')
        .min(1)
        .max(200)
        .regex(/^[^\0]*$/),
    }),
    response: { 200: z.array(MenuWorkspace) },
  }),
  reports: endpoint({
    method: 'GET',
    url: '/usuarios/menus/:idGrupoRelatorio',
    permission: 'menu:read',
    tag: 'Menu',
    summary: 'Os relatórios de um workspace do menu',
    params: z.object({ idGrupoRelatorio: RecordId }),
    response: { 200: z.array(MenuReport) },
  }),
}
