import { useQuery } from '@tanstack/react-query'
import { menusQuery } from '../../lib/menu.ts'
import type { ReportRef } from './ticks.ts'

export interface GroupNames {
  placeOf: (report: ReportRef) => string | undefined
  /** How many reports a workspace has; undefined while that is not known. */
  sizeOf: (idGrupoRelatorio: number) => number | undefined
}

/** Names and sizes of all workspaces, from the menu of an ADMIN, which the frame of the page has read anyway. */
export const useGroupNames = (): GroupNames => {
  const { data } = useQuery(menusQuery)
  const known = new Map(data?.map((entry) => [entry.idGrupoRelatorio, entry]))
  return {
    placeOf: ({ nomeGrupo, idGrupoRelatorio }) => nomeGrupo ?? known.get(idGrupoRelatorio)?.workspace,
    // The menu leaves out workspaces without reports.
    sizeOf: (id) => (data ? (known.get(id)?.quantidade ?? 0) : undefined),
  }
}
