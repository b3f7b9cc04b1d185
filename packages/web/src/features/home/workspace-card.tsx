import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { Button, Skeleton } from '@mantine/core'
import {
  IconAlertTriangle,
  IconChartHistogram,
  IconChevronDown,
  IconChevronRight,
  IconChevronUp,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../lib/api/api.ts'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { isLazy, linksOf, withReports, workspaceReportsQuery } from '../../lib/navigation/menu.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import classes from './home-page.module.css'

interface WorkspaceCardProps {
  /** The whole menu, which decides whether links need the registration's id. */
  menu: MenuWorkspace[]
  workspace: MenuWorkspace
}

export const WorkspaceCard = ({ menu, workspace }: WorkspaceCardProps) => {
  const { relatorios, quantidade } = workspace
  // A search may have filtered the reports, so `quantidade` may be too high.
  const count = isLazy(workspace) ? quantidade : relatorios.length
  const [isOpen, setOpen] = useState(false)
  const headingId = useId()
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <>
      <div className={classes.cardHeader}>
        <h3 id={headingId} className={classes.cardHeading}>
          {workspace.workspace}
        </h3>
        <span className={classes.count}>{count === 1 ? '1 relatório' : `${count} relatórios`}</span>
      </div>
      {isLazy(workspace) ? (
        <>
          {isOpen && <ReportsOnDemand menu={menu} workspace={workspace} />}
          <Button
            variant="subtle"
            size="xs"
            className={classes.cardToggle}
            aria-expanded={isOpen}
            aria-describedby={headingId}
            rightSection={<Chevron size={16} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Ocultar relatórios' : 'Mostrar relatórios'}
          </Button>
        </>
      ) : (
        <ReportLinks menu={menu} workspace={workspace} reports={relatorios} />
      )}
    </>
  )
}

const ReportsOnDemand = ({ menu, workspace }: WorkspaceCardProps) => {
  const { idGrupoRelatorio } = workspace
  const { data: reports, error, refetch, isFetching } = useQuery(workspaceReportsQuery(idGrupoRelatorio))
  if (reports)
    return (
      <ReportLinks
        menu={withReports(menu, idGrupoRelatorio, reports)}
        workspace={workspace}
        reports={reports}
      />
    )
  if (!error)
    return (
      <div role="status" aria-label={`Carregando os relatórios de ${workspace.workspace}`}>
        {[85, 60, 72].map((width) => (
          <Skeleton key={width} height={16} width={`${width}%`} my="sm" />
        ))}
      </div>
    )
  return (
    <InlineMessage
      alert
      icon={IconAlertTriangle}
      action={
        <Button variant="default" size="xs" loading={isFetching} onClick={() => refetch()}>
          Tentar novamente
        </Button>
      }
    >
      {messageOf(error)}
    </InlineMessage>
  )
}

const STEP = 20

const ReportLinks = ({ menu, workspace, reports }: WorkspaceCardProps & { reports: MenuReport[] }) => {
  const links = linksOf(menu)
  const { shown, hidden, showMore } = useLimitedList(reports, STEP)
  return (
    <>
      <ul className={classes.links}>
        {shown.map((report) => (
          <li key={report.idRelatorio}>
            <Link to={links.pathOf(workspace, report)} className={classes.link}>
              <IconChartHistogram size={18} stroke={1.6} aria-hidden className={shared.successIcon} />
              <span className={classes.linkText}>{report.nome}</span>
              <IconChevronRight size={16} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="xs" className={classes.cardMore} onClick={showMore}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}
