import { ApiProblem, type EmbeddedReport, reportsApi } from '@bi-manager/contract'
import { call, callInBackground } from '../../../lib/api/api.ts'
import { checkConnection, isReachable, serverNow } from '../../../lib/api/connection.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import {
  applyFilters,
  choiceFrom,
  filtersOf,
  type PanelChoice,
  type PanelField,
} from '../filters/panel-filters.ts'
import { pageIn } from '../filters/report-address.ts'
import { DrawingWatch } from '../frame/drawing-watch.ts'
import { watchFrame } from '../frame/frame-watch.ts'
import { portalSettings } from '../frame/portal-settings.ts'
import type { FrameListeners, OpenReport, ReportFrame } from '../frame/report-frame.ts'
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
import { takeToken } from '../tokens/token-prefetch.ts'
import { keepTokenFresh, lifeLeftMs, type Renewal } from '../tokens/token-renewal.ts'
import { watchAccess } from './access-watch.ts'
import { recoverDrawing } from './drawing-recovery.ts'
import { takeEarlyOpening, withUrlOptions } from './early-opening.ts'
import { noteReportUse } from './report-use.ts'
import { type Capture, captureView, showView, type ViewContent, type ViewOutcome } from './show-view.ts'

/**
 * Longer than the server's own limit for the provider: this covers a server that does not answer.
 */
const callLimitMs = 60_000

/** The state of a report's opening that the page shows. The token is never part of it. */
export interface OpeningStatus {
  phase: 'carregando' | 'carregado' | 'renderizado' | 'erro'
  idRelatorio?: number
  nomeRelatorio?: string
  operadoraRelatorio?: string
  /**
   * The panel's values, from the URL and the report's operadora; set once the token response is
   * there.
   */
  choice?: PanelChoice
  /** Chosen fields whose column the report lacks. */
  missing?: PanelField[]
  /** Portuguese sentences on what the URL or a saved view names but the report no longer has. */
  lostParts?: string[]
  problem?: ViewerProblem
  /** The URL held a filter outside the closed lists. */
  hadInvalidFilter?: boolean
  /** Portuguese sentence on an error; the report stays on the screen. */
  notice?: string
  /** Portuguese sentence on why the token cannot be renewed at the moment. */
  renewalFails?: string
  /** The user has changed page, filters or selections. */
  isUsed?: boolean
  /** The user has selected something inside the report, which the URL does not contain. */
  hasSelections?: boolean
  /**
   * An automatic attempt is running; the problem stays on the screen until it succeeds or fails.
   */
  isReopening?: boolean
}

export interface OpeningInput {
  address: ReportIds
  search: URLSearchParams
  frame: () => Promise<ReportFrame>
  /** The opening is automatic: it does not count as use of the session. */
  isAutomatic?: boolean
  /**
   * The selections to restore when the report on the screen is reopened in another layout; if not
   * undefined, no second view is recorded.
   */
  bookmark?: string | null
  onStatus: (change: Partial<OpeningStatus>) => void
  /** Called with the page shown; undefined when the report lacks the page named in the URL. */
  onPage: (pageName: string | undefined) => void
}

export interface Opening {
  /** Rejects when the report is not loaded, refuses the filters or does not answer. */
  filter: (choice: PanelChoice) => Promise<PanelField[]>
  show: (view: ViewContent) => Promise<ViewOutcome>
  capture: () => Promise<Capture>
  refresh: () => Promise<void>
  print: () => Promise<void>
  close: () => void
}

/**
 * Opens a report in the frame and manages it until `close`: token, filters, errors, view record.
 */
export const startOpening = (input: OpeningInput): Opening => {
  const { address, search, frame: getFrame, isAutomatic = false, bookmark, onStatus, onPage } = input
  const life = new AbortController()
  const { signal } = life
  const early = isAutomatic || bookmark !== undefined ? undefined : takeEarlyOpening(address, search)
  if (early) signal.addEventListener('abort', early.drop, { once: true })
  const startedAt = early?.startedAt ?? performance.now()
  let frame: ReportFrame | undefined
  let report: OpenReport | undefined
  let loadedMs: number | undefined
  let renderedMs: number | undefined
  let own: EmbeddedReport['filtros'] = []
  let renewal: Renewal | undefined
  const drawing = new DrawingWatch()

  const close = () => {
    life.abort()
    drawing.failed(new Error('O relatório foi fechado.'))
    renewal?.stop()
    report = undefined
  }

  /**
   * Ends the opening and empties the frame, so that an old report is not taken for the failed one.
   */
  const fail = (problem: ViewerProblem) => {
    if (signal.aborted) return
    close()
    frame?.reset()
    onStatus({ phase: 'erro', problem, isReopening: false })
  }

  const access = watchAccess({ signal, onLost: (refusal) => fail(openingProblem(refusal)) })
  const recovery = recoverDrawing({
    signal,
    redraw: () => loadedReport().refresh(),
    onNotice: (notice) => onStatus({ notice }),
  })

  let isUsed = false
  const used = () => {
    if (!isUsed) onStatus({ isUsed: true })
    isUsed = true
  }

  let hasSelections = false
  const picked = () => {
    if (!hasSelections) onStatus({ hasSelections: true })
    hasSelections = true
  }

  const askToken = (send: typeof call) => {
    const limit = AbortSignal.timeout(callLimitMs)
    return send(reportsApi.embed, { body: address }, { signal: AbortSignal.any([signal, limit]) })
  }

  /** Takes the prefetched token or requests one. */
  const firstToken = async () => {
    const ahead = early?.embedded ?? (await takeToken(address))
    signal.throwIfAborted()
    if (!ahead) return askToken(isAutomatic ? callInBackground : call)
    // The prefetch did not count as use of the session; opening the report does.
    if (!isAutomatic) void noteReportUse()
    return ahead
  }

  const open = async () => {
    const asked = firstToken()
    // Awaited below; handled here too, so that an early refusal is not an unhandled rejection.
    asked.catch(() => undefined)
    const [{ origemEmbed }, prepared] = await Promise.all([portalSettings(), getFrame()])
    signal.throwIfAborted()
    frame = prepared
    const ownAddress = bootstrapAddress(origemEmbed, address)
    // Microsoft's page may be ready long after its document has loaded.
    const isUnreached = () => origemEmbed !== null && prepared.isUnreached
    const isLost = isUnreached()
    if (isLost) prepared.reset()
    const waiting = watchFrame({ signal, origin: new URL(ownAddress).origin, isUnreached, onFailure: fail })
    frame.bootstrap(ownAddress, 'Relatório')
    const embedded = await asked
    signal.throwIfAborted()
    access.setReportId(embedded.idRelatorio)
    own = embedded.filtros
    const choice = choiceFrom(search, embedded.operadoraRelatorio)
    const { idRelatorio, nomeRelatorio, operadoraRelatorio } = embedded
    onStatus({ idRelatorio, nomeRelatorio, operadoraRelatorio, choice })
    waiting.limit()
    const listeners: FrameListeners = {
      onLoaded: () => {
        waiting.end()
        void loaded(opened, embedded)
      },
      onRenderingStarted: () => drawing.started(),
      onRendered: () => rendered(embedded.idRelatorio),
      onPageChanged: (pageName) => {
        void noteReportUse()
        // Microsoft's page also emits this for the first page, before it is drawn.
        if (renderedMs !== undefined) used()
        onPage(pageName)
      },
      onDataSelected: () => {
        void noteReportUse()
        used()
        picked()
      },
      onError: (error) => void errorEvent(error),
    }
    const { addressed, drawLater } = withUrlOptions(embedded, search)
    const isBegun = early?.frame === frame && !isLost
    const opened = await (isBegun
      ? early.opened
      : frame.open(addressed, { drawLater, signal, bookmark: bookmark ?? undefined }, listeners))
    if (isBegun && !signal.aborted) early.hear(listeners)
  }

  const loaded = async (opened: OpenReport, embedded: EmbeddedReport) => {
    if (report) return
    loadedMs = performance.now() - startedAt
    report = opened
    renewal = keepTokenFresh({
      lifeMs: lifeLeftMs(embedded.expiration, serverNow()),
      renew: renewToken,
      onFailure: renewalFailed,
      onRenewed: () => onStatus({ renewalFails: undefined }),
    })
    recovery.loaded()
    onStatus({ phase: 'carregado', problem: undefined, isReopening: false })
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

  /** Both services open the first page when the requested one does not exist. */
  const forgetUnknownPage = async (opened: OpenReport) => {
    const wanted = pageIn(search)
    if (!wanted) return
    try {
      const names = await opened.pageNames()
      if (signal.aborted || names.includes(wanted)) return
      onPage(undefined)
      onStatus({ lostParts: [unknownPage] })
    } catch (error) {
      console.warn('As páginas do relatório não puderam ser lidas.', error)
    }
  }

  const rendered = (id: number) => {
    drawing.finished()
    recovery.drawn()
    if (renderedMs !== undefined || loadedMs === undefined) return
    renderedMs = performance.now() - startedAt
    onStatus({ phase: 'renderizado' })
    if (bookmark === undefined) void recordView(id, loadedMs, renderedMs)
  }

  const errorEvent = async (error: EmbedError) => {
    if (signal.aborted) return
    if (!report) return fail(isReachable() ? embedProblem(error) : networkProblem)
    if (error.message === tokenExpired) return renewal?.renewNow()
    if (drawing.failed(error)) return
    // The frame often notices a lost connection first; then the BI service is not to blame.
    const isBackThere = await checkConnection()
    if (signal.aborted) return
    if (!isBackThere || isTransientError(error))
      recovery.failed(embedErrorSentence(error), isServiceDown(error))
    else onStatus({ notice: embedErrorSentence(error) })
  }

  /**
   * Waits until a change is drawn. If the service does not answer the query for the rows, the frame
   * has still accepted the change, so this resolves and the redraw follows later.
   */
  const drawn = (change: () => Promise<void>): Promise<void> =>
    drawing.callAndAwaitDrawing(change).catch((error: unknown) => {
      if (signal.aborted || error instanceof Error || !isServiceDown(asEmbedError(error))) throw error
      void errorEvent(asEmbedError(error))
    })

  const renewToken = async (): Promise<number> => {
    const { embedToken, expiration } = await askToken(callInBackground)
    const lifeMs = lifeLeftMs(expiration, serverNow())
    await report?.setAccessToken(embedToken)
    return lifeMs
  }

  const renewalFailed = (error: unknown) => {
    if (endsReport(error)) return stopWith(openingProblem(error))
    // The frame checks a token at the provider before it accepts it.
    if (!(error instanceof Error) && isReportMissing(asEmbedError(error)))
      return stopWith(embedProblem(asEmbedError(error)))
    onStatus({ renewalFails: renewalNotice(error) })
    return error instanceof ApiProblem ? error.retryAfter : undefined
  }

  const stopWith = (problem: ViewerProblem) => {
    fail(problem)
    return 'stop' as const
  }

  const loadedReport = () => {
    if (!report) throw new Error('O relatório ainda não abriu.')
    return report
  }

  const refresh = async () => {
    const { refresh: read } = loadedReport()
    await drawing.callAndAwaitDrawing(read).catch((error: unknown) => {
      // The caller gets the error, and it is handled like any other `error` event.
      if (!signal.aborted && !(error instanceof Error)) void errorEvent(asEmbedError(error))
      throw error
    })
  }

  open().catch((error: unknown) => {
    if (!signal.aborted) fail(openingProblem(error))
  })

  return {
    filter: async (choice) => {
      const { setFilters } = loadedReport()
      void noteReportUse()
      used()
      return applyFilters((filters) => drawn(() => setFilters(filters)), own, filtersOf(choice))
    },
    show: async (view) => {
      const opened = loadedReport()
      void noteReportUse()
      return showView(opened, view, { own, drawn })
    },
    capture: async () => captureView(loadedReport()),
    refresh,
    print: async () => loadedReport().print(),
    close,
  }
}

/** The URL both providers embed from; the exact `embedUrl` follows with the token response. */
const bootstrapAddress = (origemEmbed: string | null, { groupId, reportId }: ReportIds): string => {
  const url = new URL('/reportEmbed', origemEmbed ?? 'https://app.powerbi.com')
  url.search = new URLSearchParams({ reportId, groupId }).toString()
  return url.href
}

const unknownPage = 'A página do endereço não existe mais neste relatório. Ele abriu na primeira página.'

const longestView = 600_000

/** Records a view for statistics; errors are only logged. */
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
