import { ApiProblem, type ReportPoint, type SubscribedVisual } from '@bi-manager/contract'
import { call, callInBackground } from '../../../lib/api/api.ts'
import { checkConnection, isReachable } from '../../../lib/api/connection.ts'
import { requiresReauthentication } from '../../../lib/api/reauthentication.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import {
  applyFilters,
  choiceFrom,
  columnOf,
  filtersOf,
  type PanelChoice,
  type PanelField,
} from '../filters/panel-filters.ts'
import { DrawingWatch } from '../frame/drawing-watch.ts'
import { watchFrame } from '../frame/frame-watch.ts'
import { isPaginated } from '../frame/is-paginated.ts'
import { bootstrapAddress, portalSettings } from '../frame/portal-settings.ts'
import type { FrameListeners, OpenReport } from '../frame/report-frame.ts'
import {
  asEmbedError,
  type EmbedError,
  embedErrorSentence,
  embedProblem,
  filterProblem,
  isReportMissing,
  isServiceDown,
  isTransientError,
  tokenExpired,
} from '../problems/embed-problem.ts'
import { endsReport, openingProblem, renewalNotice } from '../problems/opening-problem.ts'
import { networkProblem, type ViewerProblem } from '../problems/viewer-problem.ts'
import { requestToken } from '../tokens/request-token.ts'
import { keepTokenFresh, lifeLeftMs } from '../tokens/token-renewal.ts'
import { watchAccess } from './access-watch.ts'
import { recoverDrawing } from './drawing-recovery.ts'
import { type EarlyLoad, withUrlOptions } from './early-load.ts'
import { firstToken } from './first-token.ts'
import type { OpeningInput } from './opening-input.ts'
import { loadedReport, mayFollow, type OpeningState } from './opening-state.ts'
import { reportPreparation } from './report-preparation.ts'
import {
  type Capture,
  captureView,
  forgetUnknownPage,
  type ShownPage,
  shownPage,
  showView,
  type ViewContent,
  type ViewOutcome,
} from './show-view.ts'
import { sendView, UsageEvents, UseReporter } from './usage-events.ts'

/**
 * Opens a report in the frame and manages it until `close`: it owns the frame's report, the token,
 * what was prepared before the page mounted, and the recovery from errors. See `OpeningState`.
 */
export class ReportOpening {
  readonly #input: OpeningInput
  /** Aborted when the state becomes final. */
  readonly #life = new AbortController()
  readonly #early: EarlyLoad | undefined
  readonly #isReopening: boolean
  readonly #startedAt: number
  readonly #drawing = new DrawingWatch()
  readonly #use = new UseReporter()
  readonly #usage: UsageEvents | undefined
  readonly #marks = new Set<'isUsed' | 'hasSelections'>()
  readonly #access
  readonly #recovery
  #hasPoint = false
  #state: OpeningState = { name: 'requesting' }

  constructor(input: OpeningInput) {
    this.#input = input
    const { signal } = this.#life
    const { address, search, isAutomatic = false, bookmark, viewAs, onStatus } = input
    this.#isReopening = isAutomatic || bookmark !== undefined
    this.#early =
      this.#isReopening || viewAs !== undefined ? undefined : reportPreparation.take(address, search)
    signal.addEventListener('abort', () => this.#early?.drop(), { once: true })
    this.#startedAt = this.#early?.startedAt ?? performance.now()
    this.#usage = viewAs === undefined ? new UsageEvents(signal) : undefined
    this.#access = watchAccess({ signal, onLost: (refusal) => this.#fail(openingProblem(refusal)) })
    this.#recovery = recoverDrawing({
      signal,
      redraw: () => this.#loadedReport().report.refresh(),
      onNotice: (notice) => onStatus({ notice }),
    })
    this.#open().catch((error: unknown) => this.#fail(openingProblem(error)))
  }

  get stateName(): OpeningState['name'] {
    return this.#state.name
  }

  /** Rejects when the report is not loaded, refuses the filters or does not answer. */
  async filter(choice: PanelChoice): Promise<PanelField[]> {
    const { report, embedded } = this.#loadedReport()
    if (isPaginated(embedded)) return []
    void this.#use.report()
    this.#mark('isUsed')
    const chosen = filtersOf(embedded.filtrosPainel, choice)
    this.#usage?.filtered(chosen.map(columnOf))
    const setFilters: OpenReport['setFilters'] = (filters) => this.#drawn(() => report.setFilters(filters))
    return applyFilters(setFilters, embedded.filtros, chosen)
  }

  /** Applies a saved view. */
  async show(view: ViewContent): Promise<ViewOutcome> {
    const { report, embedded } = this.#loadedReport()
    void this.#use.report()
    const { filtros: own, filtrosPainel: fields } = embedded
    return showView(report, view, { own, fields, drawn: (change) => this.#drawn(change) })
  }

  async capture(): Promise<Capture> {
    return captureView(this.#loadedReport().report)
  }

  async pageTitle(): Promise<string | undefined> {
    return this.#loadedReport().report.activePageTitle()
  }

  async pageVisuals(): Promise<SubscribedVisual[]> {
    return this.#loadedReport().report.activeVisuals()
  }

  async activePage(): Promise<ShownPage> {
    return shownPage(this.#loadedReport().report)
  }

  /** Returns the selected data point as it is now, with the filters in force. */
  async selectedPoint(): Promise<ReportPoint | undefined> {
    return this.#loadedReport().report.selectedPoint()
  }

  /** A change of the page, and a second pick of the point, clear the selection. */
  async #findPoint(): Promise<void> {
    const { viewAs, onStatus } = this.#input
    const loaded = loadedReport(this.#state)
    if (!loaded || viewAs !== undefined) return
    const hasPoint = (await loaded.report.selectedPoint()) !== undefined
    if (!this.#isOver && hasPoint !== this.#hasPoint) {
      this.#hasPoint = hasPoint
      onStatus({ hasPoint })
    }
  }

  async refresh(): Promise<void> {
    const { report } = this.#loadedReport()
    await this.#drawing.callAndAwaitDrawing(report.refresh).catch((error: unknown) => {
      // The caller gets the error, and it is handled like any other `error` event.
      if (!this.#isOver && !(error instanceof Error)) void this.#handleError(asEmbedError(error))
      throw error
    })
  }

  async print(): Promise<void> {
    return this.#loadedReport().report.print()
  }

  /** Renews the token at once; ReauthenticationDialog opens if the portal requires it. */
  renew(): void {
    this.#loadedReport().renewal.renewOnRequest()
  }

  close(): void {
    this.#end({ name: 'closed' })
  }

  #enter(next: OpeningState): void {
    if (!mayFollow(this.#state, next))
      throw new Error(`An opening cannot go from ${this.#state.name} to ${next.name}.`)
    this.#state = next
  }

  #end(final: OpeningState): void {
    if (this.#state.name === 'closed') return
    const loaded = loadedReport(this.#state)
    this.#enter(final)
    this.#life.abort()
    this.#drawing.failed(new Error('O relatório foi fechado.'))
    loaded?.renewal.stop()
  }

  /** Empties the frame, so that an old report is not taken for the failed one. */
  #fail(problem: ViewerProblem): void {
    if (this.#isOver) return
    if (!this.#input.isAutomatic) this.#usage?.failed(problem)
    const frame = 'frame' in this.#state ? this.#state.frame : undefined
    this.#end({ name: 'failed', problem })
    frame?.reset()
    this.#input.onStatus({ phase: 'erro', problem, isReopening: false })
  }

  get #isOver(): boolean {
    return this.#life.signal.aborted
  }

  #loadedReport() {
    const loaded = loadedReport(this.#state)
    if (!loaded) throw new Error('O relatório ainda não abriu.')
    return loaded
  }

  async #open(): Promise<void> {
    const { address, search, frame: getFrame, bookmark, viewAs, onStatus } = this.#input
    const { signal } = this.#life
    const requested = firstToken(this.#input, {
      early: this.#early,
      isReopening: this.#isReopening,
      signal,
      onPrefetched: () => void this.#use.report(),
    })
    // Awaited below; handled here too, so that an early refusal is not an unhandled rejection.
    requested.catch(() => undefined)
    const [settings, frame] = await Promise.all([portalSettings(), getFrame()])
    signal.throwIfAborted()
    this.#enter({ name: 'requesting', frame })
    const bootstrapUrl = bootstrapAddress(settings, address)
    // Microsoft's page may be ready long after its document has loaded.
    const isUnreached = () => settings.origemEmbed !== null && frame.isUnreached
    const isLost = isUnreached()
    if (isLost) frame.reset()
    const { origin } = new URL(bootstrapUrl)
    const waiting = watchFrame({ signal, origin, isUnreached, onFailure: (problem) => this.#fail(problem) })
    frame.bootstrap(bootstrapUrl, 'Relatório', viewAs === undefined)
    const embedded = await requested
    signal.throwIfAborted()
    this.#access.setReportId(embedded.idRelatorio)
    this.#usage?.setReportId(embedded.idRelatorio)
    const { idRelatorio, nomeRelatorio, filtrosPainel: fields, parametros, painelParametros } = embedded
    const paginated = isPaginated(embedded) ? { parametros, painelParametros } : undefined
    const isLocal = new URL(embedded.embedUrl).origin === settings.origemEmbed
    const choice = choiceFrom(search, fields)
    const { comentarios: hasComments } = embedded
    onStatus({ idRelatorio, nomeRelatorio, fields, choice, paginated, hasComments, isLocal })
    waiting.limit()
    const listeners: FrameListeners = this.#listeners(() => waiting.end())
    if (viewAs === undefined)
      listeners.onVisualCommand = (command, visual) => {
        void this.#use.report()
        onStatus(command === 'exportarXlsx' ? { visualToExport: visual } : { visualToWatch: visual })
      }
    const { addressed, drawLater } = withUrlOptions(embedded, search)
    const early = this.#early?.frame === frame && !isLost ? this.#early : undefined
    const report = await (early?.opened ??
      frame.open(
        addressed,
        { drawLater, signal, bookmark: bookmark ?? undefined, hasVisualMenus: viewAs === undefined },
        listeners,
      ))
    if (this.#isOver) return
    this.#enter({ name: 'loading', frame, embedded, report })
    early?.attachListeners(listeners)
  }

  #listeners(endWaiting: () => void): FrameListeners {
    return {
      onLoaded: () => {
        endWaiting()
        void this.#handleLoaded()
      },
      onRenderingStarted: () => this.#drawing.started(),
      onRendered: () => this.#handleRendered(),
      onPageChanged: (pageName, title) => {
        void this.#use.report()
        // Microsoft's page also emits this for the first page, before it is drawn.
        if (this.#state.name === 'rendered') {
          this.#mark('isUsed')
          this.#usage?.pageChanged(title)
        }
        this.#input.onPage(pageName)
        void this.#findPoint()
      },
      onDataSelected: (columns) => {
        void this.#use.report()
        this.#usage?.filtered(columns)
        this.#mark('isUsed')
        this.#mark('hasSelections')
        void this.#findPoint()
      },
      onIdentityMissing: () => this.#input.onStatus({ lacksIdentity: true }),
      onError: (error) => void this.#handleError(error),
    }
  }

  async #handleLoaded(): Promise<void> {
    const state = this.#state
    if (state.name !== 'loading') return
    const { embedded, report } = state
    const { onStatus, search } = this.#input
    const { signal } = this.#life
    const renewal = keepTokenFresh({
      lifeMs: lifeLeftMs(embedded.expiration, serverNow()),
      renew: (isRequested) => this.#renewToken(report, isRequested ? call : callInBackground),
      onFailure: (error) => this.#handleRenewalFailure(error),
      onRenewed: () => onStatus({ renewalFails: undefined, needsReauthentication: undefined }),
    })
    this.#enter({ ...state, name: 'loaded', renewal, loadedMs: performance.now() - this.#startedAt })
    this.#recovery.loaded()
    onStatus({ phase: 'carregado', problem: undefined, isReopening: false })
    if (isPaginated(embedded)) return
    void forgetUnknownPage(report, this.#input, signal)
    const chosen = filtersOf(embedded.filtrosPainel, choiceFrom(search, embedded.filtrosPainel))
    if (chosen.length === 0) return
    try {
      const missing = await applyFilters(report.setFilters, embedded.filtros, chosen)
      await report.render()
      if (!this.#isOver && missing.length > 0) onStatus({ missing })
    } catch (error) {
      this.#fail(filterProblem(error))
    }
  }

  #handleRendered(): void {
    this.#drawing.finished()
    this.#recovery.drawn()
    const state = this.#state
    if (state.name !== 'loaded') return
    this.#enter({ ...state, name: 'rendered' })
    this.#input.onStatus({ phase: 'renderizado' })
    if (this.#input.bookmark !== undefined || this.#input.viewAs !== undefined) return
    void sendView(state.embedded.idRelatorio, state.loadedMs, performance.now() - this.#startedAt)
    if (isPaginated(state.embedded)) return
    state.report.activePageTitle().then(
      (title) => this.#usage?.firstPageShown(title),
      (error: unknown) => console.info('A página do relatório não pôde ser lida.', error),
    )
  }

  async #handleError(error: EmbedError): Promise<void> {
    if (this.#isOver) return
    const loaded = loadedReport(this.#state)
    if (!loaded) return this.#fail(isReachable() ? embedProblem(error) : networkProblem)
    if (error.message === tokenExpired) return loaded.renewal.renewNow()
    if (this.#drawing.failed(error)) return
    // The frame often notices a lost connection first; then the BI service is not to blame.
    const isBackThere = await checkConnection()
    if (this.#isOver) return
    const sentence = embedErrorSentence(error)
    // The client cannot redraw a paginated report.
    const isRedrawn = !isPaginated(loaded.embedded) && (!isBackThere || isTransientError(error))
    if (isRedrawn) this.#recovery.failed(sentence, isServiceDown(error))
    else {
      this.#usage?.failed({ code: error.message })
      this.#input.onStatus({ notice: sentence })
    }
  }

  /**
   * Waits until a change is drawn. If the service does not answer the query for the rows, the frame
   * has still accepted the change, so this resolves and the redraw follows later.
   */
  #drawn(change: () => Promise<void>): Promise<void> {
    return this.#drawing.callAndAwaitDrawing(change).catch((error: unknown) => {
      if (this.#isOver || error instanceof Error || !isServiceDown(asEmbedError(error))) throw error
      void this.#handleError(asEmbedError(error))
    })
  }

  async #renewToken(report: OpenReport, send: typeof call): Promise<number> {
    const { embedToken, expiration } = await requestToken(this.#input, send, this.#life.signal)
    const lifeMs = lifeLeftMs(expiration, serverNow())
    if (!this.#isOver) await report.setAccessToken(embedToken)
    return lifeMs
  }

  #handleRenewalFailure(error: unknown): number | undefined | 'stop' {
    if (endsReport(error)) return this.#stopWith(openingProblem(error))
    // The frame checks a token at the provider before it accepts it.
    if (!(error instanceof Error) && isReportMissing(asEmbedError(error)))
      return this.#stopWith(embedProblem(asEmbedError(error)))
    this.#input.onStatus({
      renewalFails: renewalNotice(error),
      needsReauthentication: requiresReauthentication(error),
    })
    return error instanceof ApiProblem ? error.retryAfter : undefined
  }

  #stopWith(problem: ViewerProblem): 'stop' {
    this.#fail(problem)
    return 'stop'
  }

  /** Reports a mark once, so that further clicks do not render the page again. */
  #mark(mark: 'isUsed' | 'hasSelections'): void {
    if (this.#marks.has(mark)) return
    this.#marks.add(mark)
    this.#input.onStatus({ [mark]: true })
  }
}
