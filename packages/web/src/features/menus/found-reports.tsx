import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { ReportLink } from './report-link.tsx'
import classes from './report-menu.module.css'

interface FoundReportsProps {
  found: { workspace: MenuWorkspace; report: MenuReport }[]
}

/** What the menu's search found, each with the name of its workspace. */
export const FoundReports = ({ found }: FoundReportsProps) => (
  <ul className={classes.list} aria-label="Relatórios encontrados">
    {found.map(({ workspace, report }) => (
      <li key={report.idRelatorio}>
        <ReportLink workspace={workspace} report={report} withWorkspace />
      </li>
    ))}
  </ul>
)
