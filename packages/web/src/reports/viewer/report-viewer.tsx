import { VisuallyHidden } from '@mantine/core'
import { IconMinimize } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ReportIds } from '../../lib/navigation/report-path.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { CommentsButton } from '../comments/comments-button.tsx'
import { CommentsSide } from '../comments/comments-side.tsx'
import { useComments } from '../comments/use-comments.ts'
import { FavoriteStar } from '../favorites/favorite-star.tsx'
import { DataTime } from '../freshness/data-time.tsx'
import { NewDataNotice } from '../freshness/new-data-notice.tsx'
import { useDataFreshness } from '../freshness/use-data-freshness.ts'
import { useNewData } from '../freshness/use-new-data.ts'
import { SavedViewsButton } from '../saved-views/saved-views-button.tsx'
import { useDefaultView } from '../saved-views/use-default-view.ts'
import { FilterPanel } from './filters/filter-panel.tsx'
import { emptyPanelChoice, filtersOf, type PanelChoice } from './filters/panel-filters.ts'
import { pageIn } from './filters/report-address.ts'
import type { ReportMemory } from './filters/use-kept-address.ts'
import { appliedChoice, useReport } from './opening/use-report.ts'
import { FormToFix } from './problems/form-to-fix.tsx'
import { ViewerProblemPage } from './problems/viewer-problem-page.tsx'
import type { UseReportTools } from './report-tools.ts'
import classes from './report-viewer.module.css'
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
  /**
   * The person with whose identity an ADMIN sees the report: nothing can be exported, printed, shared
   * or saved.
   */
  viewAs?: number
  /** Shown above the toolbar. */
  banner?: ReactNode
  useTools: UseReportTools
}

/** A report with its toolbar, filter panel and messages. */
export const ReportViewer = (props: ReportViewerProps) => {
  const { report, memory, label, heading, actions, fills = false, link, viewAs, banner, useTools } = props
  const isOwn = viewAs === undefined
  const viewed = useReport(report, memory, viewAs)
  const { frameElement, status, retry, renew, dismissNotice, print, filter } = viewed
  useDefaultView(viewed, isOwn)
  const key = `${report.reportId}/${report.idRelatorio}`
  const isLoaded = status.phase === 'carregado' || status.phase === 'renderizado'
  const tools = useTools({ report, reportKey: key, viewed, isLoaded, search: memory[0] })
  // The panel closes when another report opens.
  const [panelOpenOn, setPanelOpenOn] = useState('')
  const stage = useRef<HTMLDivElement>(null)
  const panelButton = useRef<HTMLButtonElement>(null)

  const { idRelatorio, nomeRelatorio = '', paginated } = status
  const isDrawn = status.phase === 'renderizado'
  // Also for a paginated report, whose data time is not known: the question counts as use.
  const { freshness, refreshing } = useDataFreshness(idRelatorio, isDrawn)
  const newData = useNewData({
    report: key,
    isDrawn,
    dataTime: freshness?.atualizadosEm,
    refresh: viewed.refresh,
  })
  const { fields } = status
  const hasPanel = fields === undefined || fields.length > 0
  const isPanelOpen = isLoaded && hasPanel && panelOpenOn === key
  const closePanel = () => {
    setPanelOpenOn('')
    panelButton.current?.focus()
  }
  const choice = appliedChoice(status)
  const comments = useComments(key, memory[0], viewed)
  const hasComments = isOwn && status.hasComments === true && idRelatorio !== undefined
  const areCommentsOpen = isLoaded && hasComments && comments.isOpen
  // Announced here, because the panel with its own status is closed by then.
  const [areApplied, setApplied] = useState(false)
  const [note, setNote] = useState('')
  useSuccessClose(note, () => setNote(''))
  const [exportProgress, setExportProgress] = useState('')
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
      {banner}
      <ViewerToolbar
        heading={heading(status.nomeRelatorio)}
        actions={
          <>
            {tools.buttons}
            {actions}
          </>
        }
        star={isOwn && <FavoriteStar idRelatorio={idRelatorio} nomeRelatorio={nomeRelatorio} />}
        dataTime={
          <DataTime
            freshness={freshness}
            refreshing={refreshing}
            mayRefresh={isOwn}
            hasNewData={newData.isNew}
          />
        }
        isOwn={isOwn}
        menus={
          isOwn && (
            <>
              {!paginated && (
                <SavedViewsButton
                  key={`views of ${key}`}
                  report={viewed}
                  idRelatorio={idRelatorio}
                  isLoaded={isLoaded}
                />
              )}
              <ExportButton
                // Opening another report ends the export.
                key={`export of ${key}`}
                report={viewed}
                idRelatorio={idRelatorio}
                nomeRelatorio={nomeRelatorio}
                paginated={paginated}
                isLoaded={isLoaded}
                isLocal={status.isLocal}
                visualToExport={status.visualToExport}
                onNote={setNote}
                onProgress={setExportProgress}
              />
              {hasComments && (
                <CommentsButton
                  isOpen={areCommentsOpen}
                  isDisabled={!isLoaded}
                  open={freshness?.comentariosAbertos ?? 0}
                  button={comments.button}
                  toggle={comments.toggle}
                />
              )}
            </>
          )
        }
        dialogs={tools.actions}
        note={note || exportProgress}
        link={link}
        isLoaded={isLoaded}
        stage={stage}
        panel={
          hasPanel
            ? {
                isOpen: isPanelOpen,
                active: filtersOf(fields ?? [], choice).length,
                button: panelButton,
                toggle: () => setPanelOpenOn(isPanelOpen ? '' : key),
              }
            : undefined
        }
        hasSelections={status.hasSelections === true}
        isPaginated={paginated !== undefined}
        refresh={newData.refresh}
        print={print}
      />
      {tools.dialogs}
      <VisuallyHidden role="status">
        {areApplied && isLoaded && !status.notice ? 'Filtros aplicados.' : announcementOf(status.phase)}
      </VisuallyHidden>
      <ViewerNotice status={status} retry={retry} renew={renew} dismiss={dismissNotice} viewAs={viewAs} />
      <NewDataNotice
        key={`new data of ${key}`}
        isNew={newData.isNew}
        load={newData.load}
        dismiss={newData.dismiss}
      />
      <div
        className={classes.stage}
        ref={stage}
        data-comments={areCommentsOpen || undefined}
        aria-busy={status.phase === 'carregando'}
      >
        <div className={classes.leaveFullScreen}>
          <ActionButton
            icon={IconMinimize}
            label="Sair da tela cheia"
            size="md"
            onClick={() => document.exitFullscreen()}
          />
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
            fix={<FormToFix problem={status.problem} report={report} viewAs={viewAs} />}
            request={tools.request}
          />
        )}
        {isPanelOpen && fields && (
          <FilterPanel fields={fields} choice={choice} apply={apply} close={closePanel} />
        )}
        {areCommentsOpen && (
          <CommentsSide
            key={`comments of ${key}`}
            report={viewed}
            idRelatorio={idRelatorio}
            isPaginated={paginated !== undefined}
            hasSelections={status.hasSelections === true}
            page={pageIn(memory[0])}
            idConversa={comments.idConversa}
            showAll={comments.showAll}
            close={comments.close}
            onShown={setNote}
          />
        )}
      </div>
    </section>
  )
}

const announcementOf = (phase: string): string => {
  if (phase === 'carregando') return 'Carregando relatório…'
  return phase === 'renderizado' ? 'Relatório carregado.' : ''
}
