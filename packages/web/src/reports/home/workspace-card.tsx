import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { Box, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { explainCut } from '../../ui/data-table/two-lines.tsx'
import shared from '../../ui/shared.module.css'
import { isLazy, linksOf, type MenuLinks, withReports, workspaceReportsQuery } from '../menu/menu.ts'
import classes from './home-page.module.css'

interface WorkspaceCardProps {
  /** The whole menu, which decides whether links need the registration's id. */
  menu: MenuWorkspace[]
  /** `linksOf(menu)`, made once for all cards. */
  links: MenuLinks
  workspace: MenuWorkspace
  /** Reports that are shown at first; a single further one is shown, too. */
  first: number
}

export const WorkspaceCard = ({ menu, links, workspace, first }: WorkspaceCardProps) => {
  const { relatorios, quantidade } = workspace
  // A search may have filtered the reports, so `quantidade` may be too high.
  const count = isLazy(workspace) ? quantidade : relatorios.length
  const [isOpen, setOpen] = useState(false)
  const headingId = useId()
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <>
      <Group
        justify="space-between"
        align="baseline"
        gap="sm"
        wrap="nowrap"
        className={classes.cardHead ?? ''}
      >
        <h3 id={headingId} className={shared.subheading}>
          {workspace.workspace}
        </h3>
        <Box component="span" flex="none" className={shared.smallNote}>
          {count === 1 ? '1 relatório' : `${count} relatórios`}
        </Box>
      </Group>
      {isLazy(workspace) ? (
        <>
          {isOpen && <ReportsOnDemand menu={menu} workspace={workspace} first={first} />}
          <Button
            variant="subtle"
            size="xs"
            mb={-6}
            ml={-14}
            aria-expanded={isOpen}
            aria-describedby={headingId}
            rightSection={<Chevron size={16} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Ocultar relatórios' : 'Mostrar relatórios'}
          </Button>
        </>
      ) : (
        <ReportLinks links={links} workspace={workspace} first={first} reports={relatorios} />
      )}
    </>
  )
}

const ReportsOnDemand = ({ menu, workspace, first }: Omit<WorkspaceCardProps, 'links'>) => {
  const { idGrupoRelatorio } = workspace
  const { data: reports, error, refetch, isFetching } = useQuery(workspaceReportsQuery(idGrupoRelatorio))
  if (reports)
    return (
      <ReportLinks
        links={linksOf(withReports(menu, idGrupoRelatorio, reports))}
        workspace={workspace}
        first={first}
        reports={reports}
      />
    )
  if (error)
    return <ListFailure size="xs" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return (
    <div role="status" aria-label={`Carregando os relatórios de ${workspace.workspace}`}>
      {[85, 60, 72].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} my="sm" />
      ))}
    </div>
  )
}

/** Reports added at a time to a workspace that shows all of them. */
const STEP = 100

interface ReportLinksProps extends Omit<WorkspaceCardProps, 'menu'> {
  reports: MenuReport[]
}

const ReportLinks = ({ links, workspace, first, reports }: ReportLinksProps) => {
  const [showsAll, setShowsAll] = useState(false)
  const { shown, hidden, showMore } = useLimitedList(reports, STEP)
  const isLong = reports.length > first + 1
  return (
    <>
      <Stack component="ul" gap={2} mx="-0.625rem" mb={-6}>
        {(isLong && !showsAll ? reports.slice(0, first) : shown).map((report) => (
          <li key={report.idRelatorio}>
            {/* No element around the name: a home page may have many reports. */}
            <Link
              to={links.pathOf(workspace, report)}
              className={`${shared.menuLink} ${shared.twoLines} ${classes.link}`}
              onMouseEnter={explainCut}
            >
              {report.nome}
            </Link>
          </li>
        ))}
      </Stack>
      {isLong && (
        <Group gap={0} mb={-6} ml={-14}>
          <Button
            variant="subtle"
            size="xs"
            aria-expanded={showsAll}
            aria-label={
              showsAll
                ? `Ver menos de ${workspace.workspace}`
                : `Ver todos (${reports.length}) de ${workspace.workspace}`
            }
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? 'Ver menos' : `Ver todos (${reports.length})`}
          </Button>
          {showsAll && hidden > 0 && (
            <Button variant="subtle" size="xs" onClick={showMore}>
              Mostrar mais
            </Button>
          )}
        </Group>
      )}
    </>
  )
}
