import type { EmbeddedReport, ReportFilter } from '@bi-manager/contract'
import { models, type Report, type service } from 'powerbi-client'
import { type BiService, originOf } from './bi-service.ts'
import { asEmbedError, type EmbedError, EmbedRefusal } from './embed-problem.ts'
import { isUprightPhone } from './phone-layout.ts'
import { pause, withTimeLimit } from './time-limit.ts'

/** Answers of the loaded report's frame are awaited this long; reading the data anew may take longer. */
const callLimitMs = 20_000
const refreshLimitMs = 60_000

/** The client skips, without a word, a load less than 100 ms after the last one. */
const loadGapMs = 150

/**
 * Our own embed page is ready before its document has loaded: a document without it is the
 * browser's own.
 */
const readyLimitMs = 3_000

export interface FrameListeners {
  onLoaded: () => void
  onRenderingStarted: () => void
  onRendered: () => void
  onPageChanged: (pageName: string) => void
  /** Somebody chose something in a visual. */
  onDataSelected: () => void
  onError: (error: EmbedError) => void
}

/** The report in its frame, from `loaded` on. Every call fails after a time limit instead of hanging. */
export interface OpenReport {
  setFilters: (filters: ReportFilter[]) => Promise<void>
  setAccessToken: (token: string) => Promise<void>
  /** Draws a report that was opened with `drawLater`. */
  render: () => Promise<void>
  refresh: () => Promise<void>
  print: () => Promise<void>
  /** The names that `pageName` may take; the reader knows the pages by other, displayed ones. */
  pageNames: () => Promise<string[]>
  activePage: () => Promise<string | undefined>
  showPage: (name: string) => Promise<void>
  /** The state of what the reader has picked; refused where the service knows no bookmarks. */
  captureBookmark: () => Promise<string | null>
  applyBookmark: (state: string) => Promise<void>
}

// Fixed, so that a re-embed keeps it, and not to be guessed by another window. randomUUID wants https.
const uniqueId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('')

const reportEvents = [
  'loaded',
  'renderingStarted',
  'rendered',
  'pageChanged',
  'dataSelected',
  'visualClicked',
  'error',
]

const settingsFor = (layoutType: models.LayoutType): models.ISettings => ({
  panes: { filters: { visible: false, expanded: false }, pageNavigation: { visible: true } },
  layoutType,
  persistentFiltersEnabled: false,
  localeSettings: { language: 'pt-BR', formatLocale: 'pt-BR' },
})

const layoutOfNow = (): models.LayoutType =>
  isUprightPhone() ? models.LayoutType.MobilePortrait : models.LayoutType.Master

/** One element with at most one iframe, reused from report to report as long as the provider's host is the same. */
export class ReportFrame {
  readonly #service: BiService
  readonly #element: HTMLElement = document.createElement('div')
  #isReady = false
  #isLoading = false
  #isDrawing = false
  #isAnswered = false
  #documentAt: number | undefined
  #layout = models.LayoutType.Master
  #loadedAt = Number.NEGATIVE_INFINITY
  /** Whose events are heard: those of the last report opened. */
  #heard: object | undefined

  /** @param place where it is shown; it fills it */
  constructor(service: BiService, place: HTMLElement) {
    this.#service = service
    Object.assign(this.#element.style, { width: '100%', height: '100%' })
    this.#element.addEventListener('ready', () => {
      this.#isReady = true
    })
    // Of the iframe, whose own event does not bubble.
    this.#element.addEventListener('load', () => (this.#documentAt = performance.now()), { capture: true })
    this.#element.addEventListener('answered', () => {
      this.#isAnswered = true
    })
    place.append(this.#element)
  }

  /** The provider's page has come, and listens. */
  get isReady(): boolean {
    return this.#isReady
  }

  /**
   * The browser shows a page of its own, as where nobody was reached. Only our own service is ready
   * that early.
   */
  get isUnreached(): boolean {
    return !this.#isReady && performance.now() - (this.#documentAt ?? Number.NaN) > readyLimitMs
  }

  /** A report is on its way to the screen: its rows are being asked for. */
  get isDrawing(): boolean {
    return this.#isDrawing
  }

  /** Shows it elsewhere in the same document; its report stays as it is. */
  moveTo(place: HTMLElement): void {
    if (this.#element.parentElement !== place) place.moveBefore(this.#element, null)
  }

  /** It is of no use any more. */
  drop(): void {
    this.reset()
    this.#element.remove()
  }

  /** Loads the provider's page while the token is still on its way. */
  bootstrap(embedUrl: string, title: string): void {
    if (this.#current()) return
    this.#layout = layoutOfNow()
    this.#service.bootstrap(this.#element, {
      type: 'report',
      embedUrl,
      uniqueId,
      settings: settingsFor(this.#layout),
    })
    this.#current()?.setComponentTitle(title)
  }

  /** Has the frame fetch what an `open` of this report will ask for, while it shows another. */
  prefetch(embedded: EmbeddedReport): void {
    const current = this.#current()
    const isBusy = !this.#isReady || this.#isLoading || this.#isDrawing
    if (current && !isBusy) this.#service.prefetch(current, configOf(embedded, this.#layout))
  }

  /** @param options `signal` ends what is heard of this report; the frame stays for the next one */
  async open(
    embedded: EmbeddedReport,
    { drawLater, bookmark, signal }: { drawLater: boolean; bookmark?: string; signal: AbortSignal },
    listeners: FrameListeners,
  ): Promise<OpenReport> {
    this.#dropUnlessReusable(embedded.embedUrl)
    const wait = this.#loadedAt + loadGapMs - performance.now()
    if (wait > 0) await pause(wait, signal)
    this.#isAnswered = false
    const report = this.#embed(
      { ...configOf(embedded, this.#layout), ...(bookmark ? { bookmark: { state: bookmark } } : {}) },
      drawLater,
    )
    this.#loadedAt = performance.now()
    this.#isLoading = true
    this.#isDrawing = true
    report.setComponentTitle(`Relatório ${embedded.nomeRelatorio}`)
    this.#listen(report, signal, listeners)
    return openReport(report)
  }

  reset(): void {
    this.#service.reset(this.#element)
    this.#element.replaceChildren()
    this.#isReady = false
    this.#isLoading = false
    this.#isDrawing = false
    this.#documentAt = undefined
    // The client counts for each frame.
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
    this.#heard = own
    // Not what the next report has to say.
    signal.addEventListener('abort', () => this.#heard === own && forget(), { once: true })
    // With one id for all, an event of the report shown before must not count for the one being opened.
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
    report.on<{ newPage?: { name?: string } }>('pageChanged', ({ detail }) => {
      if (hasLoaded && detail?.newPage?.name) listeners.onPageChanged(detail.newPage.name)
    })
    // Slicers and levels of a hierarchy are told as clicks alone.
    for (const event of ['dataSelected', 'visualClicked'])
      report.on(event, () => {
        if (hasLoaded) listeners.onDataSelected()
      })
    report.on('error', (event) => {
      if (this.#isAnswered) listeners.onError(asEmbedError(event.detail))
    })
  }

  #dropUnlessReusable(embedUrl: string): void {
    const current = this.#current()
    const layout = layoutOfNow()
    const isOther = originOf(current?.config.embedUrl ?? '') !== originOf(embedUrl)
    // Microsoft's page changes between the layouts of desktop and phone in a new frame only.
    if (current && (this.#isLoading || isOther || layout !== this.#layout)) this.reset()
    this.#layout = layout
  }

  #current(): Report | undefined {
    return (this.#element as service.IPowerBiElement).powerBiEmbed as Report | undefined
  }
}

const configOf = (embedded: EmbeddedReport, layout: models.LayoutType): models.IReportEmbedConfiguration => ({
  type: 'report',
  id: embedded.reportId,
  embedUrl: embedded.embedUrl,
  accessToken: embedded.embedToken,
  tokenType: models.TokenType.Embed,
  permissions: models.Permissions.Read,
  viewMode: models.ViewMode.View,
  // The contract's filter is the union that the models spell out, read off the wire.
  filters: embedded.filtros as models.ReportLevelFilters[],
  pageName: embedded.pageName ?? undefined,
  uniqueId,
  settings: settingsFor(layout),
})

const openReport = (report: Report): OpenReport => ({
  setFilters: async (filters) => void (await withTimeLimit(report.setFilters(filters), callLimitMs)),
  setAccessToken: async (token) => {
    await withTimeLimit(report.setAccessToken(token), callLimitMs)
    // The client writes the token into the page and keeps it for other reports; neither is wanted.
    report.element.removeAttribute('powerbi-access-token')
    report.service.accessToken = ''
  },
  render: () => withTimeLimit(report.render(), callLimitMs),
  refresh: () => withTimeLimit(report.refresh(), refreshLimitMs),
  print: () => withTimeLimit(report.print(), callLimitMs),
  pageNames: async () => (await withTimeLimit(report.getPages(), callLimitMs)).map(({ name }) => name),
  activePage: async () => (await withTimeLimit(report.getActivePage(), callLimitMs))?.name,
  showPage: async (name) => void (await withTimeLimit(report.setPage(name), callLimitMs)),
  captureBookmark: async () =>
    (await withTimeLimit(report.bookmarksManager.capture({ allPages: true }), callLimitMs)).state ?? null,
  applyBookmark: async (state) =>
    void (await withTimeLimit(report.bookmarksManager.applyState(state), callLimitMs)),
})
