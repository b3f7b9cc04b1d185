import type { ReportType } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { groupReportsQuery, workspaceQuery } from '../../lib/api/entity-queries.ts'

/**
 * Returns the type of a report as the provider's list of its workspace describes it; undefined when
 * the list is not read or lacks the report.
 */
export const useReportType = (
  idGrupoRelatorio: number | undefined,
  reportId: string | undefined,
): ReportType | undefined => {
  const { data: group } = useQuery(workspaceQuery(idGrupoRelatorio))
  const { data: listed } = useQuery({
    ...groupReportsQuery(group ?? { idPowerBi: 0, idGrupo: '' }),
    enabled: group !== undefined && reportId !== undefined,
  })
  // Provider ids are case-insensitive.
  const found = listed?.find((report) => report.reportId.toLowerCase() === reportId?.toLowerCase())
  return found && found.tipo !== 'PAINEL' ? found.tipo : undefined
}
