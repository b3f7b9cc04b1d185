import { ownValue } from '@bi-manager/contract/own-value'
import { BarChart, HeatmapChart, LineChart, PieChart, ScatterChart } from 'echarts/charts'
import {
  AriaComponent,
  DatasetComponent,
  GridComponent,
  LegendScrollComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components'
import { init, setPlatformAPI, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { isRecord } from '../../../definitions/is-record.ts'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf } from '../style/column-format.ts'
import { rangeOf, toneNames, toneOf } from '../style/conditional-formats.ts'
import { el, prefersStillness } from '../style/dom.ts'
import { formatAxis } from '../style/format.ts'
import { chartTheme } from '../style/report-colors.ts'
import type { ReportTheme, Theme } from '../style/theme.ts'
import { nameText, type ValueFormats, valueText } from '../style/value-formats.ts'
import { columnHeading } from '../tables/column-heading.ts'
import { heatColumns } from './chart-heatmap.ts'
import { listenToKeys } from './chart-keyboard.ts'
import { chartOption } from './chart-option.ts'
import { asList, type ChartVisual, type Part } from './chart-series.ts'

/** Describes one row for screen readers: 'Bradesco: Sinistralidade 82,3%, Atenção; 2 de 4'. */
export const pointText = (
  visual: EmbeddedVisual,
  data: VisualData,
  index: number,
  valueFormats: ValueFormats,
): string => {
  const { columns, kinds, rows } = data
  const row = rows[index] ?? []
  const [name = '', ...facts] = columns.map((column, columnIndex) => {
    const write = columnIndex === 0 ? nameText : valueText
    const text = write(row[columnIndex], formatOf(visual, data, column), valueFormats)
    const tone = toneOf(ownValue(visual.conditional, column), row[columnIndex], kinds[columnIndex])
    if (columnIndex === 0) return text
    return [`${columnHeading(visual, column)} ${text}`, tone && toneNames[tone]].filter(Boolean).join(', ')
  })
  return `${[name, facts.join('; ')].filter(Boolean).join(': ')}; ${index + 1} de ${rows.length}`
}

/** Creates the colour scale of a heat map, between its minimum and maximum. */
const createHeatLegend = (visual: EmbeddedVisual, data: VisualData, { scale }: Theme): HTMLElement => {
  const { value } = heatColumns(visual, data)
  const [least, greatest] = rangeOf(data, value) ?? [0, 0]
  const strip = el('span', { class: 'heat-strip', 'aria-hidden': 'true' })
  strip.style.backgroundImage = `linear-gradient(90deg, ${scale.join(', ')})`
  return el(
    'div',
    { class: 'heat-legend' },
    el('span', { class: 'heat-name' }, ownValue(visual.labels, value)),
    el('span', {}, formatAxis(least, formatOf(visual, data, value))),
    strip,
    el('span', {}, formatAxis(greatest, formatOf(visual, data, value))),
  )
}

// Canvas, since the SVG renderer writes style attributes, which the Content-Security-Policy
// forbids.
use([
  BarChart,
  HeatmapChart,
  LineChart,
  PieChart,
  ScatterChart,
  AriaComponent,
  DatasetComponent,
  GridComponent,
  LegendScrollComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  LabelLayout,
  CanvasRenderer,
])

// WebKitGTK prints a canvas that its GPU painted as a black rectangle, so the processor paints all.
// A canvas keeps the attributes of its first context, which ECharts then finds.
setPlatformAPI({
  createCanvas() {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d', { willReadFrequently: true })
    return canvas
  },
})

/** What a chart shows. `selectedRows` are the rows of the selected point, if any. */
export interface ChartView {
  visual: ChartVisual
  data: VisualData
  /** Sentences below the chart: how it differs from the definition, and what is left out. */
  notes?: readonly string[] | undefined
  text: number
  printed: boolean
  /** The embedder's colours, if it set some. */
  theme?: ReportTheme | undefined
  pickable: boolean
  selectedRows: ReadonlySet<number> | undefined
}

export interface ChartActions {
  picked(row: number): void
  /** Called for a click on the empty plot. */
  cleared(): void
  /** Called for Esc; returns false when there was nothing to undo. */
  undo(): boolean
}

/** Mounts a chart in `host`. Reports the row that was picked by pointer or keys. */
export const mountChart = (
  host: HTMLElement,
  valueFormats: ValueFormats,
  { picked, cleared, undo }: ChartActions,
) => {
  const plot = el('div', { class: 'plot' })
  const spoken = el('p', { class: 'hidden-text', 'aria-live': 'polite' })
  host.replaceChildren(plot, spoken)
  // With a given size, ECharts does not read it from the page, which would force a layout per
  // chart.
  const chart = init(plot, undefined, { renderer: 'canvas', ...leastSize })
  let shown: ChartView | undefined
  let series: Part[] = []
  let frame = ''
  let hit = false

  const downplay = () => chart.dispatchAction({ type: 'downplay' })
  /** ECharts misses the end of a hover on touch, and over elements that a redraw removed. */
  const forgetPointer = () => {
    chart.dispatchAction({ type: 'hideTip' })
    downplay()
  }
  plot.addEventListener('mouseleave', forgetPointer)
  // After a tap the tooltip stays, so that it can be read.
  for (const event of ['touchend', 'touchcancel']) plot.addEventListener(event, downplay)

  const pick = (row: number) => {
    forgetPointer()
    picked(row)
  }

  chart.on('click', ({ componentType, data, dataIndex }) => {
    hit = true
    const point: unknown = data
    const row = isRecord(point) && typeof point.row === 'number' ? point.row : dataIndex
    if (componentType === 'series' && shown?.pickable && typeof row === 'number') pick(row)
  })
  // Runs before the chart's own event of the same click, which tells whether a point was hit.
  chart.getZr().on('click', ({ target, offsetX, offsetY }) => {
    hit = false
    queueMicrotask(() => {
      if (hit || !shown) return
      const row = nearestRow(offsetX, offsetY)
      if (row !== undefined) pick(row)
      // Elements that are no points, such as the band behind a bar, count as the background.
      else if (!target || isOnPlot(offsetX, offsetY)) cleared()
    })
  })

  const isOnPlot = (x: number, y: number) =>
    series.some(({ type }) => type !== 'pie') && chart.containPixel('grid', [x, y])

  /** Points of lines are too small to hit: the whole strip of a category selects its point. */
  function nearestRow(x: number, y: number): number | undefined {
    const lines = series.length > 0 && series.every(({ type }) => type === 'line')
    if (!lines || !shown?.pickable || !isOnPlot(x, y)) return undefined
    const [row] = asNumbers(chart.convertFromPixel('grid', [x, y]))
    return row !== undefined && pointOf(row, shown, series) ? row : undefined
  }

  function pointAt(row: number, view: ChartView) {
    const point = pointOf(row, view, series)
    downplay()
    if (!point) return
    chart.dispatchAction({ type: 'highlight', notBlur: true, ...point })
    chart.dispatchAction({ type: 'showTip', ...point })
  }

  const keys = listenToKeys(host, () => shown, {
    pick: (row) => shown?.pickable && pointOf(row, shown, series) && picked(row),
    undo,
    leave() {
      forgetPointer()
      spoken.textContent = ''
    },
    visit(row) {
      if (!shown) return
      pointAt(row, shown)
      const isPicked = shown.selectedRows?.has(row) ? ', selecionado' : ''
      spoken.textContent = `${pointText(shown.visual, shown.data, row, valueFormats)}${isPicked}`
    },
  })

  return {
    draw(view: ChartView, fresh: boolean) {
      const { visual, data, text, printed, selectedRows } = view
      const theme = chartTheme(view.theme, printed)
      const marked = selectedRows ? [...selectedRows].join() : ''
      const before = shown
      shown = view
      if (visual.type === 'heatmap') {
        host.querySelector('.heat-legend')?.remove()
        plot.before(createHeatLegend(visual, data, theme))
      }
      host.querySelector('.chart-note')?.remove()
      // The name of the chart has the same sentences.
      if (view.notes?.length)
        plot.after(el('p', { class: 'chart-note', 'aria-hidden': 'true' }, view.notes.join(' ')))
      const size = sizeOf(plot)
      const now = `${size.width} ${size.height} ${text} ${theme.name} ${printed}`
      const moved = now !== frame
      const remarked = marked !== (before?.selectedRows ? [...before.selectedRows].join() : '')
      if (!fresh && !moved && !remarked) return
      frame = now
      if (fresh) keys.forget()
      chart.resize(size)
      // A resize during an animation would leave the shapes unfinished.
      if (!fresh && moved) chart.clear()
      // The first drawing is not animated: the frames of four charts would take longer than their
      // data.
      const animated = before !== undefined && (fresh || !moved) && !prefersStillness()
      const { pickable } = view
      const room = { ...size, text, animated, printed, theme, valueFormats, selectedRows, pickable }
      if (before) forgetPointer()
      const option = chartOption(visual, data, room)
      series = asList(option.series)
      chart.setOption(option, { notMerge: true })
      const at = keys.at()
      if (at !== undefined) pointAt(at, view)
      // Browsers may pause frames (off-screen iframe, printing): draw now.
      chart.getZr().flush()
    },
    toCanvas(pixelRatio: number): HTMLCanvasElement {
      forgetPointer()
      return chart.renderToCanvas({ pixelRatio, backgroundColor: 'transparent' })
    },
    dispose() {
      // Progressive painting would continue in the next frame without a canvas; an empty paint ends
      // it.
      const canvas = chart.getZr()
      canvas.clear()
      canvas.refreshImmediately()
      chart.dispose()
    },
  }
}

const leastSize = { width: 40, height: 40 }

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(clientWidth, leastSize.width),
  height: Math.max(clientHeight, leastSize.height),
})

const asNumbers = (input: unknown): number[] =>
  Array.isArray(input) ? input.filter((value) => typeof value === 'number') : []

/** Finds the ECharts item of a row, in the first series that has a value there. */
const pointOf = (row: number, { data }: ChartView, series: Part[]) => {
  for (const [seriesIndex, one] of series.entries()) {
    const points = Array.isArray(one.data) ? one.data : data.rows.map((value) => ({ value }))
    const dataIndex = points.findIndex(
      (point, index) => (isRecord(point) ? (point.row ?? index) : index) === row,
    )
    const encode = isRecord(one.encode) ? one.encode : {}
    const column = data.columns.indexOf(String(one.type === 'pie' ? encode.value : encode.y))
    const empty = !Array.isArray(one.data) && data.rows[row]?.[column] == null
    if (dataIndex >= 0 && !empty) return { seriesIndex, dataIndex }
  }
  return undefined
}
