import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { Link, useLocation } from 'react-router'
import { reportInAddress } from '../../lib/navigation/report-path.ts'
import shared from '../../ui/shared.module.css'
import { FavoriteStar } from '../favorites/favorite-star.tsx'
import type { MenuLinks } from './menu.ts'
import classes from './report-menu.module.css'
import { useInView } from './use-in-view.ts'

interface ReportLinkProps {
  workspace: MenuWorkspace
  report: MenuReport
  links: MenuLinks
  withWorkspace?: boolean
}

/** A report in the menu. Compared with the URL by ids, because names in a URL may be outdated. */
export const ReportLink = ({ workspace, report, links, withWorkspace = false }: ReportLinkProps) => {
  const active = reportInAddress(useLocation())
  const isCurrent = links.isCurrent(active, workspace, report)
  const link = useInView<HTMLAnchorElement>(isCurrent && !withWorkspace)
  return (
    <div className={classes.starred}>
      <Link
        ref={link}
        to={links.pathOf(workspace, report)}
        aria-current={isCurrent ? 'page' : undefined}
        className={`${shared.menuLink} ${classes.link}`}
      >
        {report.nome}
        {withWorkspace && <span className={shared.detail}>{workspace.workspace}</span>}
      </Link>
      <FavoriteStar idRelatorio={report.idRelatorio} nomeRelatorio={report.nome} size="sm" />
    </div>
  )
}
