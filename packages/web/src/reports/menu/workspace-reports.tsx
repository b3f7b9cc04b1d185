import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { reportInAddress } from '../../lib/navigation/report-path.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { isLazy, linksOf, withReports, workspaceReportsQuery } from './menu.ts'
import { ReportLink } from './report-link.tsx'
import classes from './report-menu.module.css'

interface WorkspaceReportsProps {
  menu: MenuWorkspace[]
  workspace: MenuWorkspace
}

/** The reports of an opened workspace, from the menu or fetched on demand. */
export const WorkspaceReports = ({ menu, workspace }: WorkspaceReportsProps) =>
  isLazy(workspace) ? (
    <ReportsOnDemand menu={menu} workspace={workspace} />
  ) : (
    <ReportList menu={menu} workspace={workspace} reports={workspace.relatorios} />
  )

const ReportsOnDemand = ({ menu, workspace }: WorkspaceReportsProps) => {
  const { idGrupoRelatorio } = workspace
  const { data: reports, error, refetch, isFetching } = useQuery(workspaceReportsQuery(idGrupoRelatorio))
  if (reports)
    return (
      <ReportList
        menu={withReports(menu, idGrupoRelatorio, reports)}
        workspace={workspace}
        reports={reports}
      />
    )
  if (error)
    return <ListFailure size="xs" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return <SkeletonLines label={`Carregando os relatórios de ${workspace.workspace}`} />
}

const STEP = 50

const ReportList = ({ menu, workspace, reports }: WorkspaceReportsProps & { reports: MenuReport[] }) => {
  const active = reportInAddress(useLocation())
  const links = linksOf(menu)
  const { shown, hidden, showMore } = useLimitedList(reports, STEP, (report) =>
    links.isCurrent(active, workspace, report),
  )
  return (
    <>
      <ul className={`${shared.menuList} ${classes.list}`}>
        {shown.map((report) => (
          <li key={report.idRelatorio}>
            <ReportLink workspace={workspace} report={report} links={links} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="xs" mt={6} onClick={showMore}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}
