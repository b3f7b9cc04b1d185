import { ownValue } from '@bi-manager/contract/own-value'
import { isRecord } from '../../../definitions/is-record.ts'
import type { ChartType } from '../../../definitions/visual-types.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { drawnCell, formatOf } from '../style/column-format.ts'
import { fontFamily } from '../style/theme.ts'
import { nameText, valueColor, withInvisibleNumber } from '../style/value-formats.ts'
import { cartesianParts } from './chart-cartesian.ts'
import type { ChartContext } from './chart-context.ts'
import { donutParts } from './chart-donut.ts'
import { heatmapParts } from './chart-heatmap.ts'
import { scatterParts } from './chart-scatter.ts'
import { asList, type ChartVisual, merge, type Part, readSeries, type Series } from './chart-series.ts'
import { LEGEND_SEPARATION, legendFlow, legendNames } from './legend-rows.ts'

/** Builds the ECharts option: defaults of the type, then the data, then the definition. */
export const chartOption = (visual: ChartVisual, given: VisualData, room: ChartContext): Part => {
  const { series: _series, dataset: _dataset, xAxis, yAxis, grid, ...rest } = visual.option
  const { parts, names = [], colors, data } = renderers[visual.type](visual, given, room)
  const option = merge(merge(houseStyle(names, room), parts), rest)
  // A series takes its colour by its index among the drawn series.
  if (colors?.length) option.color = colors
  if (data) option.dataset = { dimensions: data.columns, source: drawnRows(data) }
  for (const [name, own] of Object.entries({ xAxis, yAxis, grid })) {
    const part = ownValue(parts, name)
    if (part) option[name] = mergeEach(part, own)
  }
  if (room.printed && isRecord(option.legend)) option.legend = { ...option.legend, type: 'plain' }
  // HTML tooltips need inline styles, which the Content-Security-Policy forbids.
  option.tooltip = { ...(isRecord(option.tooltip) && option.tooltip), renderMode: 'richText', confine: true }
  return option
}

interface Drawing {
  parts: Part
  /** Names in the legend. */
  names?: string[]
  /** Colours of the series. */
  colors?: string[]
  /** The dataset that the series share; scatter charts and heat maps embed their points. */
  data?: VisualData
}
type Draw = (visual: ChartVisual, given: VisualData, room: ChartContext) => Drawing

const drawOnAxes: Draw = (visual, given, room) => {
  const { series, data } = seriesOf(visual, given, room)
  const colors = series.map((one) => seriesColor(one, visual.option.color, room))
  const names = legendNames(visual, series)
  return { parts: cartesianParts(visual, series, data, room, colors), names, colors, data }
}

/** The parts of the option that are specific to the type. */
export const renderers: Record<ChartType, Draw> = {
  line: drawOnAxes,
  area: drawOnAxes,
  bar: drawOnAxes,
  column: drawOnAxes,
  stackedBar: drawOnAxes,
  stackedColumn: drawOnAxes,
  donut(visual, given, room) {
    const { series, data } = seriesOf(visual, given, room)
    return { parts: donutParts(series, data, room, visual.option.color), data }
  },
  scatter: (visual, given, room) => ({ parts: scatterParts(visual, given, room) }),
  heatmap: (visual, given, room) => ({ parts: heatmapParts(visual, given, room) }),
}

const seriesOf = (visual: ChartVisual, given: VisualData, room: ChartContext) => {
  const series = readSeries(visual, given)
  const categories = new Set(series.map(({ category }) => category))
  const kinds = given.columns.map((name, index) =>
    categories.has(name) ? 'text' : (given.kinds[index] ?? 'text'),
  )
  return { series, data: { ...given, kinds, rows: writtenRows(visual, given, series, room) } }
}

/** ECharts draws doubles; labels and tooltips have the digits of the cells. */
const drawnRows = ({ kinds, rows }: VisualData): Cell[][] =>
  rows.map((row) => row.map((cell, index) => drawnCell(cell, kinds[index])))

const houseStyle = (names: string[], room: ChartContext): Part => {
  const { text, animated, theme } = room
  const fontSize = Math.round(12 * text)
  return {
    color: theme.palette,
    animation: animated,
    animationDuration: 350,
    animationDurationUpdate: 250,
    animationEasing: 'cubicOut',
    textStyle: { fontFamily, fontSize, color: theme.muted },
    tooltip: {
      backgroundColor: theme.tooltip.ground,
      borderColor: theme.tooltip.line,
      borderWidth: 1,
      padding: [8, 12],
      borderRadius: 8,
      textStyle: { color: theme.tooltip.text, fontSize, fontFamily },
      axisPointer: {
        lineStyle: { color: theme.axis, type: 'solid' },
        shadowStyle: { color: `${theme.palette[0]}12` },
      },
    },
    legend: {
      show: names.length > 1,
      ...legendFlow(names, room),
      // Room for accents on capitals, which the canvas would cut.
      top: 2,
      left: 0,
      padding: 0,
      icon: 'roundRect',
      itemWidth: 10,
      itemHeight: 10,
      pageIconSize: 10,
      textStyle: {
        color: theme.muted,
        fontSize,
        fontFamily,
        padding: [0, LEGEND_SEPARATION, 0, 0],
        // Without a background, ECharts ignores the padding.
        backgroundColor: 'transparent',
      },
    },
  }
}

const seriesColor = (
  { own, name, seriesIndex }: Series,
  given: unknown,
  { valueFormats, theme }: ChartContext,
): string => {
  const color = isRecord(own.itemStyle) ? own.itemStyle.color : undefined
  if (typeof color === 'string') return color
  const colors = Array.isArray(given) && given.length ? given : theme.palette
  return valueColor(name, valueFormats, theme.palette) ?? String(colors[seriesIndex % colors.length])
}

/** Formats category cells, so that axis, legend and tooltip agree. Numbers stay numbers. */
const writtenRows = (
  visual: EmbeddedVisual,
  data: VisualData,
  series: Series[],
  { valueFormats }: ChartContext,
): Cell[][] => {
  const categories = new Set(series.map(({ category }) => data.columns.indexOf(category)))
  const writers = new Map([...categories].map((index) => [index, distinctTexts()]))
  return data.rows.map((row) =>
    row.map((cell, index) => {
      const text = writers.get(index)
      if (!text) return cell
      return text(nameText(cell, formatOf(visual, data, data.columns[index] ?? ''), valueFormats))
    }),
  )
}

/**
 * Returns a function that makes equal texts differ by invisible letters: ECharts would draw rows
 * with one name, such as blank and empty text, over each other.
 */
const distinctTexts = () => {
  const seen = new Map<string, number>()
  return (text: string): string => {
    const count = seen.get(text) ?? 0
    seen.set(text, count + 1)
    return withInvisibleNumber(text, count)
  }
}

/** Merges lists of axes and grids item by item; every item gets a base. */
const mergeEach = (base: unknown, own: unknown): unknown => {
  const bases = asList(base)
  const owns = asList(own)
  const merged = Array.from({ length: Math.max(bases.length, owns.length) }, (_, index) =>
    withEvenTicks(merge(bases[index] ?? bases[0] ?? {}, owns[index] ?? {})),
  )
  return merged.length === 1 ? merged[0] : merged
}

/** Between fixed ends, ECharts would draw an uneven first or last step. */
const withEvenTicks = (axis: Part): Part => {
  const { type, min = 0, max, interval } = axis
  if (type !== 'value' || typeof min !== 'number' || typeof max !== 'number' || interval !== undefined)
    return axis
  const steps = [4, 5, 3, 2, 6, 7].find((count) => isWhole((min * count) / (max - min)))
  return steps ? { ...axis, interval: (max - min) / steps } : axis
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6
