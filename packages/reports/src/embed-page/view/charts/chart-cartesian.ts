import { isRecord } from '../../../definitions/is-record.ts'
import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { numberOf } from '../style/column-format.ts'
import { formatAxis, formatInFull, formatLabel } from '../style/format.ts'
import { widest } from '../style/text-width.ts'
import { categoryAxis, valueAxis } from './chart-axes.ts'
import { barSeries, totalSeries } from './chart-bars.ts'
import { type ChartContext, DIMMED, isDimmed } from './chart-context.ts'
import { type ChartPlan, planChart, type SeriesDrawing } from './chart-plan.ts'
import { asList, type ChartVisual, merge, type Part, type Series } from './chart-series.ts'
import { legendNames, legendPitch, legendRows } from './legend-rows.ts'

/** Builds lines, areas, columns and bars. `colors` are those of the series, in order. */
export const cartesianParts = (
  visual: ChartVisual,
  series: Series[],
  data: VisualData,
  room: ChartContext,
  colors: string[],
): Part => {
  const plan = planChart(visual, series, data, room)
  const axes = [...new Set(series.map(({ axis }) => axis))].toSorted()
  const values = (axes.length ? axes : [0]).map((axis) =>
    valueAxis(
      series.find((one) => one.axis === axis),
      plan,
      room,
      axis,
    ),
  )
  const valueAxes = values.length === 1 ? values[0] : values
  const category = categoryAxis(plan, room)
  // The text of a mark line is at its end, outside the plot.
  const mark = plan.horizontal ? 0 : Math.max(0, ...series.map((one) => markWidth(one, plan.labelSize)))
  const total = totalSeries(series, plan, room)
  const drawn = series.map((one, index) => {
    const color = colors[index % colors.length] ?? room.theme.muted
    const above = series.slice(index + 1)
    return merge(oneSeries({ visual, one, above, plan, data, room, color }), one.own)
  })
  return {
    grid: {
      left: 2,
      right: plan.horizontal && (plan.labelled || total) ? plan.labelWidth + 10 : 8 + mark,
      top: topRoom(plan, legendNames(visual, series), room),
      bottom: 5,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: { trigger: 'axis', axisPointer: { type: plan.bars ? 'shadow' : 'line' } },
    // The totals series must not appear in the legend, where it could be switched off.
    ...(total && { legend: { data: series.map(({ name }) => name) } }),
    xAxis: plan.horizontal ? valueAxes : category,
    yAxis: plan.horizontal ? category : valueAxes,
    series: total ? [...drawn, total] : drawn,
  }
}

/** Pixels above the plot: for the legend, or for the values on top of the columns. */
const topRoom = (plan: ChartPlan, names: string[], room: ChartContext): number => {
  const { text } = room
  const values = (plan.labelled || plan.totals) && !plan.horizontal
  const rows = legendRows(names, room)
  if (rows) return Math.round((values ? 44 : 32) * text) + (rows - 1) * legendPitch(text)
  return values || (!plan.horizontal && plan.tones.some((tone) => tone)) ? Math.round(20 * text) : 8
}

const markText = (name: string, value: Cell, { format }: Series) =>
  [name, formatAxis(value, format)].filter(Boolean)

/** Pixels that the texts of a series' mark lines need next to the plot. */
const markWidth = (one: Series, size: number): number => {
  const { markLine } = one.own
  if (!isRecord(markLine)) return 0
  const lines = asList(markLine.data).map(({ name, yAxis }) =>
    markText(String(name ?? ''), typeof yAxis === 'number' ? yAxis : null, one),
  )
  return Math.round(widest(lines.flat(), size)) + 4
}

const oneSeries = (drawing: SeriesDrawing): Part => {
  const { one, plan, data, room } = drawing
  const columnIndex = data.columns.indexOf(one.value)
  const base = {
    type: one.type,
    name: one.name,
    cursor: room.pickable ? 'pointer' : 'default',
    encode: plan.horizontal ? { x: one.value, y: one.category } : { x: one.category, y: one.value },
    tooltip: {
      valueFormatter: (_: Cell, row: number) => formatInFull(data.rows[row]?.[columnIndex], one.format),
    },
    emphasis: { focus: plan.single ? 'none' : 'series' },
    label: {
      formatter: ({ dataIndex }: { dataIndex: number }) =>
        formatLabel(data.rows[dataIndex]?.[columnIndex] ?? null, one.format),
      color: room.theme.strong,
      fontSize: plan.labelSize,
      fontWeight: 500,
    },
    labelLayout: { hideOverlap: true },
    markLine: {
      symbol: 'none',
      lineStyle: { color: room.theme.muted, type: [4, 4], width: 1 },
      label: {
        // Bar categories run downwards, so a vertical line starts at the top.
        position: plan.horizontal ? 'start' : 'end',
        color: room.theme.muted,
        fontSize: plan.labelSize,
        lineHeight: plan.labelSize * 1.2,
        formatter: ({ name, value }: { name: string; value: Cell }) =>
          markText(name, value, one).join(plan.horizontal ? ' ' : '\n'),
      },
    },
  }
  return merge(base, one.type === 'line' ? lineSeries(drawing) : barSeries(drawing))
}

/** A selected point of a line is shown as a dot, and the line is dimmed. */
const lineSeries = ({ visual: { type }, one, plan, data, room, color }: SeriesDrawing): Part => {
  const picked = room.selectedRows !== undefined
  const isStacked = one.stack !== undefined
  const lone = hasLonePoint(data, one.value)
  return {
    smooth: isStacked ? 0 : 0.2,
    symbol: 'circle',
    showSymbol: picked || lone || data.rows.length < 3,
    ...((picked || lone) && { showAllSymbol: true }),
    symbolSize: picked
      ? (_: unknown, { dataIndex }: { dataIndex: number }) => (isDimmed(room, dataIndex) ? 0 : 9)
      : 7,
    // Stacked areas are separated by a line in the background colour.
    lineStyle: isStacked
      ? { width: 1, color: room.theme.surface, opacity: 1 }
      : { width: 2.5, opacity: picked ? 0.45 : 1 },
    ...(isStacked && { stack: one.stack, areaStyle: { color, opacity: picked ? DIMMED : 0.82 } }),
    ...(!isStacked && (plan.single || type === 'area') && { areaStyle: faded(color, type === 'area') }),
  }
}

/** Returns whether a value has no neighbours, so that no line reaches it. */
const hasLonePoint = ({ columns, rows }: VisualData, column: string): boolean => {
  const columnIndex = columns.indexOf(column)
  const isThere = (index: number) => numberOf(rows[index]?.[columnIndex]) !== undefined
  return rows.some((_, index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1))
}

/** Colours of the definition may be names or rgb(…): those get an opacity instead of a gradient. */
const faded = (color: string, area: boolean) =>
  /^#[0-9a-f]{6}$/i.test(color) ? { color: fade(color, area) } : { color, opacity: area ? 0.25 : 0.12 }

const fade = (color: string, area: boolean) => ({
  type: 'linear',
  x: 0,
  y: 0,
  x2: 0,
  y2: 1,
  colorStops: [
    { offset: 0, color: `${color}${area ? '66' : '33'}` },
    { offset: 1, color: `${color}${area ? '0d' : '03'}` },
  ],
})
