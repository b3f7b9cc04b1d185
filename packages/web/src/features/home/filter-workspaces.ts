import type { MenuWorkspace } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/search-text.ts'

/** The workspaces with the reports that match; a workspace that matches by its own name keeps all of its reports. */
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
