import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { type ReportIds, registrationIn } from '../../lib/navigation/report-path.ts'
import { activeWorkspace, linksOf, menusQuery, withReports, workspaceReportsQuery } from '../menu/menu.ts'
import { titleOfReport, titleOfSlug } from './report-title.ts'
import type { UseReportTools } from './report-tools.ts'
import { ReportViewer } from './report-viewer.tsx'
import { ViewerNames } from './toolbar/viewer-names.tsx'

/** The viewer of one report; both of its routes render this page. */
export const ReportPage = ({ useTools }: { useTools: UseReportTools }) => {
  const { groupName = '', relatorio = '', groupId = '', reportId = '' } = useParams()
  const memory = useSearchParams()
  const report = { groupId, reportId, idRelatorio: registrationIn(memory[0]) }
  const inMenu = useNamesInMenu(report)
  const title = titleOfReport(groupName, inMenu.workspace)
  return (
    <ReportViewer
      fills
      useTools={useTools}
      report={report}
      memory={memory}
      label={`Relatórios de ${title}`}
      link={() => window.location.href}
      heading={(nomeRelatorio) => (
        <Names title={title} known={nomeRelatorio ?? inMenu.report} slugName={titleOfSlug(relatorio)} />
      )}
    />
  )
}

const Names = ({
  title,
  known,
  slugName,
}: {
  title: string
  known: string | undefined
  slugName: string
}) => {
  usePageTitle(known ? `${known} · ${title}` : title)
  return <ViewerNames title={title} nomeRelatorio={known ?? slugName} />
}

/**
 * Reads names from the cached menu without fetching it: the slugs in the URL lose case and hyphens.
 */
const useNamesInMenu = (address: ReportIds): { workspace?: string; report?: string | undefined } => {
  const { data: menu = [] } = useQuery({ ...menusQuery, enabled: false })
  const workspace = activeWorkspace(menu, address)
  const id = workspace?.idGrupoRelatorio ?? 0
  const { data: reports = workspace?.relatorios ?? [] } = useQuery({
    ...workspaceReportsQuery(id),
    enabled: false,
  })
  if (!workspace) return {}
  const { isCurrent } = linksOf(withReports(menu, id, reports))
  const report = reports.find((report) => isCurrent(address, workspace, report))?.nome
  return { workspace: workspace.workspace, report }
}
