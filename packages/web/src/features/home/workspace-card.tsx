import type { MenuWorkspace } from '@bi-manager/contract'
import { IconChartHistogram, IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { reportPath } from '../../lib/report-path.ts'
import classes from './home-page.module.css'

export const WorkspaceCard = ({
  workspace: { workspace, groupId, relatorios },
}: {
  workspace: MenuWorkspace
}) => (
  <>
    <div className={classes.cardHeader}>
      <h3 className={classes.cardHeading}>{workspace}</h3>
      <span className={classes.count}>
        {relatorios.length === 1 ? '1 relatório' : `${relatorios.length} relatórios`}
      </span>
    </div>
    <ul className={classes.links}>
      {relatorios.map(({ idRelatorio, nome, reportId }) => (
        <li key={idRelatorio}>
          <Link to={reportPath({ workspace, relatorio: nome, groupId, reportId })} className={classes.link}>
            <IconChartHistogram size={18} stroke={1.6} aria-hidden className={classes.linkIcon} />
            <span className={classes.linkText}>{nome}</span>
            <IconChevronRight size={16} aria-hidden className={classes.chevron} />
          </Link>
        </li>
      ))}
    </ul>
  </>
)
