import { callsOf, namedObject } from '../calls/endpoint.ts'
import { searchText } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

export const MenuReport = namedObject('MenuReport', {
  idRelatorio: z.number().int(),
  nome: z.string(),
  reportId: z.string(),
})
export type MenuReport = z.infer<typeof MenuReport>

export const MenuWorkspace = namedObject('MenuWorkspace', {
  workspace: z.string(),
  /** The workspace's id at the BI provider. */
  groupId: z.string(),
  idGrupoRelatorio: z.number().int(),
  /** Number of reports in it that this person may view. */
  quantidade: z.number().int(),
  /** Empty in a menu of more than MENU_REPORTS reports: loaded with the opened workspace. */
  relatorios: z.array(MenuReport),
})
export type MenuWorkspace = z.infer<typeof MenuWorkspace>

/** Maximum number of reports that are part of the menu itself. */
export const MENU_REPORTS = 1_000

/** Maximum number of reports in a search of the menu. */
export const MENU_MATCHES = 50

const { get } = callsOf({ tag: 'Menu', permission: 'menu:read' })

export const menusApi = {
  list: get('/usuarios/menus', 'Workspaces e relatórios que a pessoa pode ver, em ordem de nome', {
    response: { 200: z.array(MenuWorkspace) },
  }),
  search: get(
    '/usuarios/menus/busca',
    'Relatórios do menu cujo nome ou workspace contém o texto, no máximo 50',
    {
      query: z.object({
        busca: searchText.min(1),
      }),
      response: { 200: z.array(MenuWorkspace) },
    },
  ),
  reports: get('/usuarios/menus/:idGrupoRelatorio', 'Os relatórios de um workspace do menu', {
    response: { 200: z.array(MenuReport) },
  }),
}
