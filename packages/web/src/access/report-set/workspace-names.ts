import { useQuery } from '@tanstack/react-query'
import { menusQuery } from '../../reports/index.ts'
import type { ReportRef } from './ticks.ts'

/** Returns names and sizes of all workspaces, from the ADMIN menu, which is loaded already. */
export const useGroupNames = () => {
  const { data } = useQuery(menusQuery)
  const known = new Map(data?.map((entry) => [entry.idGrupoRelatorio, entry]))
  return {
    workspaceOf: ({ nomeGrupo, idGrupoRelatorio }: ReportRef) =>
      nomeGrupo ?? known.get(idGrupoRelatorio)?.workspace,
    /** Undefined while unknown. The menu leaves out workspaces without reports. */
    sizeOf: (id: number) => (data ? (known.get(id)?.quantidade ?? 0) : undefined),
  }
}

export type GroupNames = ReturnType<typeof useGroupNames>
