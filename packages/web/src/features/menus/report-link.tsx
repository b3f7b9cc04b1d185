import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { Link, useLocation } from 'react-router'
import { reportInPath, reportPath } from '../../lib/report-path.ts'
import classes from './report-menu.module.css'

interface ReportLinkProps {
  workspace: MenuWorkspace
  report: MenuReport
  withWorkspace?: boolean
}

/** A report in the menu. It is current by its ids: the names in an address may be old. */
export const ReportLink = ({ workspace, report, withWorkspace = false }: ReportLinkProps) => {
  const active = reportInPath(useLocation().pathname)
  const current = active?.groupId === workspace.groupId && active.reportId === report.reportId
  const { groupId } = workspace
  return (
    <Link
      to={reportPath({
        workspace: workspace.workspace,
        relatorio: report.nome,
        groupId,
        reportId: report.reportId,
      })}
      aria-current={current ? 'page' : undefined}
      className={classes.link}
    >
      {report.nome}
      {withWorkspace && <span className={classes.workspace}>{workspace.workspace}</span>}
    </Link>
  )
}
