import { Button, VisuallyHidden } from '@mantine/core'
import { IconMinimize } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ReportIds } from '../../lib/navigation/report-path.ts'
import { FavoriteStar } from '../../ui/favorite-star.tsx'
import { FilterPanel } from './filters/filter-panel.tsx'
import { emptyPanelChoice, filtersOf, type PanelChoice } from './filters/panel-filters.ts'
import type { ReportMemory } from './filters/use-kept-address.ts'
import { appliedChoice, useReport } from './opening/use-report.ts'
import { ViewerProblemPage } from './problems/viewer-problem-page.tsx'
import classes from './report-viewer.module.css'
import { SavedViewsButton } from './saved-views/saved-views-button.tsx'
import { useDefaultView } from './saved-views/use-default-view.ts'
import { ExportButton } from './toolbar/export-button.tsx'
import { ViewerToolbar } from './toolbar/viewer-toolbar.tsx'
import { ViewerNotice } from './viewer-notice.tsx'
import { ViewerSkeleton } from './viewer-skeleton.tsx'

interface ReportViewerProps {
  report: ReportIds
  memory: ReportMemory
  /** Names the region for screen readers. */
  label: string
  /** Renders the left of the toolbar; receives the report's name once it is known. */
  heading: (nomeRelatorio: string | undefined) => ReactNode
  /** Further buttons of the toolbar. */
  actions?: ReactNode
  /** Whether the viewer fills the window below the shell, or is one part of a page. */
  fills?: boolean
  /** Returns the link that 'Copiar link' copies. */
  link: () => string
}

/** A report with its toolbar, filter panel and messages. */
export const ReportViewer = (props: ReportViewerProps) => {
  const { report, memory, label, heading, actions, fills = false, link } = props
  const viewed = useReport(report, memory)
  const { frameElement, status, retry, dismissNotice, refresh, print, filter } = viewed
  useDefaultView(viewed)
  // The panel closes when another report opens.
  const [panelOpenOn, setPanelOpenOn] = useState('')
  const stage = useRef<HTMLDivElement>(null)
  const panelButton = useRef<HTMLButtonElement>(null)

  const key = `${report.reportId}/${report.idRelatorio}`
  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  const { idRelatorio, nomeRelatorio = '' } = status
  const isPanelOpen = isLoaded && panelOpenOn === key
  const closePanel = () => {
    setPanelOpenOn('')
    panelButton.current?.focus()
  }
  const choice = appliedChoice(status)
  // Announced here, because the panel with its own status is closed by then.
  const [areApplied, setApplied] = useState(false)
  const apply = async (wanted: PanelChoice) => {
    setApplied(false)
    const missing = await filter(wanted)
    setApplied(missing.length === 0 && wanted !== emptyPanelChoice)
    return missing
  }

  return (
    <section
      className={classes.viewer}
      data-fills={fills || undefined}
      data-state={status.phase}
      aria-label={label}
      tabIndex={-1}
    >
      <ViewerToolbar
        heading={heading(status.nomeRelatorio)}
        actions={actions}
        star={<FavoriteStar idRelatorio={idRelatorio} nomeRelatorio={nomeRelatorio} />}
        menus={
          <>
            <SavedViewsButton
              key={`views of ${key}`}
              report={viewed}
              idRelatorio={idRelatorio}
              isLoaded={isLoaded}
            />
            <ExportButton
              // Opening another report ends the export.
              key={`export of ${key}`}
              report={viewed}
              idRelatorio={idRelatorio}
              nomeRelatorio={nomeRelatorio}
              isLoaded={isLoaded}
            />
          </>
        }
        link={link}
        isLoaded={isLoaded}
        stage={stage}
        panel={{
          isOpen: isPanelOpen,
          active: filtersOf(choice).length,
          button: panelButton,
          toggle: () => setPanelOpenOn(isPanelOpen ? '' : key),
        }}
        hasSelections={status.hasSelections === true}
        refresh={refresh}
        print={print}
      />
      <VisuallyHidden role="status">
        {areApplied && isLoaded && !status.notice ? 'Filtros aplicados.' : announcementOf(status.phase)}
      </VisuallyHidden>
      <ViewerNotice status={status} retry={retry} dismiss={dismissNotice} />
      <div className={classes.stage} ref={stage} aria-busy={status.phase === 'carregando'}>
        <div className={classes.leaveFullScreen}>
          <Button
            variant="default"
            size="md"
            leftSection={<IconMinimize size={18} stroke={1.7} aria-hidden />}
            onClick={() => document.exitFullscreen()}
          >
            Sair da tela cheia
          </Button>
        </div>
        <div
          className={classes.frame}
          ref={frameElement}
          inert={!isLoaded}
          data-hidden={status.phase === 'erro' || undefined}
        />
        {status.phase === 'carregando' && <ViewerSkeleton />}
        {status.phase === 'erro' && status.problem && (
          <ViewerProblemPage
            problem={status.problem}
            reopensAt={viewed.reopensAt}
            isReopening={status.isReopening === true}
            retry={retry}
          />
        )}
        {isPanelOpen && <FilterPanel choice={choice} apply={apply} close={closePanel} />}
      </div>
    </section>
  )
}

const announcementOf = (phase: string): string => {
  if (phase === 'carregando') return 'Carregando relatório…'
  return phase === 'renderizado' ? 'Relatório carregado.' : ''
}
