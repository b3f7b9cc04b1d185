import { ApiProblem, type EmbeddedReport, reportsApi } from '@bi-manager/contract'
import { call, callInBackground } from '../../lib/api.ts'
import { checkConnection, isReachable } from '../../lib/connection.ts'
import type { ReportIds } from '../../lib/report-path.ts'
import { watchAccess } from './access-watch.ts'
import { DrawingWatch } from './drawing-watch.ts'
import {
  type EmbedError,
  embedErrorSentence,
  embedProblem,
  filterProblem,
  networkProblem,
  notGranted,
  openingProblem,
  tokenExpired,
  type ViewerProblem,
  watchdogProblem,
} from './embed-problem.ts'
import { applyFilters, choiceFrom, filtersOf, type PanelChoice, type PanelField } from './panel-filters.ts'
import { portalSettings, serverNow } from './portal-settings.ts'
import { pageIn } from './report-address.ts'
import type { OpenReport, ReportFrame } from './report-frame.ts'
import { noteReportUse } from './report-use.ts'
import { type Capture, captureView, showView, type ViewContent, type ViewOutcome } from './show-view.ts'
import { keepTokenFresh, lifeLeftMs, type Renewal } from './token-renewal.ts'

/** No `loaded` for this long: the frame is blocked (CSP), or the provider does not answer. */
const watchdogMs = 30_000

/** The server gives up on the provider sooner; this is for a server that does not answer at all. */
const callLimitMs = 60_000

/** What the page shows of a report being opened. The token stays inside. */
export interface OpeningStatus {
  phase: 'carregando' | 'carregado' | 'renderizado' | 'erro'
  idRelatorio?: number
  nomeRelatorio?: string
  operadoraRelatorio?: string
  /** What the panel shows: set when the answer is there, from the address and the report's operadora. */
  choice?: PanelChoice
  /** Chosen at opening but lacking in the report. */
  missing?: PanelField[]
  /** What a saved view asked for and the report no longer has: sentences. */
  lost?: string[]
  problem?: ViewerProblem
  /** The address held a filter outside the closed lists. */
  hadInvalidFilter?: boolean
  /** An error of the report that stays on the screen. */
  notice?: string
  /** The token cannot be renewed at the moment. */
  renewalFails?: boolean
}

export interface OpeningInput {
  address: ReportIds
  search: URLSearchParams
  frame: () => Promise<ReportFrame>
  onStatus: (change: Partial<OpeningStatus>) => void
  /** The page now shown; undefined when the report has no page of the name that the address asks for. */
  onPage: (pageName: string | undefined) => void
}

export interface Opening {
  /** Throws where the report is not loaded, or refuses, or does not answer. */
  filter: (choice: PanelChoice) => Promise<PanelField[]>
  show: (view: ViewContent) => Promise<ViewOutcome>
  capture: () => Promise<Capture>
  refresh: () => Promise<void>
  print: () => Promise<void>
  close: () => void
}

/** Opens one report in the frame and looks after it until `close`: token, filters, errors, the record of the view. */
export const startOpening = (input: OpeningInput): Opening => {
  const { address, search, frame: getFrame, onStatus, onPage } = input
  const startedAt = performance.now()
  const life = new AbortController()
  const { signal } = life
  let frame: ReportFrame | undefined
  let report: OpenReport | undefined
  let loadedMs: number | undefined
  let renderedMs: number | undefined
  let own: EmbeddedReport['filtros'] = []
  let renewal: Renewal | undefined
  const drawing = new DrawingWatch()
  let watchdog: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    life.abort()
    drawing.failed(new Error('O relatório foi fechado.'))
    clearTimeout(watchdog)
    renewal?.stop()
    frame?.release()
    report = undefined
  }

  /** The end of this opening: a report on the screen would pass for the one that was refused. */
  const fail = (problem: ViewerProblem) => {
    if (signal.aborted) return
    close()
    frame?.reset()
    onStatus({ phase: 'erro', problem })
  }

  const access = watchAccess({ signal, onLost: () => fail(notGranted) })

  const askToken = (send: typeof call) => {
    const limit = AbortSignal.timeout(callLimitMs)
    return send(reportsApi.embed, { body: address }, { signal: AbortSignal.any([signal, limit]) })
  }

  const open = async () => {
    const asked = askToken(call)
    // Also awaited below; marked as handled here, or a quick refusal would be reported while the frame is prepared.
    asked.catch(() => undefined)
    const [{ origemEmbed }, prepared] = await Promise.all([portalSettings(), getFrame()])
    signal.throwIfAborted()
    frame = prepared
    frame.bootstrap(bootstrapAddress(origemEmbed, address), 'Relatório')
    const embedded = await asked
    access.ofReport(embedded.idRelatorio)
    own = embedded.filtros
    const choice = choiceFrom(search, embedded.operadoraRelatorio)
    const { idRelatorio, nomeRelatorio, operadoraRelatorio } = embedded
    onStatus({ idRelatorio, nomeRelatorio, operadoraRelatorio, choice })
    const chosen = filtersOf(choice)
    watchdog = setTimeout(() => fail(isReachable() ? watchdogProblem : networkProblem), watchdogMs)
    const opened = await frame.open(
      { ...embedded, pageName: pageIn(search) ?? embedded.pageName },
      // Chosen filters go in between loading and drawing, where one that the report lacks costs nothing.
      { drawLater: chosen.length > 0, signal },
      {
        onLoaded: () => void loaded(opened, embedded),
        onRenderingStarted: () => drawing.started(),
        onRendered: () => rendered(embedded.idRelatorio),
        onPageChanged: (pageName) => {
          void noteReportUse()
          onPage(pageName)
        },
        onDataSelected: () => void noteReportUse(),
        onError: (error) => void errorEvent(error),
      },
    )
  }

  const loaded = async (opened: OpenReport, embedded: EmbeddedReport) => {
    if (report) return
    clearTimeout(watchdog)
    loadedMs = performance.now() - startedAt
    report = opened
    renewal = keepTokenFresh({
      lifeMs: lifeLeftMs(embedded.expiration, serverNow()),
      renew: renewToken,
      onFailure: renewalFailed,
      onRenewed: () => onStatus({ renewalFails: false }),
    })
    onStatus({ phase: 'carregado' })
    void forgetUnknownPage(opened)
    const chosen = filtersOf(choiceFrom(search, embedded.operadoraRelatorio))
    if (chosen.length === 0) return
    try {
      const missing = await applyFilters(opened.setFilters, own, chosen)
      await opened.render()
      if (!signal.aborted && missing.length > 0) onStatus({ missing })
    } catch (error) {
      fail(filterProblem(error))
    }
  }

  /** Both services open their first page in place of one they do not know. */
  const forgetUnknownPage = async (opened: OpenReport) => {
    const wanted = pageIn(search)
    if (!wanted) return
    try {
      const names = await opened.pageNames()
      if (!signal.aborted && !names.includes(wanted)) onPage(undefined)
    } catch (error) {
      console.warn('As páginas do relatório não puderam ser lidas.', error)
    }
  }

  const rendered = (id: number) => {
    drawing.finished()
    if (renderedMs !== undefined || loadedMs === undefined) return
    renderedMs = performance.now() - startedAt
    onStatus({ phase: 'renderizado' })
    void recordView(id, loadedMs, renderedMs)
  }

  const errorEvent = async (error: EmbedError) => {
    if (signal.aborted) return
    if (!report) return fail(isReachable() ? embedProblem(error) : networkProblem)
    if (error.message === tokenExpired) return renewal?.renewNow()
    if (drawing.failed(error)) return
    // The frame often notices first that the connection is gone, which is no fault of the BI service.
    if ((await checkConnection()) && !signal.aborted) onStatus({ notice: embedErrorSentence(error) })
  }

  const renewToken = async (): Promise<number> => {
    const { embedToken, expiration } = await askToken(callInBackground)
    const lifeMs = lifeLeftMs(expiration, serverNow())
    await report?.setAccessToken(embedToken)
    return lifeMs
  }

  const renewalFailed = (error: unknown) => {
    if (error instanceof ApiProblem && error.status < 500 && error.status !== 429 && error.status !== 408) {
      fail(openingProblem(error))
      return 'stop'
    }
    onStatus({ renewalFails: true })
    return error instanceof ApiProblem ? error.retryAfter : undefined
  }

  const loadedReport = () => {
    if (!report) throw new Error('O relatório ainda não abriu.')
    return report
  }

  open().catch((error: unknown) => {
    if (!signal.aborted) fail(openingProblem(error))
  })

  return {
    filter: async (choice) => {
      const { setFilters } = loadedReport()
      void noteReportUse()
      return applyFilters((filters) => drawing.after(() => setFilters(filters)), own, filtersOf(choice))
    },
    show: async (view) => {
      const opened = loadedReport()
      void noteReportUse()
      return showView(opened, view, { own, drawn: (change) => drawing.after(change) })
    },
    capture: async () => captureView(loadedReport()),
    refresh: async () => loadedReport().refresh(),
    print: async () => loadedReport().print(),
    close,
  }
}

/** The address that both providers embed from; the answer's own, with its query, follows when the token is there. */
const bootstrapAddress = (origemEmbed: string | null, { groupId, reportId }: ReportIds): string => {
  const url = new URL('/reportEmbed', origemEmbed ?? 'https://app.powerbi.com')
  url.search = new URLSearchParams({ reportId, groupId }).toString()
  return url.href
}

const longestView = 600_000

/** Statistics only: a view that cannot be recorded is no reason to disturb whoever is reading it. */
const recordView = async (id: number, loadedMs: number, renderedMs: number): Promise<void> => {
  const rounded = (ms: number) => Math.min(longestView, Math.round(ms))
  try {
    await call(
      reportsApi.recordView,
      { params: { id }, body: { carregadoMs: rounded(loadedMs), renderizadoMs: rounded(renderedMs) } },
      { signal: AbortSignal.timeout(15_000) },
    )
  } catch (error) {
    console.warn('A visualização não pôde ser registrada.', error)
  }
}
