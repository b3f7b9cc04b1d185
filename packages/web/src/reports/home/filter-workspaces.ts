import type { MenuWorkspace } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/text/search-text.ts'

/**
 * Returns workspaces with their matching reports; one whose name matches keeps all reports. Those
 * without reports are listed only while nothing is searched.
 */
export const filterWorkspaces = (workspaces: MenuWorkspace[], search: string): MenuWorkspace[] =>
  workspaces
    .map((workspace) =>
      matchesSearch(workspace.workspace, search)
        ? workspace
        : {
            ...workspace,
            relatorios: workspace.relatorios.filter(({ nome }) => matchesSearch(nome, search)),
          },
    )
    .filter((workspace) => !search.trim() || workspace.relatorios.length > 0)
