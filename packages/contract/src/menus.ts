import { z } from 'zod'
import { endpoint } from './endpoint.ts'

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
    relatorios: z.array(MenuReport),
  })
  .meta({ id: 'MenuWorkspace' })
export type MenuWorkspace = z.infer<typeof MenuWorkspace>

export const menusApi = {
  list: endpoint({
    method: 'GET',
    url: '/usuarios/menus',
    permission: 'menu:read',
    tag: 'Menu',
    summary: 'Workspaces e relatórios que a pessoa pode ver, em ordem de nome',
    response: { 200: z.array(MenuWorkspace) },
  }),
}
