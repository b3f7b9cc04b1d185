import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { numberOf } from '../style/column-format.ts'
import { rangeOf, toneMarks, toneOf } from '../style/conditional-formats.ts'
import { formatLabel } from '../style/format.ts'
import { textWidth, widest } from '../style/text-width.ts'
import type { ChartContext } from './chart-context.ts'
import { type ChartVisual, isHorizontal, type Series } from './chart-series.ts'
import { mostFitInside } from './inside-labels.ts'

/** Greatest share of the chart's width that the names of bars take; longer names are cut. */
export const MAX_NAME_SHARE = 0.46

/** The measures of a line, column or bar chart, which depend on its data and the available room. */
export type ChartPlan = ReturnType<typeof planChart>

/** One series of a chart with axes, and all that its drawing depends on. */
export interface SeriesDrawing {
  visual: ChartVisual
  /** The series to draw. */
  one: Series
  /** The series after it, which are drawn on top of it where they have the same stack. */
  above: Series[]
  plan: ChartPlan
  data: VisualData
  room: ChartContext
  color: string
}

/**
 * Measures once what all series of a chart share: which texts fit, and how large bars are.
 * `room.text` is the factor on font sizes.
 */
export const planChart = (visual: ChartVisual, series: Series[], data: VisualData, room: ChartContext) => {
  const [first] = series
  const horizontal = isHorizontal(visual.type)
  const bars = series.some(({ type }) => type === 'bar')
  const stackedSeries = series.filter(({ stack }) => stack !== undefined)
  const single = series.length === 1
  const cells = (column: string | undefined) =>
    data.rows.map((row) => row[data.columns.indexOf(column ?? '')] ?? null)
  const values = cells(first?.value)
  const conditional = single && bars ? ownValue(visual.conditional, first?.value ?? '') : undefined
  const kind = data.kinds[data.columns.indexOf(first?.value ?? '')]
  const tones = values.map((value) => toneOf(conditional, value, kind))
  // Several series need about 62 pixels for a legend and the labels of an axis.
  const plotHeight = room.height - (single ? 0 : 62 * room.text)
  // 50 pixels are for the labels of the value axis. During a resize, the space can be smaller.
  const slot = Math.max(horizontal ? plotHeight : room.width - 50, 0) / Math.max(data.rows.length, 1)
  const labelSize = Math.round(11 * room.text)
  const stackSums = bars ? stackSumsOf(stackedSeries, data) : undefined
  // Shares that add up to 100 % need no total.
  const shares = first?.format === 'percentual' && stackSums?.every((sum) => !sum || Math.abs(sum - 1) < 0.01)
  const shownTotals = shares ? undefined : stackSums
  const written = shownTotals
    ? shownTotals.map((sum) => formatLabel(sum, stackedSeries[0]?.format))
    : values.map((cell) => formatLabel(cell, first?.format))
  const mark = tones.some((tone) => tone) ? textWidth(`${toneMarks.bad} `, labelSize) : 0
  const labelWidth = widest(written, labelSize, shownTotals ? 600 : 500) + mark
  const fits = horizontal ? slot > labelSize * 1.35 : slot > labelWidth + 4
  const categories = cells(first?.category).map(String)
  const signed = single && bars && values.some((cell) => Number(cell) < 0)
  const plotWidth =
    room.width - Math.min(widest(categories, 11.5 * room.text) + 12, room.width * MAX_NAME_SHARE)
  const greatest = (stackSums ?? values).reduce<number>(
    (most, cell) => Math.max(most, numberOf(cell) ?? 0),
    0,
  )
  const thick = Math.min((slot * 0.68) / (stackedSeries.length ? 1 : series.length), 34 * room.text)
  const unit = ((horizontal ? room.width * 0.55 : room.height * 0.6) || 1) / (greatest || 1)
  return {
    horizontal,
    /** Some series are bars or columns, not lines. */
    bars,
    /** Some series are parts of a stack. */
    stacked: stackedSeries.length > 0,
    single,
    /** Values are written next to the bars, so the value axis needs no labels. */
    labelled: single && bars && fits,
    labelSize,
    labelWidth,
    /** Some bars are negative. */
    signed,
    /** Pixels of one category along its axis. */
    slot,
    /** Approximate thickness of a bar in pixels. */
    thick,
    categories,
    hasNumberNames: first?.hasNumberNames === true,
    hasTimes: first?.hasTimes === true,
    /** The tone ('good', 'warning', 'bad') of each row, for a single series with such rules. */
    tones,
    /** Minimum and maximum of a single series that is coloured by value. */
    range: conditional?.kind === 'scale' ? rangeOf(data, first?.value ?? '') : undefined,
    /**
     * How far the value axis starts before the least value, as a share of the axis: room for the
     * label to the left of a negative bar.
     */
    leftRoom: signed && horizontal ? (labelWidth + 12) / Math.max(plotWidth - 2 * (labelWidth + 12), 60) : 0,
    /** The parts of a stack show their numbers, where these fit. */
    inside:
      stackSums !== undefined && mostFitInside(stackedSeries, data, { horizontal, thick, unit }, room.text),
    /** The total of the stack in each row; undefined when totals mean nothing or do not fit. */
    totals: fits ? shownTotals : undefined,
    /** Approximate pixels per unit of value, for texts inside bars. */
    unit,
  }
}

/**
 * Returns the total of the stack in each row, null for a row without values. Undefined when there
 * are fewer than two parts, several stacks or negative parts.
 */
const stackSumsOf = (
  stackedSeries: Series[],
  { columns, rows }: VisualData,
): (number | null)[] | undefined => {
  const [first] = stackedSeries
  if (stackedSeries.length < 2 || stackedSeries.some(({ stack }) => stack !== first?.stack)) return undefined
  const parts = rows.map((row) => stackedSeries.map(({ value }): Cell => row[columns.indexOf(value)] ?? null))
  if (parts.flat().some((part) => Number(part) < 0)) return undefined
  return parts.map((some) =>
    some.every((part) => part === null)
      ? null
      : some.reduce<number>((sum, part) => sum + (part === null ? 0 : (numberOf(part) ?? Number.NaN)), 0),
  )
}
