import type { EmbeddedReport, ReportFilter, ReportPoint } from '@bi-manager/contract'
import { models, type Report, type service } from 'powerbi-client'
import { asEmbedError, type EmbedError, EmbedRefusal } from '../problems/embed-problem.ts'
import { pause, withTimeLimit } from '../problems/time-limit.ts'
import type { BiService } from './bi-service.ts'
import { isPaginated } from './is-paginated.ts'
import { visualsWithRows } from './page-visuals.ts'
import { onPaginatedShown, paginatedConfigOf } from './paginated-report.ts'
import { isUprightPhone } from './phone-layout.ts'
import { columnsOf, type SelectionDetail, slicerOf } from './selected-columns.ts'
import { type ChosenVisual, chosenVisual, type VisualCommand, visualCommands } from './visual-commands.ts'

// Loaded together, as one file.
export { BiService } from './bi-service.ts'

const callLimitMs = 20_000
/** Longer, because a refresh reads the data again. */
const refreshLimitMs = 60_000

/** The client silently skips a load less than 100 ms after the last one. */
const loadGapMs = 150

/**
 * The local service's embed page emits `ready` before its document has loaded; a loaded document
 * without `ready` is the browser's error page.
 */
const readyLimitMs = 3_000

interface OpenOptions {
  drawLater: boolean
  bookmark?: string | undefined
  /** False hides the menus of the visuals, which export their data. */
  hasVisualMenus?: boolean
  signal: AbortSignal
}

export interface FrameListeners {
  onLoaded: () => void
  onRenderingStarted: () => void
  onRendered: () => void
  onPageChanged: (pageName: string, title: string) => void
  /** Called when the user selects data; `columns` are `table.column`, or a slicer's title. */
  onDataSelected: (columns: string[]) => void
  /** Without it, the menus of visuals have no commands of the portal. */
  onVisualCommand?: (command: VisualCommand, visual: ChosenVisual) => void
  onError: (error: EmbedError) => void
  /** A row rule left out every row, because the reader has no identity for it. */
  onIdentityMissing: () => void
}

/** Returns an id that other windows cannot guess. randomUUID would require https. */
export const newUniqueId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('')

// Constant across frames, of which a report page has one: the client keeps a route for each id.
const sharedId = newUniqueId()

const reportEvents = [
  'loaded',
  'renderingStarted',
  'rendered',
  'pageChanged',
  'dataSelected',
  'visualClicked',
  'commandTriggered',
  'error',
  'info',
]

const settingsFor = (layoutType: models.LayoutType, hasPageTabs: boolean): models.ISettings => ({
  panes: { filters: { visible: false, expanded: false }, pageNavigation: { visible: hasPageTabs } },
  layoutType,
  persistentFiltersEnabled: false,
  localeSettings: { language: 'pt-BR', formatLocale: 'pt-BR' },
})

const layoutOfNow = (): models.LayoutType =>
  isUprightPhone() ? models.LayoutType.MobilePortrait : models.LayoutType.Master

/** Holds at most one iframe, reused for the next report if the provider's origin is the same. */
export class ReportFrame {
  readonly #service: BiService
  readonly #hasPageTabs: boolean
  readonly #element: HTMLElement = document.createElement('div')
  readonly #uniqueId: string
  #isReady = false
  #isLoading = false
  #isDrawing = false
  #isAnswered = false
  #documentAt: number | undefined
  #layout = models.LayoutType.Master
  #hasVisualMenus = true
  #loadedAt = Number.NEGATIVE_INFINITY
  /** Identifies the report opened last, whose events are listened to. */
  #latestReport: object | undefined

  /**
   * @param place the element that the frame fills
   * @param options `uniqueId`: of one of several frames at a time, by which the client finds it
   */
  constructor(service: BiService, place: HTMLElement, { hasPageTabs = true, uniqueId = sharedId } = {}) {
    this.#service = service
    this.#hasPageTabs = hasPageTabs
    this.#uniqueId = uniqueId
    Object.assign(this.#element.style, { width: '100%', height: '100%' })
    this.#element.addEventListener('ready', () => {
      this.#isReady = true
      // The portal may have changed its theme while the page was loading.
      const current = this.#current()
      if (current) service.keepScheme(current)
    })
    // Capture, because the iframe's `load` event does not bubble.
    this.#element.addEventListener('load', () => (this.#documentAt = performance.now()), { capture: true })
    this.#element.addEventListener('answered', () => {
      this.#isAnswered = true
    })
    place.append(this.#element)
  }

  /** Whether the provider's page has loaded and listens for messages. */
  get isReady(): boolean {
    return this.#isReady
  }

  /**
   * Whether the frame shows the browser's error page. Valid for the local service only: Microsoft's
   * page may become ready long after its document has loaded.
   */
  get isUnreached(): boolean {
    return !this.#isReady && performance.now() - (this.#documentAt ?? Number.NaN) > readyLimitMs
  }

  /** Whether a report is being loaded or drawn. */
  get isDrawing(): boolean {
    return this.#isDrawing
  }

  /** Moves the frame within the document without reloading its report. */
  moveTo(place: HTMLElement): void {
    if (this.#element.parentElement !== place) place.moveBefore(this.#element, null)
  }

  drop(): void {
    this.reset()
    this.#element.remove()
  }

  /** Loads the provider's page while the token is still being fetched. */
  bootstrap(embedUrl: string, title: string, hasVisualMenus = true): void {
    // The page keeps its settings for the next report.
    if (hasVisualMenus !== this.#hasVisualMenus) this.reset()
    this.#hasVisualMenus = hasVisualMenus
    if (this.#current()) return
    this.#layout = layoutOfNow()
    this.#service.bootstrap(this.#element, {
      type: 'report',
      embedUrl,
      uniqueId: this.#uniqueId,
      settings: settingsFor(this.#layout, this.#hasPageTabs),
    })
    this.#current()?.setComponentTitle(title)
  }

  /** Makes an idle frame fetch this report in advance while it shows another. */
  prefetch(embedded: EmbeddedReport): void {
    const current = this.#current()
    const isBusy = !this.#isReady || this.#isLoading || this.#isDrawing
    if (current && !isBusy && !isPaginated(embedded))
      this.#service.prefetch(current, this.#configOf(embedded))
  }

  /**
   * Opens a report in the frame.
   * @param options aborting `signal` removes the listeners; the frame stays for the next report
   * @throws EmbedRefusal when powerbi-client refuses the URL or the configuration
   */
  async open(
    embedded: EmbeddedReport,
    { drawLater, bookmark, hasVisualMenus = true, signal }: OpenOptions,
    listeners: FrameListeners,
  ): Promise<OpenReport> {
    const paginated = isPaginated(embedded)
    this.#dropUnlessReusable(embedded.embedUrl, { isPaginated: paginated, hasVisualMenus })
    const wait = this.#loadedAt + loadGapMs - performance.now()
    if (wait > 0) await pause(wait, signal)
    this.#isAnswered = false
    const config = paginated
      ? { ...paginatedConfigOf(embedded), uniqueId: this.#uniqueId }
      : {
          ...this.#configOf(embedded, hasVisualMenus, listeners.onVisualCommand !== undefined),
          ...(bookmark ? { bookmark: { state: bookmark } } : {}),
        }
    const report = this.#embed(config, drawLater)
    this.#loadedAt = performance.now()
    this.#isLoading = true
    this.#isDrawing = true
    report.setComponentTitle(`Relatório ${embedded.nomeRelatorio}`)
    this.#listen(report, signal, listeners)
    if (paginated)
      onPaginatedShown(this.#element, signal, () => {
        this.#isLoading = false
        this.#isDrawing = false
        listeners.onLoaded()
        listeners.onRendered()
      })
    return { ...openReport(report), selectedPoint: () => this.#service.selectedPoint(report) }
  }

  reset(): void {
    this.#service.reset(this.#element)
    this.#element.replaceChildren()
    this.#isReady = false
    this.#isLoading = false
    this.#isDrawing = false
    this.#documentAt = undefined
    // The client's minimum gap between loads applies to each frame separately.
    this.#loadedAt = Number.NEGATIVE_INFINITY
  }

  #embed(config: models.IReportEmbedConfiguration, drawLater: boolean): Report {
    try {
      const embed = drawLater
        ? this.#service.load(this.#element, config)
        : this.#service.embed(this.#element, config)
      return embed as Report
    } catch (cause) {
      throw new EmbedRefusal(cause)
    }
  }

  #listen(report: Report, signal: AbortSignal, listeners: FrameListeners): void {
    const forget = () => {
      for (const event of reportEvents) report.off(event)
    }
    forget()
    const own = {}
    this.#latestReport = own
    // The listeners of the next report must stay.
    signal.addEventListener('abort', () => this.#latestReport === own && forget(), { once: true })
    // All reports of the frame share one uniqueId: ignore events of the previous report.
    let hasLoaded = false
    report.on('loaded', () => {
      hasLoaded = true
      this.#isLoading = false
      listeners.onLoaded()
    })
    report.on('renderingStarted', () => {
      if (!hasLoaded) return
      this.#isDrawing = true
      listeners.onRenderingStarted()
    })
    report.on('rendered', () => {
      if (!hasLoaded) return
      this.#isDrawing = false
      listeners.onRendered()
    })
    report.on<{ newPage?: { name?: string; displayName?: string } }>('pageChanged', ({ detail }) => {
      const { name, displayName } = detail?.newPage ?? {}
      if (hasLoaded && name) listeners.onPageChanged(name, displayName ?? name)
    })
    report.on<SelectionDetail>('dataSelected', ({ detail }) => {
      if (hasLoaded) listeners.onDataSelected(columnsOf(detail))
    })
    // Slicers and drill-downs emit `visualClicked` only.
    report.on<SelectionDetail>('visualClicked', ({ detail }) => {
      if (hasLoaded) listeners.onDataSelected(slicerOf(detail))
    })
    report.on<object>('commandTriggered', ({ detail }) => {
      const given = chosenVisual(detail)
      if (hasLoaded && given) listeners.onVisualCommand?.(given.command, given.chosen)
    })
    report.on<{ message?: string }>('info', ({ detail }) => {
      if (hasLoaded && detail?.message === 'RowRuleWithoutCustomData') listeners.onIdentityMissing()
    })
    report.on('error', (event) => {
      if (this.#isAnswered) listeners.onError(asEmbedError(event.detail))
    })
  }

  #dropUnlessReusable(
    embedUrl: string,
    { isPaginated, hasVisualMenus }: { isPaginated: boolean; hasVisualMenus: boolean },
  ): void {
    const current = this.#current()
    const layout = layoutOfNow()
    // The client does not navigate a frame, and paginated reports have a page of their own.
    const isOther = isPaginated || pageOf(current?.config.embedUrl ?? '') !== pageOf(embedUrl)
    // Microsoft's page switches between desktop and phone layout only in a new frame.
    const isOtherKind = layout !== this.#layout || hasVisualMenus !== this.#hasVisualMenus
    if (current && (this.#isLoading || isOther || isOtherKind)) this.reset()
    this.#layout = layout
    this.#hasVisualMenus = hasVisualMenus
  }

  #configOf(
    embedded: EmbeddedReport,
    hasVisualMenus = true,
    hasCommands = false,
  ): models.IReportEmbedConfiguration {
    const settings = settingsFor(this.#layout, this.#hasPageTabs)
    if (hasVisualMenus && hasCommands && this.#service.isTrusted(embedded.embedUrl))
      settings.extensions = visualCommands
    return { ...configOf(embedded, settings, hasVisualMenus), uniqueId: this.#uniqueId }
  }

  #current(): Report | undefined {
    return (this.#element as service.IPowerBiElement).powerBiEmbed as Report | undefined
  }
}

const pageOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url ? url.origin + url.pathname.toLowerCase() : undefined
}

const configOf = (
  embedded: EmbeddedReport,
  settings: models.ISettings,
  hasVisualMenus: boolean,
): models.IReportEmbedConfiguration => ({
  type: 'report',
  id: embedded.reportId,
  embedUrl: embedded.embedUrl,
  accessToken: embedded.embedToken,
  tokenType: models.TokenType.Embed,
  permissions: models.Permissions.Read,
  viewMode: models.ViewMode.View,
  // The contract's filter type is the same union as in the models.
  filters: embedded.filtros as models.ReportLevelFilters[],
  pageName: embedded.pageName ?? undefined,
  settings: {
    ...settings,
    ...(hasVisualMenus ? {} : { visualSettings: { visualHeaders: [{ settings: { visible: false } }] } }),
  },
})

/** Every call of the opened report rejects with TimeLimitError instead of hanging. */
const openReport = (report: Report) => ({
  setFilters: async (filters: ReportFilter[]): Promise<void> =>
    void (await withTimeLimit(report.setFilters(filters), callLimitMs)),
  setAccessToken: async (token: string) => {
    await withTimeLimit(report.setAccessToken(token), callLimitMs)
    // The client writes the token into the DOM and keeps it for other reports; remove both.
    report.element.removeAttribute('powerbi-access-token')
    report.service.accessToken = ''
  },
  /** Draws a report that was opened with `drawLater`. */
  render: () => withTimeLimit(report.render(), callLimitMs),
  refresh: () => withTimeLimit(report.refresh(), refreshLimitMs),
  print: () => withTimeLimit(report.print(), callLimitMs),
  /** Returns the values `pageName` may take, which are not the displayed page titles. */
  pageNames: async () => (await withTimeLimit(report.getPages(), callLimitMs)).map(({ name }) => name),
  activePage: async (): Promise<string | undefined> =>
    (await withTimeLimit(report.getActivePage(), callLimitMs))?.name,
  activePageTitle: async (): Promise<string | undefined> =>
    (await withTimeLimit(report.getActivePage(), callLimitMs))?.displayName,
  /** Returns the visuals of the active page that have rows. */
  activeVisuals: async () => {
    const page = await withTimeLimit(report.getActivePage(), callLimitMs)
    return visualsWithRows(await withTimeLimit(page.getVisuals(), callLimitMs))
  },
  showPage: async (name: string): Promise<void> =>
    void (await withTimeLimit(report.setPage(name), callLimitMs)),
  /** Returns the state of the user's selections; rejects when the service has no bookmarks. */
  captureBookmark: async () =>
    (await withTimeLimit(report.bookmarksManager.capture({ allPages: true }), callLimitMs)).state ?? null,
  applyBookmark: async (state: string): Promise<void> =>
    void (await withTimeLimit(report.bookmarksManager.applyState(state), callLimitMs)),
})

export type OpenReport = ReturnType<typeof openReport> & {
  /** Returns the selected data point, if beneficiaries can be listed behind it. */
  selectedPoint: () => Promise<ReportPoint | undefined>
}
