import { useQuery } from '@tanstack/react-query'
import { menusQuery } from '../../lib/navigation/menu.ts'
import type { ReportRef } from './ticks.ts'

export interface GroupNames {
  placeOf: (report: ReportRef) => string | undefined
  /** Returns a workspace's number of reports; undefined while unknown. */
  sizeOf: (idGrupoRelatorio: number) => number | undefined
}

/** Returns names and sizes of all workspaces, from the ADMIN menu, which is loaded already. */
export const useGroupNames = (): GroupNames => {
  const { data } = useQuery(menusQuery)
  const known = new Map(data?.map((entry) => [entry.idGrupoRelatorio, entry]))
  return {
    placeOf: ({ nomeGrupo, idGrupoRelatorio }) => nomeGrupo ?? known.get(idGrupoRelatorio)?.workspace,
    // The menu leaves out workspaces without reports.
    sizeOf: (id) => (data ? (known.get(id)?.quantidade ?? 0) : undefined),
  }
}
