import { visualTypes } from '../../definitions/visual-types.ts'
import type { Cell, Filter, VisualData, VisualFilter } from '../../wire/embed-contract.ts'
import { applyNamed, applyWritten, type Bookmark, captureBookmark } from '../state/bookmarks.ts'
import { asFatal, asProblem, EmbedProblem, isExpired, isGone, problem } from '../state/problem.ts'
import {
  activePage,
  type FilterScope,
  findPage,
  findVisual,
  type PageSelection,
  type ReportState,
  republished,
  resetFilters,
  type VisualScope,
  withDrill,
  withFilters,
  withPage,
  withSelection,
  withSettings,
  withSlicer,
  withSort,
  withVisualFilters,
} from '../state/report-state.ts'
import { checkSortable, readSortBy } from '../state/sort-order.ts'
import type { ReportTheme } from '../view/style/theme.ts'
import type { DataApi } from './data-api.ts'
import { withDataTimes } from './data-times.ts'
import { explainEmptyVisuals } from './empty-visuals.ts'
import { initialState, type LoadOptions, withOptions } from './load-options.ts'
import { loadPageData, type PageResult } from './page-data.ts'
import { createPrefetch } from './prefetch.ts'
import type { ReportView } from './session-view.ts'
import { createTokenClock } from './token-clock.ts'

/** Sends an event to the embedder, about the report, a page or a visual. */
export type Emit = (event: string, body: unknown, scope?: FilterScope) => void

export type ReportSession = ReturnType<typeof createReportSession>

interface SessionWork {
  /** Number of loads so far. Answers that were requested before the latest load are ignored. */
  load: number
  /** Ends what the latest load or drawing still fetches and draws. */
  work: AbortController
}

/** A session with a loaded report. */
interface OpenSession extends SessionWork {
  name: 'prepared' | 'drawing' | 'drawn' | 'failed'
  state: ReportState
  token: string
  /** The embedder was told that the token has expired. */
  isTokenExpired: boolean
}

/**
 * What the frame does with its report. A load ends any state; a transition replaces the object.
 *
 *   empty ──▶ loading ──▶ drawing ◀──▶ drawn
 *     ▲          │ │         ▲ └─────▶ failed: the page still has to be drawn
 *     └─ failed ─┘ └▶ prepared: drawn when the embedder calls `render` (phased embedding)
 */
type Session = ({ name: 'empty' | 'loading' } & SessionWork) | OpenSession

const isOpen = (session: Session): session is OpenSession => 'state' in session

/** Creates the session of this frame's report: state, token, and the order of drawings. */
export const createReportSession = (given: DataApi, view: ReportView, emit: Emit) => {
  const { api, dataTimeOf } = withDataTimes(given)
  let session: Session = { name: 'empty', load: 0, work: new AbortController() }

  const clock = createTokenClock(announceExpiry)
  const ahead = createPrefetch(api, view.drawAhead)

  function announceExpiry() {
    if (!isOpen(session) || session.isTokenExpired) return
    session = { ...session, isTokenExpired: true }
    emit('error', problem(403, 'TokenExpired', 'O acesso a este relatório expirou.').body)
  }

  /** Ends the work of the session, and returns the controller of what follows. */
  function begin(): AbortController {
    session.work.abort()
    return new AbortController()
  }

  function opened(): OpenSession {
    if (isOpen(session)) return session
    throw problem(409, 'ReportNotLoaded', 'O relatório ainda não foi carregado.')
  }

  const current = () => opened().state

  function change(state: ReportState): ReportState {
    session = { ...opened(), state }
    return state
  }

  /** Runs until `loaded`. Failures become `error` events: the message was answered before. */
  async function load(id: string, accessToken: string, options: LoadOptions, thenRender: boolean) {
    const work = begin()
    const { signal } = work
    const own = { load: session.load + 1, work }
    session = { name: 'loading', ...own }
    clock.stop()
    try {
      // A prepared report must not be visible, so its hidden drawing is discarded too.
      if (!thenRender) ahead.drop()
      const source = ahead.take(id, accessToken, signal)
      // Request the report before the old one is cleared from the screen.
      const defined = source.report(id, accessToken, signal)
      view.showLoading()
      const report = await defined
      if (signal.aborted) return
      const state = initialState(report, options)
      const name = thenRender ? 'drawing' : 'prepared'
      session = { name, ...own, state, token: accessToken, isTokenExpired: false }
      clock.arm(report.expiresAt)
      // Request the rows before the layout, so that the service works in parallel.
      const rows = thenRender ? loadPageData(source, accessToken, state, signal) : undefined
      rows?.catch(() => undefined)
      view.showReport(state, true)
      emit('loaded', { initiator: 'sdk' })
      if (rows) await draw(rows, signal)
    } catch (cause) {
      if (signal.aborted) return
      session = { name: 'empty', ...own }
      const failure = asProblem(cause)
      view.showFailure(
        failure,
        isExpired(failure) ? undefined : () => load(id, accessToken, options, thenRender),
      )
      emit('error', asFatal(failure))
    }
  }

  /** Fetches and draws the active page, or some visuals. A newer call ends this one. */
  async function render(wanted?: readonly string[]) {
    const before = opened()
    if (before.name === 'prepared') return
    ahead.drop()
    // Also draws what an earlier, unfinished call was fetching.
    const only = before.name === 'drawn' ? wanted : undefined
    const work = begin()
    session = { ...before, name: 'drawing', work }
    const { state, token } = before
    const rows = loadPageData(api, token, state, work.signal, only)
    rows.catch(() => undefined)
    view.showReport(state, true, only)
    await draw(rows, work.signal, only)
  }

  /** Draws requested rows once they arrive. The page already shows its skeletons. */
  async function draw(rows: Promise<PageResult>, signal: AbortSignal, only?: readonly string[]) {
    if (signal.aborted) return
    const shown = current()
    emit('renderingStarted', {})
    try {
      const page = await rows
      if (signal.aborted) return
      await view.drawPage(shown, page, signal)
      await painted()
      if (signal.aborted) return
      session = { ...opened(), name: 'drawn' }
      if (shown.settings.visualRenderedEvents) announceVisuals(shown, only)
      emit('rendered', {})
      void explainEmptyVisuals({ api, view, emit }, opened().token, shown, page, signal)
    } catch (cause) {
      if (signal.aborted) return
      let failure = asProblem(cause)
      if (isGone(failure)) {
        const found = await reopened(shown, signal).catch(asProblem)
        if (signal.aborted || found === true) return
        if (found) failure = found
      }
      session = { ...opened(), name: 'failed' }
      view.failPage(failure)
      if (isExpired(failure)) announceExpiry()
      else emit('error', failure.body)
    }
  }

  /** Opens the first page if the report was republished without the open one. */
  async function reopened(shown: ReportState, signal: AbortSignal): Promise<boolean> {
    const report = await api.report(shown.report.id, opened().token, signal)
    if (signal.aborted || report.pages.some(({ name }) => name === shown.activePage)) return false
    announcePage(shown, change(republished(current(), report)))
    void render()
    view.showMessage(PAGE_GONE)
    return true
  }

  function announceVisuals(shown: ReportState, only: readonly string[] | undefined) {
    const page = activePage(shown)
    for (const { name, title, type } of page.visuals) {
      if (only && !only.includes(name)) continue
      emit(
        'visualRendered',
        { name, title, type: visualTypes[type].powerBi },
        { page: page.name, visual: name },
      )
    }
  }

  function announcePage(before: ReportState, after: ReportState) {
    const [oldPage, newPage] = [activePage(before), activePage(after)].map(brief)
    if (oldPage?.name !== newPage?.name) emit('pageChanged', { newPage, oldPage })
  }

  function filtered(state: ReportState, filters: VisualFilter[], scope?: FilterScope) {
    change(state)
    emit('filtersApplied', { filters }, scope)
    void render()
  }

  function show(bookmark: Bookmark) {
    announcePage(current(), change(bookmark.state))
    emit('bookmarkApplied', { bookmarkName: bookmark.name })
    void render()
  }

  /**
   * Returns the rows of one visual of any page, with the filters in force.
   * @param underlying requests this many of the rows that it aggregates instead
   */
  async function visualData(scope: VisualScope, underlying?: number): Promise<VisualData> {
    const shown = withPage(current(), findPage(current(), scope.page).name)
    const { name } = findVisual(activePage(shown), scope.visual)
    const { signal } = new AbortController()
    const { [name]: result } = await loadPageData(api, opened().token, shown, signal, [name], underlying)
    if (!result) throw problem(400, 'InvalidVisual', `${name} não mostra dados.`)
    if (result instanceof EmbedProblem) throw result
    return result
  }

  /** Tells the embedder of an error after which the report stays as it is. */
  const announce = (failure: EmbedProblem) => emit('error', failure.body)

  /** Shows why this page cannot show what the embedder asked for. */
  function refuse(failure: EmbedProblem) {
    clock.stop()
    session = { name: 'empty', load: session.load + 1, work: begin() }
    view.showFailure(failure)
    emit('error', asFatal(failure))
  }

  return {
    state: current,
    announce,
    refuse,
    load,
    /** Fetches in advance what a load with this report, token and options will request. */
    prefetch: ahead.begin,
    /** Draws a prepared report (phased embedding), or draws again. */
    render(options: LoadOptions = {}) {
      session = { ...opened(), state: withOptions(current(), options), name: 'drawing' }
      void render()
    },
    /** Draws the report again from current data. */
    refresh() {
      current()
      view.refreshValues()
      void render()
    },
    /** Draws the page again, or one of its visuals. */
    retry: (visual?: string) => void render(visual === undefined ? undefined : [visual]),

    /** Verifies the new token before it replaces the old one. Draws a page that waited for it. */
    async setToken(accessToken: string) {
      const { load, state } = opened()
      // A load that started in between has its own token, and must not be affected.
      const isCurrent = () => session.load === load
      try {
        const { expiresAt } = await api.report(state.report.id, accessToken)
        if (!isCurrent()) return
        session = { ...opened(), token: accessToken, isTokenExpired: false }
        clock.arm(expiresAt)
      } catch (cause) {
        const failure = asProblem(cause)
        if (isCurrent()) emit('error', failure.body)
        throw failure
      }
      if (session.name === 'drawing' || session.name === 'failed') void render()
    },

    setPage(name: unknown) {
      const before = current()
      const page = findPage(before, name)
      if (page.name === before.activePage) return
      announcePage(before, change(withPage(before, page.name)))
      void render()
    },

    setFilters: (scope: Pick<FilterScope, 'page'>, filters: Filter[]) =>
      filtered(withFilters(current(), scope, filters), filters, scope),

    setVisualFilters: (scope: VisualScope, filters: VisualFilter[]) =>
      filtered(withVisualFilters(current(), scope, filters), filters, scope),

    /** Sorts the rows of a visual, on the screen and in its export. */
    sortBy(scope: VisualScope, request: Record<string, unknown>) {
      const visual = findVisual(findPage(current(), scope.page), scope.visual)
      checkSortable(visual)
      const path = current().drill[`${scope.page}/${scope.visual}`] ?? []
      const sort = readSortBy(visual, path, request)
      change(withSort(current(), scope, sort))
      if (scope.page === current().activePage) void render([scope.visual])
    },

    /** Cross-filters the other visuals of the page; undefined clears the selection. */
    select(selection: PageSelection | undefined) {
      const before = current()
      const state = change(withSelection(before, selection))
      const sources = [before.selection?.visual, selection?.visual]
      const others = activePage(state).visuals.filter(({ name, ignoresSelection }) => {
        if (ignoresSelection) return false
        // The selected visual changes only if the previous selection filtered it.
        return sources.some((source) => source !== undefined && source !== name)
      })
      void render(others.map(({ name }) => name))
    },

    /** Drills a visual of the active page down along these values. */
    drillTo(visual: string, path: Cell[]) {
      const before = current()
      const state = change(withDrill(before, visual, path))
      // When drilling clears the selection, all other visuals change too.
      void render(state.selection === before.selection ? [visual] : undefined)
    },

    setSlicer: (scope: VisualScope, filters: Filter[]) =>
      filtered(withSlicer(current(), scope, filters), filters, scope),

    resetFilters() {
      const state = resetFilters(current())
      filtered(state, state.reportFilters)
    },

    setSettings(settings: unknown) {
      view.showReport(change(withSettings(current(), settings)), session.name === 'drawing')
    },

    /** Applies one of the author's bookmarks by its name. */
    applyBookmark(name: unknown) {
      show(applyNamed(current(), name))
    },

    /** Applies a state from `captureBookmark`, which may be old. */
    applyBookmarkState(text: unknown) {
      show(applyWritten(current(), text))
    },

    /** BookmarksPlayMode of powerbi-models: 1 presents the author's bookmarks, 0 ends that. */
    playBookmarks(mode: unknown) {
      const { bookmarks } = current().report
      if (mode !== 0 && mode !== 1) throw problem(400, 'InvalidParameters', 'playMode deve ser 0 ou 1.')
      if (mode === 1 && !bookmarks.length)
        throw problem(400, 'InvalidParameters', 'Este relatório não tem marcadores.')
      view.presentBookmarks(mode === 1 ? bookmarks : [])
    },

    captureBookmark: (options: { allPages?: unknown } = {}) => captureBookmark(current(), options),

    /** Sets the theme; undefined restores the default colours. */
    setTheme(theme: ReportTheme | undefined) {
      view.showReport(change({ ...current(), theme }), session.name === 'drawing')
    },

    visualData,

    /** Returns when the data on the screen was refreshed (ISO), if the service said so. */
    dataTime: () => dataTimeOf(current().report.id),

    values: (request: Parameters<DataApi['values']>[2], signal: AbortSignal) =>
      api.values(current().report.id, opened().token, request, signal),
  }
}

const PAGE_GONE =
  'A página que estava aberta não existe mais: o relatório foi publicado de novo. Esta é a primeira página.'

const brief = ({ name, displayName }: { name: string; displayName: string }) => ({ name, displayName })

/** Resolves after the next paint, or after 250 ms in hidden iframes, which do not paint. */
const painted = (): Promise<void> => {
  return new Promise((resolve) => {
    const fallback = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(fallback)
      // Frame callbacks run right before the paint; the next task runs after it.
      setTimeout(resolve)
    })
  })
}
