import type { Cell, Filter, VisualData } from '../../contract/embed-contract.ts'
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
  withDrill,
  withFilters,
  withPage,
  withSelection,
  withSettings,
  withSlicer,
} from '../state/report-state.ts'
import type { ReportTheme } from '../view/style/report-colors.ts'
import type { DataApi } from './data-api.ts'
import { initialState, type LoadOptions, withOptions } from './load-options.ts'
import { loadPageData, type PageResult } from './page-data.ts'
import { createPrefetch } from './prefetch.ts'
import { createTokenClock } from './token-clock.ts'

/** Rows that are being fetched. The signal aborts the request. */
interface Asked {
  signal: AbortSignal
  result: Promise<PageResult>
}

/** Sends an event to the embedder, about the report, a page or a visual. */
export type Emit = (event: string, body: unknown, scope?: FilterScope) => void

/** The screen, as the session uses it. */
export interface ReportView {
  showLoading(): void
  /** Shows why nothing can be drawn, with a retry button when `retry` is given. */
  showFailure(problem: EmbedProblem, retry?: () => void): void
  /**
   * Shows frame, tabs, panes and, for a new page, skeletons. `busy` marks all visuals as loading,
   * or those in `only`.
   */
  showReport(state: ReportState, busy: boolean, only?: readonly string[]): void
  /** Resolves when the rows are on the screen. */
  drawPage(state: ReportState, result: PageResult, signal: AbortSignal): Promise<void>
  /** Draws this page out of sight for a later `showReport`, until the signal aborts. */
  drawAhead(state: ReportState, result: PageResult, signal: AbortSignal): void
  /** Steps through these bookmarks; an empty list ends the presentation. */
  presentBookmarks(bookmarks: readonly { name: string; displayName: string }[]): void
  /** Fetches the lists of values again: they may be stale. */
  refreshValues(): void
  /** Shows the reader a sentence next to the report. */
  say(sentence: string): void
  /** Like `say`, for a refused choice: the controls return to the values in force. */
  refuse(sentence: string): void
  /** Keeps the frame and shows in the page why the data call failed. */
  failPage(problem: EmbedProblem): void
}

export type ReportSession = ReturnType<typeof createReportSession>

/** Creates the session of this frame's report: state, token, and the order of drawings. */
export function createReportSession(api: DataApi, view: ReportView, emit: Emit) {
  let state: ReportState | undefined
  let token = ''
  let tokenEnded = false
  /** Number of loads so far. Answers that were requested before the latest load are ignored. */
  let loads = 0
  let drawing = new AbortController()
  /** True from when a page has to be drawn until it is drawn; a new token then draws it. */
  let pageIsDue = false
  /** Phased embedding: nothing is drawn before the embedder calls `render`. */
  let isPrepared = false
  /** True while a page is being fetched or drawn. */
  let isDrawing = false

  const clock = createTokenClock(announceExpiry)
  const ahead = createPrefetch(api, view.drawAhead)

  function announceExpiry() {
    if (tokenEnded) return
    tokenEnded = true
    emit('error', problem(403, 'TokenExpired', 'O acesso a este relatório expirou.').body)
  }

  function begin(): AbortSignal {
    drawing.abort()
    drawing = new AbortController()
    return drawing.signal
  }

  function current(): ReportState {
    if (!state) throw problem(409, 'ReportNotLoaded', 'O relatório ainda não foi carregado.')
    return state
  }

  /** Runs until `loaded`. Failures become `error` events: the message was answered before. */
  async function load(id: string, accessToken: string, options: LoadOptions, thenRender: boolean) {
    const signal = begin()
    loads++
    clock.stop()
    state = undefined
    pageIsDue = false
    isPrepared = !thenRender
    try {
      // A prepared report must not be visible, so its hidden drawing is discarded too.
      if (!thenRender) ahead.drop()
      const source = ahead.take(id, accessToken, signal)
      // Request the report before the old one is cleared from the screen.
      const defined = source.report(id, accessToken, signal)
      view.showLoading()
      const report = await defined
      if (signal.aborted) return
      state = initialState(report, options)
      accept(accessToken, report.expiresAt)
      // Request the rows before the layout, so that the service works in parallel.
      const asked = thenRender ? { signal, result: loadPageData(source, token, state, signal) } : undefined
      asked?.result.catch(() => undefined)
      view.showReport(state, true)
      emit('loaded', { initiator: 'sdk' })
      if (asked) await draw(state, asked)
    } catch (cause) {
      if (signal.aborted) return
      const failure = asProblem(cause)
      if (isExpired(failure)) tokenEnded = true
      view.showFailure(
        failure,
        isExpired(failure) ? undefined : () => load(id, accessToken, options, thenRender),
      )
      emit('error', asFatal(failure))
    }
  }

  function accept(accessToken: string, expiresAt: number) {
    token = accessToken
    tokenEnded = false
    clock.arm(expiresAt)
  }

  /** Fetches and draws the active page, or some visuals. A newer call ends this one. */
  async function render(wanted?: readonly string[]) {
    const shown = current()
    if (isPrepared) return
    ahead.drop()
    // Also draws what an earlier, unfinished call was fetching.
    const only = pageIsDue ? undefined : wanted
    const signal = begin()
    const result = loadPageData(api, token, shown, signal, only)
    result.catch(() => undefined)
    view.showReport(shown, true, only)
    await draw(shown, { signal, result }, only)
  }

  /** Draws requested rows once they arrive. The page already shows its skeletons. */
  async function draw(shown: ReportState, { signal, result }: Asked, only?: readonly string[]) {
    pageIsDue = true
    isDrawing = true
    emit('renderingStarted', {})
    try {
      const page = await result
      if (signal.aborted) return
      await view.drawPage(shown, page, signal)
      await painted()
      if (signal.aborted) return
      pageIsDue = false
      isDrawing = false
      if (shown.settings.visualRenderedEvents) announceVisuals(shown, only)
      emit('rendered', {})
    } catch (cause) {
      if (signal.aborted) return
      let failure = asProblem(cause)
      if (isGone(failure)) {
        const found = await reopened(shown, signal).catch(asProblem)
        if (signal.aborted || found === true) return
        if (found) failure = found
      }
      isDrawing = false
      view.failPage(failure)
      if (isExpired(failure)) announceExpiry()
      else emit('error', failure.body)
    }
  }

  /** Opens the first page if the report was republished without the open one. */
  async function reopened(shown: ReportState, signal: AbortSignal): Promise<boolean> {
    const report = await api.report(shown.report.id, token, signal)
    if (signal.aborted || report.pages.some(({ name }) => name === shown.activePage)) return false
    state = republished(current(), report)
    const [oldPage, newPage] = [activePage(shown), activePage(state)].map(brief)
    emit('pageChanged', { newPage, oldPage })
    void render()
    view.say(PAGE_GONE)
    return true
  }

  function announceVisuals(shown: ReportState, only: readonly string[] | undefined) {
    const page = activePage(shown)
    for (const { name, title, type } of page.visuals) {
      if (only && !only.includes(name)) continue
      emit('visualRendered', { name, title, type }, { page: page.name, visual: name })
    }
  }

  function show(bookmark: Bookmark) {
    const before = current()
    state = bookmark.state
    tellPage(before, state)
    emit('bookmarkApplied', { bookmarkName: bookmark.name })
    void render()
  }

  function tellPage(before: ReportState, after: ReportState) {
    const [oldPage, newPage] = [activePage(before), activePage(after)].map(brief)
    if (oldPage?.name !== newPage?.name) emit('pageChanged', { newPage, oldPage })
  }

  return {
    state: current,
    load,
    /** Fetches in advance what a load with this report, token and options will request. */
    prefetch: ahead.begin,
    /** Draws a prepared report (phased embedding), or draws again. */
    render(options: LoadOptions = {}) {
      state = withOptions(current(), options)
      isPrepared = false
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
      const { report } = current()
      // A load that started in between has its own token, and must not be affected.
      const asked = loads
      const isCurrent = () => asked === loads && state !== undefined
      try {
        const { expiresAt } = await api.report(report.id, accessToken)
        if (!isCurrent()) return
        accept(accessToken, expiresAt)
      } catch (cause) {
        const failure = asProblem(cause)
        if (isCurrent()) emit('error', failure.body)
        throw failure
      }
      if (pageIsDue) void render()
    },

    setPage(name: unknown) {
      const before = current()
      const page = findPage(before, name)
      if (page.name === before.activePage) return
      state = withPage(before, page.name)
      tellPage(before, state)
      void render()
    },

    setFilters(scope: FilterScope, filters: Filter[]) {
      state = withFilters(current(), scope, filters)
      emit('filtersApplied', { filters }, scope)
      void render()
    },

    /** Cross-filters the other visuals of the page; undefined clears the selection. */
    select(selection: PageSelection | undefined) {
      const before = current()
      state = withSelection(before, selection)
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
      state = withDrill(before, visual, path)
      // When drilling clears the selection, all other visuals change too.
      void render(state.selection === before.selection ? [visual] : undefined)
    },

    setSlicer(scope: Required<FilterScope>, filters: Filter[]) {
      state = withSlicer(current(), scope, filters)
      emit('filtersApplied', { filters }, scope)
      void render()
    },

    resetFilters() {
      state = resetFilters(current())
      emit('filtersApplied', { filters: state.reportFilters })
      void render()
    },

    setSettings(settings: unknown) {
      state = withSettings(current(), settings)
      view.showReport(state, isDrawing)
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
      state = { ...current(), theme }
      view.showReport(state, isDrawing)
    },

    /** Returns the rows of one visual of any page, with the filters in force. */
    async visualData(scope: Required<FilterScope>): Promise<VisualData> {
      const shown = withPage(current(), findPage(current(), scope.page).name)
      const { name } = findVisual(activePage(shown), scope.visual)
      const result = (await loadPageData(api, token, shown, new AbortController().signal, [name]))[name]
      if (!result) throw problem(400, 'InvalidVisual', `${name} não mostra dados.`)
      if (result instanceof EmbedProblem) throw result
      return result
    },

    values: (request: Parameters<DataApi['values']>[2], signal: AbortSignal) =>
      api.values(current().report.id, token, request, signal),
  }
}

const PAGE_GONE =
  'A página que estava aberta não existe mais: o relatório foi publicado de novo. Esta é a primeira página.'

const brief = ({ name, displayName }: { name: string; displayName: string }) => ({ name, displayName })

/** Resolves after the next paint, or after 250 ms in hidden iframes, which do not paint. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const fallback = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(fallback)
      // Frame callbacks run right before the paint; the next task runs after it.
      setTimeout(resolve)
    })
  })
}
