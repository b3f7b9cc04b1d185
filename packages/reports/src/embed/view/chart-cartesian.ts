import type { Cell, EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import type { ChartRoom } from './chart-room.ts'
import { isPart, merge, type Part, type Series } from './chart-series.ts'
import { formatAxis, formatCell, formatLabel } from './format.ts'
import { widest } from './text-width.ts'
import { valueColor } from './value-looks.ts'

/** Lines, columns and bars. `colors` are those of the series, in order. */
export function cartesianParts(
  visual: EmbeddedVisual,
  series: Series[],
  data: VisualData,
  room: ChartRoom,
  colors: string[],
): Part {
  const plan = makePlan(visual, series, data, room)
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
  const marked = series.some(({ own }) => isPart(own.markLine))
  return {
    grid: {
      left: 2,
      right: plan.horizontal && plan.labelled ? plan.labelWidth + 10 : 8,
      top: topRoom(plan, series, room) + (marked ? Math.round(18 * room.text) : 0),
      bottom: 5,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: { trigger: 'axis', axisPointer: { type: plan.bars ? 'shadow' : 'line' } },
    xAxis: plan.horizontal ? valueAxes : category,
    yAxis: plan.horizontal ? category : valueAxes,
    series: series.map((one, index) =>
      merge(oneSeries(one, plan, data, room, colors[index % colors.length] ?? room.theme.muted), one.own),
    ),
  }
}

/** What the data allows in the room there is. */
interface Plan {
  horizontal: boolean
  bars: boolean
  stacked: boolean
  only: boolean
  /** Values are written at the bars, which makes the value axis superfluous. */
  labelled: boolean
  labelSize: number
  labelWidth: number
  /** Some bars point the other way. */
  signed: boolean
  /** Pixels of one category. */
  slot: number
  categories: string[]
}

function makePlan(visual: EmbeddedVisual, series: Series[], data: VisualData, room: ChartRoom): Plan {
  const [first] = series
  const horizontal = visual.type === 'bar'
  const bars = series.some(({ type }) => type === 'bar')
  const stacked = series.some(({ own }) => own.stack !== undefined)
  const only = series.length === 1
  const cells = (column: string | undefined) =>
    data.rows.map((row) => row[data.columns.indexOf(column ?? '')] ?? null)
  const categories = cells(first?.category).map((cell) => String(cell))
  const slot = (horizontal ? room.height : room.width - 50) / Math.max(data.rows.length, 1)
  const labelSize = Math.round(11 * room.text)
  const labelWidth = widest(
    cells(first?.value).map((cell) => formatLabel(cell, first?.format)),
    labelSize,
    500,
  )
  const fits = horizontal ? slot > labelSize * 1.35 : slot > labelWidth + 4
  return {
    horizontal,
    bars,
    stacked,
    only,
    labelled: only && bars && fits,
    labelSize,
    labelWidth,
    signed: only && bars && cells(first?.value).some((cell) => Number(cell) < 0),
    slot,
    categories,
  }
}

/** Room above the plot: for the legend, or for the values on top of the columns. */
function topRoom(plan: Plan, series: Series[], { text }: ChartRoom): number {
  if (series.length > 1) return Math.round(32 * text)
  return plan.labelled && !plan.horizontal ? Math.round(20 * text) : 8
}

const markText = (name: string, value: Cell, { format }: Series) =>
  [name, formatAxis(value, format)].filter(Boolean).join(' ')

function oneSeries(one: Series, plan: Plan, data: VisualData, room: ChartRoom, color: string): Part {
  const place = data.columns.indexOf(one.value)
  const base = {
    type: one.type,
    name: one.name,
    encode: plan.horizontal ? { x: one.value, y: one.category } : { x: one.category, y: one.value },
    tooltip: { valueFormatter: (value: Cell) => formatCell(value, one.format) },
    emphasis: { focus: plan.only ? 'none' : 'series' },
    selectedMode: 'single',
    label: {
      formatter: ({ value }: { value: Cell[] }) => formatLabel(value[place] ?? null, one.format),
      color: room.theme.strong,
      fontSize: plan.labelSize,
      fontWeight: 500,
    },
    labelLayout: { hideOverlap: true },
    markLine: {
      symbol: 'none',
      lineStyle: { color: room.theme.muted, type: [4, 4], width: 1 },
      label: {
        // Categories of bars run downwards, so a vertical line starts at the top.
        position: plan.horizontal ? 'start' : 'insideEndTop',
        color: room.theme.muted,
        fontSize: plan.labelSize,
        backgroundColor: room.theme.surface,
        padding: [1, 4],
        borderRadius: 3,
        formatter: ({ name, value }: { name: string; value: Cell }) => markText(name, value, one),
      },
    },
  }
  if (one.type === 'line') {
    return {
      ...base,
      smooth: 0.2,
      showSymbol: data.rows.length < 3,
      symbol: 'circle',
      symbolSize: 7,
      lineStyle: { width: 2.5 },
      ...(plan.only && { areaStyle: { color: fade(color) } }),
    }
  }
  return {
    ...base,
    barMaxWidth: Math.round(34 * room.text),
    barCategoryGap: '32%',
    itemStyle: { borderRadius: plan.stacked ? 0 : barEnd(plan.horizontal, false) },
    ...(plan.only && { data: eachBar(one, plan, data, room, color), dimensions: data.columns }),
    select: { itemStyle: { borderColor: room.theme.strong, borderWidth: 2 } },
    label: {
      ...base.label,
      show: plan.labelled,
      position: plan.horizontal ? 'right' : 'top',
      distance: 5,
    },
  }
}

/** Bars of one series: the colour of their value or of their sign, round and labelled at the end they point to. */
function eachBar(one: Series, plan: Plan, data: VisualData, room: ChartRoom, color: string): Part[] {
  const value = data.columns.indexOf(one.value)
  const category = data.columns.indexOf(one.category)
  const { theme, looks } = room
  const outside = plan.horizontal ? ['right', 'left'] : ['top', 'bottom']
  return data.rows.map((row) => {
    const below = Number(row[value]) < 0
    const sign = below ? theme.below : theme.above
    return {
      value: row,
      itemStyle: {
        color: plan.signed ? sign : (valueColor(String(row[category]), looks, theme.palette) ?? color),
        ...(!plan.stacked && { borderRadius: barEnd(plan.horizontal, below) }),
      },
      label: { position: outside[below ? 1 : 0] },
    }
  })
}

/** Corner radii, clockwise from the upper left. */
function barEnd(horizontal: boolean, below: boolean): number[] {
  if (horizontal) return below ? [4, 0, 0, 4] : [0, 4, 4, 0]
  return below ? [0, 0, 4, 4] : [4, 4, 0, 0]
}

function valueAxis(one: Series | undefined, plan: Plan, room: ChartRoom, axis: number): Part {
  return {
    type: 'value',
    splitNumber: room.height < 160 || (plan.horizontal && room.width < 400) ? 3 : 4,
    // Without its labels the axis need not end at a round number.
    ...(plan.labelled && plan.horizontal && { max: 'dataMax' }),
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: !plan.labelled && axis === 0, lineStyle: { color: room.theme.grid } },
    axisLabel: {
      show: !plan.labelled,
      color: room.theme.muted,
      fontSize: plan.labelSize,
      hideOverlap: true,
      formatter: (value: number) => formatAxis(value, one?.format),
    },
  }
}

function categoryAxis(plan: Plan, room: ChartRoom): Part {
  const fontSize = Math.round(11.5 * room.text)
  const longest = widest(plan.categories, fontSize)
  const label: Part = { color: plan.horizontal ? room.theme.strong : room.theme.muted, fontSize, margin: 10 }
  if (plan.horizontal) {
    const width = Math.min(longest + 2, room.width * 0.38)
    Object.assign(label, { width, overflow: 'truncate', hideOverlap: true })
  } else Object.assign(label, columnLabel(plan, longest, fontSize))
  return {
    type: 'category',
    inverse: plan.horizontal,
    boundaryGap: plan.bars,
    // Off zero, so that labels do not lie over negative bars.
    axisLine: { show: !plan.horizontal, onZero: !plan.horizontal, lineStyle: { color: room.theme.axis } },
    axisTick: { show: false },
    axisLabel: label,
  }
}

/** Every name, whole, in two lines or cut, as the room allows; where names would be stumps, only some of them, whole. */
function columnLabel({ bars, categories, slot }: Plan, longest: number, fontSize: number): Part {
  const width = slot - 6
  if (longest <= width) return { interval: 0 }
  const longestWord = widest(
    categories.flatMap((name) => name.split(' ')),
    fontSize,
  )
  const enough = bars && width >= fontSize * 4
  if (enough && longestWord <= width && longest <= width * 2)
    return { interval: 0, width, overflow: 'break', lineHeight: fontSize * 1.25 }
  if (enough) return { interval: 0, width, overflow: 'truncate' }
  const shown = shownLabels(categories.length, Math.ceil((longest + 12) / Math.max(slot, 1)))
  return { interval: (index: number) => shown.has(index) }
}

/** First and last, and between them as many as fit, at even steps where the count allows it. */
export function shownLabels(count: number, least: number): Set<number> {
  const last = count - 1
  const even = Array.from({ length: least }, (_, more) => least + more).find((step) => last % step === 0)
  const step = even ?? least
  const shown = new Set([last])
  for (let index = last - step; index >= 0; index -= step) if (index === 0 || index >= least) shown.add(index)
  if (last >= least) shown.add(0)
  return shown
}

const fade = (color: string) => ({
  type: 'linear',
  x: 0,
  y: 0,
  x2: 0,
  y2: 1,
  colorStops: [
    { offset: 0, color: `${color}33` },
    { offset: 1, color: `${color}03` },
  ],
})
