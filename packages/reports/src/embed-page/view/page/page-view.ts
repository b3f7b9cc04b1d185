import { ownValue } from '@bi-manager/contract/own-value'
import { CANVAS } from '../../../definitions/canvas.ts'
import { visualTypes } from '../../../definitions/visual-types.ts'
import type { PageResult } from '../../session/page-data.ts'
import { atLevel } from '../../state/drill-level.ts'
import type { EmptyText } from '../../state/empty-text.ts'
import { kindOfColumn } from '../../state/filter-words.ts'
import type { EmbeddedPage, ReportState } from '../../state/report-state.ts'
import { pathOf } from '../../state/selection.ts'
import { chartsOf } from '../charts/load-charts.ts'
import { type PageLayout, readingOrder } from '../layout/page-layout.ts'
import { printGrid, widenIntoGaps } from '../layout/print-grid.ts'
import { stackedColumns, stackedPlaces } from '../layout/stacked-places.ts'
import { columnFormat, levelFormat } from '../style/column-format.ts'
import { el } from '../style/dom.ts'
import { createNotice } from '../style/notice.ts'
import { nameText, type ValueFormats } from '../style/value-formats.ts'
import { alignCards } from '../visual/align-cards.ts'
import { createVisualFrame, type VisualActions, type VisualFrame } from '../visual/visual-frame.ts'

/** Creates the visuals of one page on their canvas. */
export const createPageView = (page: EmbeddedPage, valueFormats: ValueFormats, actions: VisualActions) => {
  const element = el('div', { class: 'canvas' })
  const ordered = readingOrder(page.visuals)
  const frames: VisualFrame[] = ordered.map((visual, index, all) => {
    // Landmarks with equal names are indistinguishable, so duplicates get a number.
    const twins = all.slice(0, index).filter(({ title }) => title === visual.title).length
    return createVisualFrame(
      visual,
      twins ? `${visual.title} (${twins + 1})` : visual.title,
      valueFormats,
      actions,
    )
  })
  element.append(...frames.map((frame) => frame.element))
  /** Announces selections and drill-downs to screen readers. */
  const spoken = el('p', { class: 'hidden-text', 'aria-live': 'polite' })
  element.append(spoken)
  let message: HTMLElement | undefined
  let shownAhead: PageResult | undefined
  let marked: ReportState | undefined

  // Loads the charts before the rows arrive. A failure is retried in `draw`.
  chartsOf(page).catch(() => {})

  /** DOM order is the reading order, which is also that of the keyboard. */
  function order(wanted: VisualFrame[]) {
    const isAt = (frame: VisualFrame, index: number) => element.children[index] === frame.element
    if (!wanted.every(isAt)) element.prepend(...wanted.map((frame) => frame.element))
  }

  function stack(layout: PageLayout) {
    const places = stackedPlaces(page, layout)
    const placed = places.flatMap(({ name }) => frames.find(({ visual }) => visual.name === name) ?? [])
    order([...placed, ...frames.filter((frame) => !placed.includes(frame))])
    for (const frame of frames)
      frame.stack(
        layout,
        places.find(({ name }) => name === frame.visual.name),
      )
  }

  /** Lays out the printed page, without controls that have nothing to print. */
  function print(layout: PageLayout) {
    const shown = frames.filter((frame) => !frame.element.hidden)
    const isPrinted = ({ visual }: VisualFrame) => visualTypes[visual.type].isPrinted
    const printed = shown.filter(isPrinted)
    const boxOf = (frame: VisualFrame) => ({
      ...frame.visual.layout,
      ...ownValue(layout.moved, frame.visual.name),
      grows: frame.isCut(),
    })
    const left = shown.filter((frame) => !isPrinted(frame)).map(boxOf)
    const { columns, rows, areas } = printGrid(widenIntoGaps(printed.map(boxOf), left), layout.y)
    Object.assign(element.style, { gridTemplateColumns: columns, gridTemplateRows: rows, height: '' })
    printed.forEach((frame, index) => {
      frame.element.classList.toggle('grows', frame.isCut())
      frame.print(areas[index] ?? '')
    })
    element.classList.add('printed')
  }

  return {
    element,
    page,
    place(layout: PageLayout) {
      element.classList.remove('printed')
      element.classList.toggle('phone', layout.isStacked)
      element.classList.toggle('portrait', layout.portrait && page.phone !== undefined)
      const canvas = layout.canvas ?? CANVAS
      element.classList.toggle('two-columns', layout.isStacked && stackedColumns(page, layout) === 2)
      Object.assign(element.style, {
        width: layout.isStacked ? '' : `${canvas.width * layout.x}px`,
        height: layout.isStacked ? '' : `${canvas.height * layout.y}px`,
        gridTemplateColumns: '',
        gridTemplateRows: '',
      })
      if (layout.isStacked) stack(layout)
      else {
        order(frames)
        for (const frame of frames) frame.place(layout)
        if (layout.printed) print(layout)
      }
      for (const frame of frames) frame.resize()
    },
    /** Marks selection and drill paths at once; their rows arrive later. */
    mark(state: ReportState) {
      const { selection } = state
      const change = marked && describeChange(page, marked, state, valueFormats)
      if (change !== undefined) spoken.textContent = change
      marked = state
      for (const frame of frames) {
        const { name, ignoresSelection } = frame.visual
        const own = selection?.visual === name
        const marks = { selection: own ? selection.value : undefined, path: pathOf(state, frame.visual) }
        frame.mark(marks, selection !== undefined && !own && !ignoresSelection)
        frame.follow(state)
      }
    },
    /** Marks all visuals, or these, as loading. */
    waiting(only?: readonly string[]) {
      message?.remove()
      message = undefined
      element.classList.remove('failed')
      for (const frame of frames) if (!only || only.includes(frame.visual.name)) frame.waiting()
    },
    /**
     * Draws the rows. `pause` is awaited before each chart. What is drawn when the signal aborts
     * stays, and is not drawn again.
     */
    async draw(result: PageResult, signal: AbortSignal, pause?: () => Promise<unknown>) {
      const charts = await chartsOf(page)
      if (pause) await pause()
      if (signal.aborted) return
      for (const frame of frames) {
        const data = ownValue(result, frame.visual.name)
        // Visuals that were not fetched again, or were drawn ahead, stay as they are.
        if (data && data !== ownValue(shownAhead, frame.visual.name)) frame.show(data, charts)
        else frame.settled()
      }
      shownAhead = pause && result
      alignCards(element)
      for (const frame of frames) {
        if (!frame.isUnpainted()) continue
        if (pause) await pause()
        if (signal.aborted) return
        frame.paint()
      }
    },
    explainEmpty(texts: Readonly<Record<string, EmptyText>>) {
      for (const frame of frames) {
        const text = ownValue(texts, frame.visual.name)
        if (text) frame.explain(text)
      }
    },
    refreshValues() {
      for (const frame of frames) frame.refreshValues()
    },
    fail(title: string, detail: string | undefined, retry: (() => void) | undefined) {
      message = createNotice(title, detail, retry)
      element.classList.add('failed')
      element.append(message)
    },
    dispose() {
      for (const frame of frames) frame.dispose()
      element.remove()
    },
  }
}

/** Describes what was selected, cleared or drilled since; undefined when nothing was. */
const describeChange = (
  page: EmbeddedPage,
  before: ReportState,
  after: ReportState,
  valueFormats: ValueFormats,
) => {
  const { selection } = after
  if (selection !== before.selection) {
    if (!selection) return 'Seleção desfeita.'
    const visual = page.visuals.find(({ name }) => name === selection.visual)
    const select = visual && atLevel(visual, pathOf(after, visual)).select
    const kind = select && kindOfColumn(after.report, select.target)
    const format = columnFormat(kind, ownValue(visual?.format, select?.column ?? ''), () => [selection.value])
    const picked = nameText(selection.value, format, valueFormats)
    return `${visual?.title}: ${picked} selecionado. Os outros visuais mostram só o que pertence a essa seleção.`
  }
  const opened = page.visuals.find(
    (visual) => pathOf(before, visual) !== pathOf(after, visual) && visual.drill,
  )
  if (!opened || before.drill === after.drill) return undefined
  const path = pathOf(after, opened).map((value, level) =>
    nameText(value, levelFormat(opened, level, value), valueFormats),
  )
  const level = opened.drill?.levels[path.length]?.label ?? ''
  return `${opened.title}: ${[...path, `por ${level}`].join(', ')}.`
}
