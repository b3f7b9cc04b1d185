import './export-page.css'
import { CANVAS } from '../../canvas.ts'
import type { SheetFault } from '../../embed-contract.ts'
import type { DataApi } from '../data-api.ts'
import { describeFilter } from '../filter-text.ts'
import { EmbedProblem } from '../problem.ts'
import { createReportSession, type ReportSession } from '../report-session.ts'
import { activePage, filtersOnPage, findPage, findVisual, type ReportState } from '../report-state.ts'
import { el } from '../view/dom.ts'
import { isVisible } from '../view/filter-pane.ts'
import { createReportView, type ViewActions } from '../view/report-view.ts'
import { valueText } from '../view/value-looks.ts'

/** What the service hands over by script for each sheet; nothing of it stands in an address. */
export interface SheetTask {
  reportId: string
  token: string
  sheet: { page: string; visual?: string; bookmark?: object; filters: unknown[] }
}

/**
 * Draws pages of a report into sheets of paper, one below the other: with the screen that readers have, whose finished page is
 * then copied. Only the service's own browser opens this page.
 */
export function installExport(root: HTMLElement, api: DataApi) {
  const sheets = el('div', { class: 'sheets' })
  document.body.append(sheets)
  document.documentElement.classList.add('exporting')
  const screen = createScreen(root, counting(api))
  Object.assign(globalThis, {
    /** Answers why when it failed. */
    drawSheet: async (task: SheetTask): Promise<SheetFault | undefined> => {
      try {
        const sheet = sheetOf(await screen.draw(task), task.sheet.visual, root)
        sheets.append(sheet)
        for (const scroll of sheet.querySelectorAll<HTMLElement>('.table-body > .scroll')) tellOfRest(scroll)
        return undefined
      } catch (cause) {
        if (cause instanceof EmbedProblem) return { code: cause.body.message, message: cause.message }
        return { message: String(cause) }
      }
    },
  })
}

function sheetOf(state: ReportState, visualName: string | undefined, root: HTMLElement) {
  const page = activePage(state)
  const visual = visualName && findVisual(page, visualName).title
  const filters = filterLine(state)
  return el(
    'section',
    { class: 'sheet' },
    el(
      'header',
      {},
      el('h1', {}, state.report.name),
      el('p', {}, [page.displayName, visual].filter(Boolean).join(' · ')),
      filters && el('p', { class: 'sheet-filters' }, filters),
    ),
    copyOf(root.querySelector<HTMLElement>('.canvas')),
    el('footer', {}, el('span', {}, state.report.notice ?? ''), el('span', {}, drawnAt())),
  )
}

/** On paper nobody scrolls: how many rows and columns of a table have no room stands below it. */
function tellOfRest(scroll: HTMLElement) {
  const table = scroll.querySelector<HTMLTableElement>('.grid')
  if (!table) return
  const columns = hideCutColumns(scroll, table)
  const isCut = () => scroll.scrollHeight > scroll.clientHeight + 1
  // The height of a row is a finger's: on paper a low one is better than one that is left out.
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

/** A number that is cut would be read as another one. Answers how many columns there are of them. */
function hideCutColumns({ clientWidth, scrollWidth }: HTMLElement, table: HTMLTableElement): number {
  if (scrollWidth <= clientWidth + 1) return 0
  // Where only the room beside a number is cut, nothing is lost; nor is a heading a number.
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

/** The screen that readers have, without its panes: one for all sheets, so that only one page's charts are held. */
function createScreen(root: HTMLElement, api: ReturnType<typeof counting>) {
  let hear: (event: string, body: unknown) => void = () => undefined
  const view = createReportView(root, {
    ...nobodyThere,
    loadValues: (request, signal) => session.values(request, signal),
  })
  const session: ReportSession = createReportSession(api, view, (event, body) => hear(event, body))

  return {
    /** Until the page stands there with all its data; rejects as the embedder would hear it. */
    async draw({ reportId, token, sheet }: SheetTask): Promise<ReportState> {
      const { page, visual, bookmark, filters } = sheet
      const panes = { filters: { visible: false, expanded: false }, pageNavigation: { visible: false } }
      await new Promise<void>((resolve, reject) => {
        hear = (event, body) => {
          if (event === 'rendered') resolve()
          if (event === 'error') reject(new EmbedProblem(500, body as EmbedProblem['body']))
          if (event !== 'loaded') return
          try {
            // A page that is gone would be another one.
            findPage(session.state(), page)
            if (visual) session.setSettings(alone(session.state(), page, visual))
          } catch (cause) {
            reject(cause)
          }
        }
        const load = { settings: { panes }, filters, pageName: page, ...(bookmark && { bookmark }) }
        void session.load(reportId, token, load, true)
      })
      // Slicers ask for their values once they stand there.
      await api.settled()
      await document.fonts.ready
      return session.state()
    },
  }
}

/** A custom layout in which one visual has the whole page. */
function alone(state: ReportState, page: string, visual: string) {
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
/** Who would press, pick and turn pages. */
const nobodyThere: ViewActions = {
  choosePage: nothing,
  changeFilters: nothing,
  loadValues: () => Promise.resolve({ values: [], truncated: false }),
  retry: nothing,
  applyBookmark: nothing,
  picked: nothing,
  clearPick: nothing,
  drillTo: nothing,
  slice: nothing,
  press: nothing,
}

/** The same calls, and a way to wait until none is under way. */
function counting(api: DataApi) {
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
    /** Quiet for two looks, so that what an answer leads to has begun. */
    async settled() {
      for (let quiet = 0; quiet < 2; quiet = open ? 0 : quiet + 1) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

/** As it stands there now; what was drawn on a canvas becomes a picture. */
function copyOf(page: HTMLElement | null): HTMLElement {
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

function filterLine(state: ReportState): string {
  const looks = state.report.values ?? {}
  const labels = new Map(
    state.report.filterPane.map(({ target, label }) => [`${target.table}/${target.column}`, label]),
  )
  return filtersOnPage(state, state.activePage)
    .filter(isVisible)
    .map((filter) => {
      const { table, column } = filter.target
      const words = describeFilter(filter, (value) => valueText(value, undefined, looks))
      return words === 'todos' ? '' : `${labels.get(`${table}/${column}`) ?? column} ${words}`
    })
    .filter(Boolean)
    .join('; ')
}

const drawnAt = () =>
  new Date().toLocaleString('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  })
