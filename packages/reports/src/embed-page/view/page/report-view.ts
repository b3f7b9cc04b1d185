import type { Filter } from '../../../wire/embed-contract.ts'
import type { ReportView } from '../../session/session-view.ts'
import { isExpired } from '../../state/problem.ts'
import { activePage, type FilterScope, paneVisibility, type ReportState } from '../../state/report-state.ts'
import { visualLayouts } from '../../state/visual-moves.ts'
import { countFilters, createFilterPane } from '../controls/filter-pane.ts'
import type { LoadValues } from '../controls/value-picker.ts'
import { layOut, type PageLayout } from '../layout/page-layout.ts'
import { createPrintCaption } from '../layout/print-caption.ts'
import { watchColorScheme } from '../style/color-scheme.ts'
import { buttonWith, el, setAttributes } from '../style/dom.ts'
import { createNotice } from '../style/notice.ts'
import { createColorStyle } from '../style/report-colors.ts'
import type { ReportTheme } from '../style/theme.ts'
import type { VisualActions } from '../visual/visual-frame.ts'
import { createPageTabs, PANEL_ID, tabId } from './page-tabs.ts'
import { createPageView } from './page-view.ts'
import { createPrefetchedPage } from './prefetched-page.ts'

/** Creates the bar that steps through the author's bookmarks in a presentation. */
const createBookmarkBar = (
  bookmarks: readonly { name: string; displayName: string }[],
  choose: (name: string) => void,
  end: () => void,
) => {
  let current = -1
  const title = el('p', { class: 'presentation-title', role: 'status' })
  const move = (step: number) => {
    current = (current + step + bookmarks.length) % bookmarks.length
    const { name, displayName } = bookmarks[current] ?? { name: '', displayName: '' }
    title.textContent = `${displayName} (${current + 1} de ${bookmarks.length})`
    choose(name)
  }
  return {
    element: el(
      'nav',
      { class: 'presentation', 'aria-label': 'Apresentação de marcadores' },
      buttonWith(() => move(-1), {}, 'Anterior'),
      title,
      buttonWith(() => move(1), {}, 'Próximo'),
      buttonWith(end, {}, 'Sair'),
    ),
    /** Shows the first one. */
    start: () => move(1),
  }
}

export interface ViewActions extends VisualActions {
  choosePage(name: string): void
  changeFilters(scope: FilterScope, filters: Filter[]): void
  loadValues: LoadValues
  applyBookmark(name: string): void
}

/** Creates the screen of the frame: page, tabs below, filters at the right. */
export const createReportView = (root: HTMLElement, actions: ViewActions): ReportView => {
  const tabs = createPageTabs(actions.choosePage)
  const filters = createFilterPane({
    loadValues: actions.loadValues,
    change: actions.changeFilters,
    slice: actions.slice,
    close: () => toggleFilters(false),
  })
  const filterToggle = buttonWith(() => toggleFilters(!filtersOpen), {
    class: 'filter-toggle',
    'aria-controls': 'filters',
  })

  const title = el('h1', { class: 'hidden-text' })
  const progress = el('div', { class: 'progress', role: 'status' })
  const messageLine = el('p', { class: 'told', role: 'status' })
  const panel = el('div', { class: 'panel', id: PANEL_ID, tabindex: 0 })
  const note = el('p', { class: 'note' })
  const printCaption = createPrintCaption()
  const bar = el('nav', { class: 'bar', 'aria-label': 'Navegação do relatório' }, tabs.element, filterToggle)
  const main = el('main', { class: 'page' }, title, printCaption.element, progress, messageLine, panel, note)
  const frame = el('div', { class: 'report' }, main, filters.element, bar)

  let shown: ReportState | undefined
  let page: ReturnType<typeof createPageView> | undefined
  let filtersOpen = false
  let printing = false
  /** Pixels that the caption takes from a printed sheet. */
  let captionHeight = 0
  const ahead = createPrefetchedPage(panel, actions)
  /** The layout, as JSON, that the page already has. */
  let placedLayout: string | undefined
  let presentation: ReturnType<typeof createBookmarkBar> | undefined

  const applyColors = createColorStyle()
  /** The embedder's colours in force: they outlast a report until the next one is shown. */
  let colors: ReportTheme | undefined
  function setColors(theme: ReportTheme | undefined) {
    if (theme === colors) return
    colors = theme
    applyColors(theme)
  }

  let messageTimer: ReturnType<typeof setTimeout> | undefined
  function showMessage(sentence: string) {
    clearTimeout(messageTimer)
    messageLine.textContent = sentence
    messageTimer = setTimeout(() => {
      messageLine.textContent = ''
    }, MESSAGE_MS)
  }

  function present(bookmarks: Parameters<ReportView['presentBookmarks']>[0]) {
    presentation?.element.remove()
    presentation = undefined
    if (!bookmarks.length) return
    presentation = createBookmarkBar(bookmarks, actions.applyBookmark, () => present([]))
    main.append(presentation.element)
    presentation.start()
  }

  function toggleFilters(open: boolean) {
    filtersOpen = open
    if (shown) arrange(shown)
    const next = open ? filters.element.querySelector<HTMLElement>('summary, button') : filterToggle
    next?.focus()
  }

  function arrange(state: ReportState) {
    const panes = paneVisibility(state)
    const open = panes.filters && filtersOpen
    const active = activePage(state)
    showPanes(panes, open)
    const count = countFilters(state)
    filterToggle.textContent = count ? `Filtros (${count})` : 'Filtros'
    setAttributes(filterToggle, { 'aria-expanded': String(open) })
    setAttributes(panel, {
      role: panes.pages ? 'tabpanel' : 'group',
      'aria-labelledby': panes.pages && tabId(active.name),
      'aria-label': !panes.pages && active.displayName,
    })
    const isNew = page !== undefined && !panel.contains(page.element)
    if (isNew) {
      panel.scrollTo(0, 0)
      tabs.reveal(active.name)
    }
    // Measured before the page is attached, so that it is laid out once, with its data.
    place()
    if (page && isNew) panel.prepend(page.element)
  }

  function showPanes(panes: ReturnType<typeof paneVisibility>, filtersStandOpen: boolean) {
    tabs.element.hidden = !panes.pages
    filterToggle.hidden = !panes.filters
    bar.hidden = !panes.pages && !panes.filters
    filters.element.hidden = !filtersStandOpen
  }

  function setNote({ report }: ReportState) {
    note.textContent = report.notice ?? ''
    note.hidden = !report.notice
  }

  const setText = ({ text }: PageLayout) => document.documentElement.style.setProperty('--text', String(text))
  const readText = () => document.documentElement.style.getPropertyValue('--text')

  /** In an empty frame: lays the frame out invisibly, with the panes of this report. */
  function stage(state: ReportState) {
    setNote(state)
    tabs.update(state.report.pages, state.activePage)
    showPanes(paneVisibility(state), false)
    frame.classList.remove('phone')
    frame.classList.add('ahead')
    main.append(note)
    root.append(frame)
  }

  const unstage = () => {
    if (frame.classList.contains('ahead')) frame.remove()
  }

  function place() {
    if (!shown || !page) return
    const layout = layoutOf(shown)
    if (!layout) return
    frame.classList.toggle('phone', layout.isStacked)
    setText(layout)
    if (placedLayout !== JSON.stringify(layout)) page.place(layout)
    placedLayout = undefined
    // On a phone the notice follows the page; elsewhere it stays visible below, and in print it
    // comes first.
    if (printing) panel.before(note)
    else if (layout.isStacked) panel.append(note)
    else main.append(note)
  }

  function layoutOf(state: ReportState): PageLayout | undefined {
    const size = printing
      ? { ...PRINTED, height: PRINTED.height - captionHeight }
      : { width: panel.clientWidth, height: panel.clientHeight }
    if (!size.width || !size.height) return undefined
    const moved = visualLayouts(state, state.activePage)
    return {
      ...layOut(size, printing ? {} : state.settings, printing ? 1 : state.zoom, printing),
      theme: state.theme,
      moved,
    }
  }

  function showPage(state: ReportState) {
    const active = activePage(state)
    if (page?.page === active) {
      // The visible report changes, and comes first.
      ahead.drop()
      return
    }
    leavePage()
    const drawn = ahead.take(state)
    placedLayout = drawn && JSON.stringify(drawn.layout)
    page = drawn?.page ?? createPageView(active, state.report.values ?? {}, actions)
  }

  /** Removes the page at once; its charts are disposed of after the next page is drawn. */
  function leavePage() {
    const left = page
    page = undefined
    if (!left) return
    left.element.remove()
    setTimeout(left.dispose, DRAWN_MS)
  }

  new ResizeObserver(place).observe(panel)
  watchColorScheme(() => {
    ahead.drop()
    place()
  })
  window.addEventListener('keydown', (event) => {
    // Menus and lists close first, and prevent the default.
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (filtersOpen && filters.element.contains(document.activeElement)) toggleFilters(false)
    else if (shown?.selection) actions.clearPick()
  })
  function setPrinting(on: boolean, zoom = '') {
    printing = on
    captionHeight = printCaption.show(on && shown ? actions.caption() : undefined, PRINTED.width)
    document.documentElement.style.zoom = zoom
    ahead.drop()
    // Printed pages are light, whatever the background on the screen.
    applyColors(printing ? undefined : colors)
    place()
  }
  window.addEventListener('beforeprint', () => setPrinting(true))
  window.addEventListener('afterprint', () => setPrinting(false))
  // WebKitGTK prints without these events and in the printer's format, whatever the style sheet says.
  window.matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches === printing) return
    const { clientWidth } = document.documentElement
    setPrinting(matches, matches ? String(Math.min(1, clientWidth / PRINTED.width)) : '')
  })

  return {
    presentBookmarks: present,
    showLoading() {
      present([])
      // The message was about the previous report.
      clearTimeout(messageTimer)
      messageLine.textContent = ''
      leavePage()
      shown = undefined
      root.replaceChildren(
        el(
          'div',
          { class: 'opening', role: 'status' },
          el('span', { class: 'hidden-text' }, 'Carregando o relatório'),
        ),
      )
    },
    showFailure({ message }, retry) {
      root.replaceChildren(
        el('main', { class: 'failure' }, createNotice('Não foi possível abrir o relatório', message, retry)),
      )
    },
    showReport(state, busy, only) {
      const opened = shown?.report !== state.report
      if (opened) {
        document.title = state.report.name
        title.textContent = state.report.name
        setNote(state)
        filtersOpen = state.settings.panes?.filters?.expanded ?? window.innerWidth >= ROOMY
        leavePage()
        frame.classList.remove('ahead')
        root.replaceChildren(frame)
      } else if (state.settings.panes?.filters?.expanded !== shown?.settings.panes?.filters?.expanded) {
        filtersOpen = state.settings.panes?.filters?.expanded ?? filtersOpen
      }
      shown = state
      setColors(state.theme)
      tabs.update(state.report.pages, state.activePage)
      filters.update(state)
      showPage(state)
      if (busy) page?.waiting(only)
      page?.mark(state)
      progress.classList.toggle('busy', busy)
      arrange(state)
    },
    async drawPage(_state, result, signal) {
      await page?.draw(result, signal)
      if (!signal.aborted) progress.classList.remove('busy')
    },
    explainEmpty(texts) {
      page?.explainEmpty(texts)
    },
    drawAhead(state, result, signal) {
      // A prefetched page is drawn without selection and drill paths, in the default colours.
      if (printing || shown?.theme || state.theme || state.selection || Object.keys(state.drill).length)
        return
      if (!shown) {
        // The filter pane may be open, which is only known once the report is shown.
        if (paneVisibility(state).filters) return
        stage(state)
        signal.addEventListener('abort', unstage)
      }
      const layout = layoutOf(state)
      if (!layout || layout.isStacked || frame.classList.contains('phone')) return
      if (!shown) setText(layout)
      // The visible report has its own text size.
      else if (readText() !== String(layout.text)) return
      ahead.draw(state, result, layout, signal)
    },
    refreshValues() {
      filters.refreshValues()
      page?.refreshValues()
    },
    showMessage,
    showRefusal(sentence) {
      showMessage(sentence)
      if (!shown) return
      filters.update(shown)
      page?.mark(shown)
    },
    failPage(problem) {
      progress.classList.remove('busy')
      if (isExpired(problem))
        page?.fail(
          'O acesso a este relatório expirou',
          'A página volta assim que ele for renovado.',
          undefined,
        )
      else page?.fail('Não foi possível carregar esta página', problem.message, () => actions.retry())
    },
  }
}

/** Milliseconds: time to read two sentences twice. */
const MESSAGE_MS = 20_000
/** Milliseconds after which a page is drawn on most machines. */
const DRAWN_MS = 1000
/** Frames at least this wide start with the filters open. */
const ROOMY = 1200
/** A4 landscape at 96 dpi, less 10 mm margins and the heading. */
const PRINTED = { width: 1040, height: 640 }
