import type { MenuWorkspace } from '@bi-manager/contract'
import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useParams } from 'react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { menusQuery } from '../../lib/queries.ts'
import { FilterPanel } from './filter-panel.tsx'
import { filtersOf, nothingChosen, type PanelChoice } from './panel-filters.ts'
import classes from './report-page.module.css'
import { titleOfSlug } from './report-title.ts'
import { appliedChoice, useReport } from './use-report.ts'
import { ViewerNotice } from './viewer-notice.tsx'
import { ViewerProblemPage } from './viewer-problem-page.tsx'
import { ViewerSkeleton } from './viewer-skeleton.tsx'
import { ViewerToolbar } from './viewer-toolbar.tsx'

/** The embedded report viewer, at both of its addresses. */
const ReportPage = () => {
  const { groupName = '', relatorio = '', groupId = '', reportId = '' } = useParams()
  const { frameElement, status, retry, dismissNotice, refresh, print, filter } = useReport(groupId, reportId)
  // The panel belongs to the report it was opened on: another report starts with it closed.
  const [panelOpenOn, setPanelOpenOn] = useState('')
  const stage = useRef<HTMLDivElement>(null)
  const panelButton = useRef<HTMLButtonElement>(null)

  const title = titleOfSlug(groupName)
  // Read, never asked for here: the name in the address has lost its accents' case and its hyphens.
  const { data: menu } = useQuery({ ...menusQuery, enabled: false })
  const known = status.nomeRelatorio ?? nameInMenu(menu, groupId, reportId)
  usePageTitle(known ? `${known} · ${title}` : title)

  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  const isPanelOpen = isLoaded && panelOpenOn === reportId
  const closePanel = () => {
    setPanelOpenOn('')
    panelButton.current?.focus()
  }
  const choice = appliedChoice(status)
  // Said here, because the panel that said 'Aplicando filtros…' is gone by then.
  const [areApplied, setApplied] = useState(false)
  const apply = async (wanted: PanelChoice) => {
    setApplied(false)
    const missing = await filter(wanted)
    setApplied(missing.length === 0 && wanted !== nothingChosen)
    return missing
  }

  return (
    <section className={classes.viewer} data-state={status.phase} aria-label={`Relatórios de ${title}`}>
      <ViewerToolbar
        title={title}
        nomeRelatorio={known ?? titleOfSlug(relatorio)}
        isLoaded={isLoaded}
        stage={stage}
        panel={{
          isOpen: isPanelOpen,
          active: filtersOf(choice).length,
          button: panelButton,
          toggle: () => setPanelOpenOn(isPanelOpen ? '' : reportId),
        }}
        refresh={refresh}
        print={print}
      />
      <VisuallyHidden role="status">
        {areApplied && isLoaded ? 'Filtros aplicados.' : announcementOf(status.phase)}
      </VisuallyHidden>
      <ViewerNotice status={status} retry={retry} dismiss={dismissNotice} />
      <div className={classes.stage} ref={stage} aria-busy={status.phase === 'carregando'}>
        <div
          className={classes.frame}
          ref={frameElement}
          inert={!isLoaded}
          data-hidden={status.phase === 'erro' || undefined}
        />
        {status.phase === 'carregando' && <ViewerSkeleton />}
        {status.phase === 'erro' && status.problem && (
          <ViewerProblemPage problem={status.problem} retry={retry} />
        )}
        {isPanelOpen && <FilterPanel choice={choice} apply={apply} close={closePanel} />}
      </div>
    </section>
  )
}

export default ReportPage

const announcementOf = (phase: string): string => {
  if (phase === 'carregando') return 'Carregando relatório…'
  return phase === 'renderizado' ? 'Relatório carregado.' : ''
}

const nameInMenu = (menu: MenuWorkspace[] = [], groupId: string, reportId: string) =>
  menu
    .find((workspace) => workspace.groupId === groupId)
    ?.relatorios.find((report) => report.reportId === reportId)?.nome
