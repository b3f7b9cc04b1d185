import { ownValue } from '@bi-manager/contract/own-value'
import { hasQuery, type VisualBody, visualTypes } from '../../../definitions/visual-types.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import type { Caption } from '../../state/caption.ts'
import { atLevel } from '../../state/drill-level.ts'
import type { EmptyText, WayBack } from '../../state/empty-text.ts'
import { type MenuCommand, menuCommands } from '../../state/menu-commands.ts'
import { asProblem, EmbedProblem } from '../../state/problem.ts'
import { type ReportState, slicerOf } from '../../state/report-state.ts'
import { type ChartRoom, createChartBody, type VisualMarks } from '../charts/chart-body.ts'
import { isChart } from '../charts/chart-series.ts'
import type { Charts } from '../charts/load-charts.ts'
import { type ControlActions, controls } from '../controls/control-visual.ts'
import type { PageLayout } from '../layout/page-layout.ts'
import type { StackedPlace } from '../layout/stacked-places.ts'
import { buttonWith, el, uniqueId } from '../style/dom.ts'
import { createNotice } from '../style/notice.ts'
import type { ValueFormats } from '../style/value-formats.ts'
import { createGridBody, type GridBody } from '../tables/grid-body.ts'
import { createReadableTable } from '../tables/readable-table.ts'
import { createCard, createVerdict } from './card.ts'
import { createDrillCrumbs } from './drill-crumbs.ts'
import { createSkeleton } from './skeleton.ts'
import { createMenuButton, showsHeader } from './visual-header.ts'
import type { Picture } from './visual-picture.ts'

export type VisualFrame = ReturnType<typeof createVisualFrame>

export interface VisualActions extends ControlActions {
  /** Called when a row was picked: a point of a chart, or a cell of a table. */
  picked(visual: EmbeddedVisual, data: VisualData, row: number): void
  /** Clears the selection of the page. */
  clearPick(): void
  /** Drills the visual's hierarchy down along these values. */
  drillTo(visual: EmbeddedVisual, path: Cell[]): void
  /** Called when the reader chose one of the embedder's commands in the menu of a visual. */
  command(visual: EmbeddedVisual, name: string): void
  /** Returns what a picture says of the page. */
  caption(): Caption
  /** Fetches one visual again, or the whole page. */
  retry(visual?: string): void
}

/** Creates one visual: its heading, and a body with a skeleton, a drawing, or a message. */
export const createVisualFrame = (
  visual: EmbeddedVisual,
  label: string,
  valueFormats: ValueFormats,
  actions: VisualActions,
) => {
  const clearPick = () => {
    actions.clearPick()
    // The button disappears: keyboard focus moves into the visual.
    body.querySelector<HTMLElement>('[tabindex="0"], button')?.focus()
  }
  const clearButton = buttonWith(clearPick, { class: 'clear-pick', hidden: true }, 'Limpar seleção')
  const worth = el('span', { class: 'visual-worth' })
  const tools = el('div', { class: 'visual-tools' }, clearButton)
  const crumbs =
    visual.drill && createDrillCrumbs(visual, valueFormats, (path) => actions.drillTo(visual, path))
  const { type } = visual
  const control = hasQuery(type) ? undefined : controls[type](visual, valueFormats, actions)
  const first = hasQuery(type) ? createSkeleton(type) : control?.element
  const body = el('div', { class: 'visual-body' }, first)
  const status = el('p', { class: 'visual-status', role: 'status' })
  const element = el(
    'section',
    {
      class: `visual visual-${type}`,
      'data-name': visual.name,
      'aria-label': label,
      'aria-busy': !control && 'true',
    },
    el(
      'header',
      {},
      el(
        'div',
        { class: 'visual-heading' },
        el(
          'div',
          { class: 'title-row' },
          el('h2', { id: uniqueId('title'), title: visual.title }, visual.title),
          worth,
        ),
        visual.subtitle && el('p', { class: 'subtitle', title: visual.subtitle }, visual.subtitle),
      ),
      tools,
    ),
    crumbs?.element,
    body,
    status,
  )
  let chart: ReturnType<typeof createChartBody> | undefined
  let grid: GridBody | undefined
  let charts: Charts | undefined
  let drawn: { visual: EmbeddedVisual; data: VisualData; path: readonly Cell[] } | undefined
  let marks: VisualMarks = { selection: undefined, path: [] }
  let room: ChartRoom = { text: 1, printed: false }
  let narrowed = false
  const { body: kind } = visualTypes[type]
  const isGrid = kind === 'table' || kind === 'matrix'
  /** The reader chose to see the rows instead of the chart. */
  let asTable = false
  /** The chart has rows that are not drawn yet. */
  let isUnpainted = false
  let commands: readonly MenuCommand[] = []

  const menu = createMenuButton({
    visual: () => drawn?.visual ?? visual,
    valueFormats,
    data: () => drawn?.data,
    rows: () => grid?.rows(),
    commands: () => commands,
    trigger: (name) => actions.command(visual, name),
    picture,
    asTable: isGrid ? undefined : { isOn: () => asTable, set: showAsTable },
    say,
  })
  if (!control) tools.append(menu)

  /** Tables have none: one picture cannot hold all their rows. */
  function picture(): Picture | undefined {
    if (!drawn || isGrid || asTable) return undefined
    const { theme } = room
    const { title, subtitle } = drawn.visual
    const verdict = worth.textContent
    const caption = actions.caption()
    const notes = chart?.notes()
    return { element, body, title, verdict, subtitle, notes, theme, chart: chart?.toCanvas, caption }
  }

  function showAsTable(on: boolean) {
    asTable = on
    element.classList.toggle('as-table', on)
    const data = drawn?.data
    if (data)
      attempt(() => {
        clear()
        draw(data)
        paint()
      })
  }

  /** Shows a message below the visual for eight seconds. */
  function say(sentence: string) {
    status.textContent = sentence
    setTimeout(() => {
      if (status.textContent === sentence) status.textContent = ''
    }, 8000)
  }

  /** While new rows are loading, a click would select from rows of the previous selection. */
  const isBusy = () => element.hasAttribute('aria-busy')
  const pick = (data: VisualData, row: number) => {
    if (!isBusy()) actions.picked(visual, data, row)
  }

  function undo(): boolean {
    if (marks.selection !== undefined) actions.clearPick()
    else if (marks.path.length) actions.drillTo(visual, marks.path.slice(0, -1))
    else return false
    return true
  }

  function clear() {
    chart?.dispose()
    chart = undefined
    // A table keeps the reader's order, even when an answer has no rows.
    if (!isGrid) grid = undefined
    drawn = undefined
    isUnpainted = false
    worth.replaceChildren()
    body.replaceChildren()
  }

  /** An error caused by the author's options affects only this visual. */
  function attempt(drawing: () => void) {
    try {
      drawing()
    } catch (cause) {
      fail(asProblem(cause))
    }
  }

  function fail(problem: EmbedProblem) {
    clear()
    body.append(createNotice(...failureSentences(problem), () => actions.retry(visual.name)))
  }

  function draw(data: VisualData) {
    if (!data.rows.length) {
      clear()
      body.append(emptyNotice())
      return
    }
    const atItsLevel = atLevel(visual, marks.path)
    drawn = { visual: atItsLevel, data, path: marks.path }
    if (asTable) drawGrid(atItsLevel, data)
    else drawings[kind](atItsLevel, data)
  }

  const drawings: Record<VisualBody, (visual: EmbeddedVisual, data: VisualData) => void> = {
    card: drawCard,
    chart: drawChart,
    table: drawGrid,
    matrix: drawGrid,
    control() {},
  }

  function drawCard(_visual: EmbeddedVisual, data: VisualData) {
    body.replaceChildren(createCard(visual, data), createReadableTable(visual, data, valueFormats))
    worth.replaceChildren(...[createVerdict(visual, data)].filter((verdict) => verdict !== undefined))
  }

  function drawGrid(atItsLevel: EmbeddedVisual, data: VisualData) {
    // Another level of the hierarchy has other columns.
    if (!isGrid && grid?.visual !== atItsLevel) grid = undefined
    grid ??= createGridBody(atItsLevel, valueFormats, (row) => drawn && pick(drawn.data, row))
    grid.draw(data, marks.selection)
    if (grid.element.parentElement !== body) body.replaceChildren(grid.element)
  }

  function drawChart(atItsLevel: EmbeddedVisual, data: VisualData) {
    if (!charts || !isChart(atItsLevel)) throw new TypeError('the script of the charts is not loaded')
    if (!chart) {
      chart = createChartBody(charts, valueFormats, { picked: pick, cleared: () => void undoPick(), undo })
      body.replaceChildren(...chart.elements)
    }
    chart.take(atItsLevel, data, marks)
    isUnpainted = true
  }

  function paint() {
    if (!isUnpainted) return
    isUnpainted = false
    chart?.draw(marks, room, true)
  }

  const undoPick = () => marks.selection !== undefined && actions.clearPick()

  const emptyNotice = () =>
    narrowed
      ? createNotice('Sem dados para a seleção', 'Nada aqui pertence ao que foi escolhido em outro visual.')
      : createNotice('Sem dados para os filtros escolhidos')

  /** Replaces the general sentence of an empty visual, unless something else is shown by now. */
  function explain(text: EmptyText) {
    const [title, detail, wayBack] = text
    const isOfSelection = wayBack !== undefined && wayBack.path === undefined
    if (drawn || narrowed !== isOfSelection || isBusy() || !body.querySelector('.notice[role="status"]'))
      return
    // A card has room for one sentence only.
    const isShort = detail !== undefined && kind === 'card'
    const notice = createNotice(title, isShort ? undefined : detail)
    if (isShort) {
      notice.title = detail
      notice.append(el('span', { class: 'hidden-text' }, detail))
    } else if (wayBack) notice.append(buttonWith(() => goBack(wayBack), { class: 'retry' }, wayBack.label))
    body.replaceChildren(notice)
  }

  function goBack({ path }: WayBack) {
    if (path) actions.drillTo(visual, [...path])
    else actions.clearPick()
  }

  /** Draws the chart again in another size or with other marks. */
  function redraw() {
    if (!isUnpainted) attempt(() => chart?.draw(marks, room, false))
  }

  return {
    element,
    visual,
    tools,
    /** Places the visual on the canvas; `resize` then redraws its chart. */
    place(layout: PageLayout) {
      const moved = ownValue(layout.moved, visual.name)
      const { x, y, width, height } = { ...visual.layout, ...moved }
      room = layout
      element.hidden = moved?.displayState?.mode === HIDDEN
      element.classList.remove('whole-row')
      Object.assign(element.style, {
        ...nowhere,
        left: `${x * layout.x}px`,
        top: `${y * layout.y}px`,
        width: `${width * layout.x}px`,
        height: `${height * layout.y}px`,
      })
      if (layout.printed) grid?.drawAll()
    },
    /** Places the visual in the stacked layout; hides it without a place. */
    stack(layout: PageLayout, place: StackedPlace | undefined) {
      room = layout
      element.hidden = !place
      element.classList.toggle('whole-row', place?.whole === true)
      const height = place?.height && `${place.height * layout.text}px`
      Object.assign(element.style, { ...nowhere, ...(height && { height, maxHeight: 'none' }) })
    },
    /** Places it in the grid of a printed page. */
    print(area: string) {
      Object.assign(element.style, { ...nowhere, gridArea: area })
    },
    /** Whether some rows do not fit on the canvas: when printed, it grows. */
    isCut: () => grid?.isCut() === true,
    resize: redraw,
    /** Applies the header setting and the slicer's filters. */
    follow(state: ReportState) {
      menu.hidden = !showsHeader(state.settings, visual)
      commands = menuCommands(state.settings, visual)
      control?.update(slicerOf(state, state.activePage, visual.name))
    },
    /** Fetches a slicer's values again: the data may have changed. */
    refreshValues: () => control?.refresh(),
    /** Sets selection and drill path; `byOthers`: another visual's selection filters it. */
    mark(next: VisualMarks, byOthers: boolean) {
      const changed = next.selection !== marks.selection
      marks = next
      narrowed = byOthers
      clearButton.hidden = next.selection === undefined
      crumbs?.show(next.path)
      if (changed && grid && drawn) grid.draw(drawn.data, next.selection)
      else if (changed) redraw()
    },
    show(result: VisualData | EmbedProblem, given: Charts | undefined) {
      element.removeAttribute('aria-busy')
      charts = given
      if (result instanceof EmbedProblem) fail(result)
      else attempt(() => draw(result))
    },
    explain,
    isUnpainted: () => isUnpainted,
    /**
     * Draws the chart of `show`. Called after `show` of all visuals, so that the page is laid out
     * once for all charts.
     */
    paint: () => attempt(paint),
    waiting() {
      if (!control) element.setAttribute('aria-busy', 'true')
    },
    settled() {
      element.removeAttribute('aria-busy')
    },
    dispose: clear,
  }
}

const nowhere = { left: '', top: '', width: '', height: '', maxHeight: '', gridArea: '' }

/** VisualContainerDisplayMode of powerbi-models. */
const HIDDEN = 1

const failureSentences = ({ body, message }: EmbedProblem): [string, string] =>
  body.message === 'QueryTimeout'
    ? ['Este visual demorou demais.', 'Tente novamente, ou use filtros que reduzam os dados.']
    : ['Não foi possível mostrar este visual.', message]
