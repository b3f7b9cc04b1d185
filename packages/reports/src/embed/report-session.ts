import type { Cell, Filter, VisualData } from '../embed-contract.ts'
import { applyNamed, applyWritten, type Bookmark, captureBookmark } from './bookmarks.ts'
import type { DataApi } from './data-api.ts'
import { initialState, type LoadOptions, withOptions } from './load-options.ts'
import { loadPageData, type PageResult } from './page-data.ts'
import { createPrefetch } from './prefetch.ts'
import { asProblem, EmbedProblem, fatal, isExpired, isGone, problem } from './problem.ts'
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
} from './report-state.ts'
import type { ReportTheme } from './report-theme.ts'
import { createTokenClock } from './token-clock.ts'

/** Rows that are on their way, for as long as the signal lasts. */
interface Asked {
  signal: AbortSignal
  result: Promise<PageResult>
}

/** Sends an event to the embedder, about the report, a page or a visual. */
export type Emit = (event: string, body: unknown, scope?: FilterScope) => void

/** What the session asks of the screen. */
export interface ReportView {
  showLoading(): void
  /** Nothing can be drawn: says why, with a way to retry when there is one. */
  showFailure(problem: EmbedProblem, retry?: () => void): void
  /** Frame, tabs, panes and, where a page is new, its skeletons. Busy: rows are fetched, of all visuals or of `only` these. */
  showReport(state: ReportState, busy: boolean, only?: readonly string[]): void
  /** Resolves when the rows are on the screen. */
  drawPage(state: ReportState, result: PageResult, signal: AbortSignal): Promise<void>
  /** Has this page drawn out of sight, for `showReport` of the same; given back with the signal. */
  drawAhead(state: ReportState, result: PageResult, signal: AbortSignal): void
  /** Steps through these bookmarks; none ends it. */
  presentBookmarks(bookmarks: readonly { name: string; displayName: string }[]): void
  /** Lists of values may be out of date: they are asked for again. */
  refreshValues(): void
  /** A sentence that the reader has to know, beside what is drawn. */
  say(sentence: string): void
  /** As `say`, of a choice that could not be followed: what shows choices goes back to those in force. */
  refuse(sentence: string): void
  /** The data call of the page failed: keeps the frame and says so in place. */
  failPage(problem: EmbedProblem): void
}

export type ReportSession = ReturnType<typeof createReportSession>

/** The report of this frame: its state, its token, and the order of what is loaded and drawn. */
export function createReportSession(api: DataApi, view: ReportView, emit: Emit) {
  let state: ReportState | undefined
  let token = ''
  let tokenEnded = false
  /** How many loads there have been: what was asked for before the last one is of no use any more. */
  let loads = 0
  let drawing = new AbortController()
  /** True from the moment a page has to be drawn until it is; a new token then draws it. */
  let pageIsDue = false
  /** Loaded in phases: whatever changes meanwhile, nothing is drawn before the embedder says so. */
  let isPrepared = false
  /** A page that is due is under way: it has neither come nor failed. */
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

  /** Runs until `loaded`; everything that goes wrong is an `error` event, since the message was answered before. */
  async function load(id: string, accessToken: string, options: LoadOptions, thenRender: boolean) {
    const signal = begin()
    loads++
    clock.stop()
    state = undefined
    pageIsDue = false
    isPrepared = !thenRender
    try {
      // Where nothing may be seen before the embedder says so, nothing stands already.
      if (!thenRender) ahead.drop()
      const source = ahead.take(id, accessToken, signal)
      // Asked for before what was shown is taken away.
      const defined = source.report(id, accessToken, signal)
      view.showLoading()
      const report = await defined
      if (signal.aborted) return
      state = initialState(report, options)
      accept(accessToken, report.expiresAt)
      // Asked for before the page is laid out: the service works meanwhile.
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
      emit('error', fatal(failure))
    }
  }

  function accept(accessToken: string, expiresAt: number) {
    token = accessToken
    tokenEnded = false
    clock.arm(expiresAt)
  }

  /** Fetches and draws the active page, or some of its visuals. A newer call makes this one end in silence. */
  async function render(wanted?: readonly string[]) {
    const shown = current()
    if (isPrepared) return
    ahead.drop()
    // What an earlier call was still fetching is due as well.
    const only = pageIsDue ? undefined : wanted
    const signal = begin()
    const result = loadPageData(api, token, shown, signal, only)
    result.catch(() => undefined)
    view.showReport(shown, true, only)
    await draw(shown, { signal, result }, only)
  }

  /** Draws what has been asked for, once it is there; its page stands already, and waits. */
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

  /** Whether the report was published without the page that is open: then it is opened as it is now, on its first page. */
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
    /** Has fetched what a load of this report, with this token and these options, will ask for. */
    prefetch: ahead.begin,
    /** Draws a prepared report (phased embedding), or draws again. */
    render(options: LoadOptions = {}) {
      state = withOptions(current(), options)
      isPrepared = false
      void render()
    },
    /** What is shown, from the data as they are now. */
    refresh() {
      current()
      view.refreshValues()
      void render()
    },
    /** The page again, or one visual of it. */
    retry: (visual?: string) => void render(visual === undefined ? undefined : [visual]),

    /** Proves the new token before the old one is let go. A drawn page stays as it is; one that waited is drawn now. */
    async setToken(accessToken: string) {
      const { report } = current()
      // A load that came meanwhile brought its own token, perhaps of another report, and hears nothing of this one.
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

    /** Narrows the other visuals of the page to what was picked in one; undefined takes it back. */
    select(selection: PageSelection | undefined) {
      const before = current()
      state = withSelection(before, selection)
      const sources = [before.selection?.visual, selection?.visual]
      const others = activePage(state).visuals.filter(({ name, ignoresSelection }) => {
        if (ignoresSelection) return false
        // The one picked in is as it was, unless it was narrowed by the pick before.
        return sources.some((source) => source !== undefined && source !== name)
      })
      void render(others.map(({ name }) => name))
    },

    /** Opens the hierarchy of a visual of the active page down to what lies below the values. */
    drillTo(visual: string, path: Cell[]) {
      const before = current()
      state = withDrill(before, visual, path)
      // Without the pick that it took back, the other visuals change too.
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

    /** One of the author's bookmarks, by its name. */
    applyBookmark(name: unknown) {
      show(applyNamed(current(), name))
    },

    /** What `captureBookmark` gave, perhaps long ago. */
    applyBookmarkState(text: unknown) {
      show(applyWritten(current(), text))
    },

    /** powerbi-models' BookmarksPlayMode: 1 presents the author's bookmarks one by one, 0 ends that. */
    playBookmarks(mode: unknown) {
      const { bookmarks } = current().report
      if (mode !== 0 && mode !== 1) throw problem(400, 'InvalidParameters', 'playMode deve ser 0 ou 1.')
      if (mode === 1 && !bookmarks.length)
        throw problem(400, 'InvalidParameters', 'Este relatório não tem marcadores.')
      view.presentBookmarks(mode === 1 ? bookmarks : [])
    },

    captureBookmark: (options: { allPages?: unknown } = {}) => captureBookmark(current(), options),

    /** Undefined brings the house colours back. */
    setTheme(theme: ReportTheme | undefined) {
      state = { ...current(), theme }
      view.showReport(state, isDrawing)
    },

    /** The rows of one visual of any page, as it shows them now. */
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

/** Resolves once the next frame is painted, or after 250 ms where frames are held back (off-screen and hidden iframes). */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const fallback = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(fallback)
      // A frame's callbacks come right before it is painted; the next task, after.
      setTimeout(resolve)
    })
  })
}
