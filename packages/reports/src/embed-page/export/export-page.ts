import './export-page.css'
import { CANVAS } from '../../definitions/canvas.ts'
import { PORTAL_ZONE } from '../../definitions/time-zone.ts'
import type { SheetFault } from '../../wire/embed-contract.ts'
import type { SheetBrand } from '../../wire/sheet-brand.ts'
import type { DataApi } from '../session/data-api.ts'
import { createReportSession, type ReportSession } from '../session/report-session.ts'
import { dataTimeText } from '../state/caption.ts'
import { filterLines } from '../state/page-filters.ts'
import { EmbedProblem } from '../state/problem.ts'
import { activePage, findPage, findVisual, type ReportState } from '../state/report-state.ts'
import { createReportView, type ViewActions } from '../view/page/report-view.ts'
import { el } from '../view/style/dom.ts'
import { brandMark } from './sheet-brand.ts'

/** What the service passes by script for each sheet, never in a URL. */
export interface SheetTask {
  reportId: string
  token: string
  sheet: { page: string; visual?: string; bookmark?: object; filters: unknown[] }
  brand?: SheetBrand
}

/**
 * Installs `drawSheet`, which renders report pages as sheets of paper, one below the other. It uses
 * the readers' screen and copies the finished page. Only the service's own browser opens it.
 */
export const installExport = (root: HTMLElement, api: DataApi) => {
  const sheets = el('div', { class: 'sheets' })
  document.body.append(sheets)
  document.documentElement.classList.add('exporting')
  const screen = createScreen(root, counting(api))
  Object.assign(globalThis, {
    /** Returns the fault when the sheet could not be drawn. */
    drawSheet: async (task: SheetTask): Promise<SheetFault | undefined> => {
      try {
        const mark = task.brand && (await brandMark(task.brand))
        const sheet = sheetOf(await screen.draw(task), task.sheet.visual, root, mark)
        if (task.brand?.color) sheet.style.setProperty('--company-line', `2px solid ${task.brand.color}`)
        sheets.append(sheet)
        for (const scroll of sheet.querySelectorAll<HTMLElement>('.table-body > .scroll')) showRest(scroll)
        return undefined
      } catch (cause) {
        if (cause instanceof EmbedProblem) return { code: cause.body.message, message: cause.message }
        return { message: String(cause) }
      }
    },
  })
}

const sheetOf = (
  { state, dataTime }: { state: ReportState; dataTime: string | undefined },
  visualName: string | undefined,
  root: HTMLElement,
  mark: HTMLElement | undefined,
) => {
  const page = activePage(state)
  const visual = visualName && findVisual(page, visualName).title
  const filterWords = filterLines(state, state.activePage).join('; ')
  const title = [
    el('h1', {}, state.report.name),
    el('p', {}, [page.displayName, visual].filter(Boolean).join(' · ')),
  ]
  const filters = filterWords && el('p', { class: 'sheet-filters' }, filterWords)
  const branded = () => [
    el('div', { class: 'sheet-lines' }, el('div', { class: 'sheet-title' }, ...title), filters),
    mark,
  ]
  return el(
    'section',
    { class: 'sheet' },
    el('header', {}, ...(mark ? branded() : [...title, filters])),
    copyOf(root.querySelector<HTMLElement>('.canvas')),
    el(
      'footer',
      {},
      el('span', {}, state.report.notice ?? ''),
      el('span', {}, [dataTimeText(dataTime), `exportado em ${drawnAt()}`].filter(Boolean).join(' · ')),
    ),
  )
}

/** Paper does not scroll: states below a table how many rows and columns do not fit. */
const showRest = (scroll: HTMLElement) => {
  const table = scroll.querySelector<HTMLTableElement>('.grid')
  if (!table) return
  const [firstRow] = table.tBodies[0]?.rows ?? []
  const drawn = firstRow?.cells.length ?? 0
  // The sentence counts the columns on the screen.
  const sentence = scroll.parentElement?.querySelector<HTMLElement>('.cut-columns')
  const note = sentence?.parentElement
  sentence?.remove()
  if (note) note.hidden = note.textContent.trim() === ''
  const undrawn = Math.max(Number(table.getAttribute('aria-colcount')) - drawn, 0)
  const columns = hideCutColumns(scroll, table) + undrawn
  const isCut = () => scroll.scrollHeight > scroll.clientHeight + 1
  // The row height is made for fingers; on paper, low rows are better than omitted rows.
  if (isCut()) scroll.parentElement?.style.setProperty('--row', '24px')
  if (!columns && !isCut()) return
  const rest = el('p', { class: 'truncated' }, 'e mais')
  scroll.after(rest)
  const rows = [...table.tBodies].flatMap((body) => [...body.rows])
  const fixed = (table.tHead?.rows.length ?? 0) + (table.tFoot?.rows.length ?? 0)
  const all = Number(table.getAttribute('aria-rowcount')) - fixed
  while (rows.length && isCut()) rows.pop()?.remove()
  rest.textContent = `e mais ${[counted(all - rows.length, 'linha'), counted(columns, 'coluna')].filter(Boolean).join(' e ')}`
}

/** Hides cut columns, since a cut number would be misread. Returns their count. */
const hideCutColumns = ({ clientWidth, scrollWidth }: HTMLElement, table: HTMLTableElement): number => {
  if (scrollWidth <= clientWidth + 1) return 0
  // A cell whose padding alone is cut loses nothing, and a heading is not a number.
  const isCut = (cell: HTMLElement) =>
    cell.tagName === 'TD' &&
    cell.offsetLeft + cell.offsetWidth - Number.parseFloat(getComputedStyle(cell).paddingRight) > clientWidth
  const cut = [...table.rows].map((row) => [...row.cells].filter(isCut))
  const start = Math.min(...cut.flat().map(({ offsetLeft }) => offsetLeft))
  for (const cell of [...table.rows].flatMap((row) => [...row.cells]))
    if (cell.offsetLeft >= start - 1) cell.style.visibility = 'hidden'
  return Math.max(0, ...cut.map((cells) => cells.length))
}

const counted = (count: number, name: string) =>
  count > 0 && `${count.toLocaleString('pt-BR')} ${name}${count === 1 ? '' : 's'}`

/** The readers' screen without panes, shared by all sheets: one page's charts are in memory. */
const createScreen = (root: HTMLElement, api: ReturnType<typeof counting>) => {
  let hear: (event: string, body: unknown) => void = () => undefined
  const view = createReportView(root, {
    ...nobodyThere,
    loadValues: (request, signal) => session.values(request, signal),
  })
  const session: ReportSession = createReportSession(api, view, (event, body) => hear(event, body))

  return {
    /** Resolves when the page is drawn with its data; rejects with the embedder's error. */
    async draw({ reportId, token, sheet }: SheetTask) {
      const { page, visual, bookmark, filters } = sheet
      const panes = { filters: { visible: false, expanded: false }, pageNavigation: { visible: false } }
      await new Promise<void>((resolve, reject) => {
        hear = (event, body) => {
          if (event === 'rendered') resolve()
          if (event === 'error') reject(new EmbedProblem(500, body as EmbedProblem['body']))
          if (event !== 'loaded') return
          try {
            // An unknown page name would fall back to another page.
            findPage(session.state(), page)
            if (visual) session.setSettings(alone(session.state(), page, visual))
          } catch (cause) {
            reject(cause)
          }
        }
        const load = { settings: { panes }, filters, pageName: page, ...(bookmark && { bookmark }) }
        void session.load(reportId, token, load, true)
      })
      // Slicers request their values after they are drawn.
      await api.settled()
      await document.fonts.ready
      return { state: session.state(), dataTime: session.dataTime() }
    },
  }
}

/** A custom layout that gives one visual the whole page. */
const alone = (state: ReportState, page: string, visual: string) => {
  const { name } = findVisual(findPage(state, page), visual)
  const layouts = findPage(state, page).visuals.map((other) => [
    other.name,
    other.name === name
      ? { x: 24, y: 24, width: CANVAS.width - 48, height: CANVAS.height - 48, displayState: { mode: 0 } }
      : { displayState: { mode: 1 } },
  ])
  return {
    layoutType: 1,
    customLayout: {
      displayOption: 0,
      pagesLayout: { [page]: { visualsLayout: Object.fromEntries(layouts) } },
    },
  }
}

const nothing = () => undefined
/** No reader uses this screen, so reader actions do nothing. */
const nobodyThere: ViewActions = {
  choosePage: nothing,
  changeFilters: nothing,
  loadValues: () => Promise.resolve({ values: [], kind: 'text', truncated: false }),
  retry: nothing,
  applyBookmark: nothing,
  picked: nothing,
  clearPick: nothing,
  drillTo: nothing,
  slice: nothing,
  press: nothing,
  command: nothing,
  caption: () => ({ report: '', page: '', dataTime: '', filters: [] }),
}

/** Wraps the calls, and can wait until none is running. */
const counting = (api: DataApi) => {
  let open = 0
  const counted =
    <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      open += 1
      try {
        return await call(...given)
      } finally {
        open -= 1
      }
    }
  return {
    report: counted(api.report),
    pageData: counted(api.pageData),
    values: counted(api.values),
    emptyReasons: counted(api.emptyReasons),
    /** Checks twice, so that requests that an answer triggers have started. */
    async settled() {
      for (let quiet = 0; quiet < 2; quiet = open ? 0 : quiet + 1) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

/** Copies the page as drawn; canvases become images. */
const copyOf = (page: HTMLElement | null): HTMLElement => {
  if (!page) throw new Error('the page was not drawn')
  const copy = page.cloneNode(true) as HTMLElement
  const originals = page.querySelectorAll('canvas')
  for (const [index, canvas] of copy.querySelectorAll('canvas').entries()) {
    const original = originals[index]
    if (!original) continue
    const picture = el('img', { src: original.toDataURL(), alt: '' })
    const { width, height } = original.getBoundingClientRect()
    Object.assign(picture.style, { width: `${width}px`, height: `${height}px` })
    canvas.replaceWith(picture)
  }
  return copy
}

const drawnAt = () =>
  new Date().toLocaleString('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: PORTAL_ZONE,
  })
