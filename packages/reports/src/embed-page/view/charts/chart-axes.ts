import { formatAxis } from '../style/format.ts'
import { cutStart, widest } from '../style/text-width.ts'
import type { ChartContext } from './chart-context.ts'
import { type ChartPlan, MAX_NAME_SHARE } from './chart-plan.ts'
import type { Part, Series } from './chart-series.ts'

/** Builds the axis of the values; values that are written at the bars need no axis labels. */
export const valueAxis = (
  one: Series | undefined,
  plan: ChartPlan,
  room: ChartContext,
  axis: number,
): Part => {
  const hasValuesAtBars = plan.labelled || plan.totals !== undefined
  return {
    type: 'value',
    splitNumber: room.height < 160 || (plan.horizontal && room.width < 400) ? 3 : 4,
    // Without labels, the axis need not end at a round number.
    ...(hasValuesAtBars && plan.horizontal && { max: 'dataMax' }),
    ...(plan.labelled && plan.leftRoom && { min: minBefore(plan.leftRoom) }),
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: !hasValuesAtBars && axis === 0, lineStyle: { color: room.theme.grid } },
    axisLabel: {
      show: !hasValuesAtBars,
      color: room.theme.muted,
      fontSize: plan.labelSize,
      hideOverlap: true,
      formatter: (value: number) => formatAxis(value, one?.format),
    },
  }
}

/** Returns a function for ECharts' `min`: the axis starts before the least value by this share. */
const minBefore = (share: number) => (extent: { min: number; max: number }) =>
  extent.min - (extent.max - extent.min) * share

export const categoryAxis = (plan: ChartPlan, room: ChartContext): Part => {
  const fontSize = Math.round(11.5 * room.text)
  const longest = widest(plan.categories, fontSize)
  const label: Part = { color: plan.horizontal ? room.theme.strong : room.theme.muted, fontSize, margin: 10 }
  if (plan.horizontal) {
    const width = Math.min(longest + 2, room.width * MAX_NAME_SHARE)
    Object.assign(label, { width, overflow: 'truncate', ...rowLabel(plan.slot, fontSize) })
  } else Object.assign(label, columnLabel(plan, longest, fontSize))
  const { width, overflow } = label
  if ((plan.hasNumberNames || plan.hasTimes) && typeof width === 'number' && overflow === 'truncate')
    label.formatter = (name: string) => cutStart(name, width, fontSize)
  return {
    type: 'category',
    inverse: plan.horizontal,
    boundaryGap: plan.bars,
    // Not at zero, so that labels do not cover negative bars.
    axisLine: { show: !plan.horizontal, onZero: !plan.horizontal, lineStyle: { color: room.theme.axis } },
    axisTick: { show: false },
    axisLabel: label,
  }
}

/** Pixels: smaller names could not be read. */
const LEAST_FONT = 9

/** Returns how the names next to bars are shown: all of them, smaller if need be, or some of them. */
export const rowLabel = (slot: number, fontSize: number): Part =>
  slot > LEAST_FONT ? { interval: 0, fontSize: Math.min(fontSize, Math.floor(slot)) } : { hideOverlap: true }

type LabelRoom = Pick<ChartPlan, 'bars' | 'categories' | 'slot'> & { hasTimes?: boolean }

/**
 * Returns how the names below columns are shown: all of them in one line, in two lines or cut, as
 * space allows. Where cut names would be too short, only some names are shown, uncut.
 */
export const columnLabel = (
  { bars, categories, slot, hasTimes = false }: LabelRoom,
  longest: number,
  fontSize: number,
): Part => {
  const width = slot - 6
  if (longest <= width) return { interval: 0 }
  // A slightly smaller font is better than omitted names.
  if (bars && longest * SMALLER <= slot - 2) return { interval: 0, fontSize: Math.floor(fontSize * SMALLER) }
  const longestWord = widest(
    categories.flatMap((name) => name.split(' ')),
    fontSize,
  )
  const isWideEnough = bars && width >= fontSize * 4
  if (isWideEnough && longestWord <= width && longest <= width * 2)
    return { interval: 0, width, overflow: 'break', lineHeight: fontSize * 1.25 }
  // Without its end, a moment is a day, as are the others next to it.
  if (isWideEnough && !hasTimes) return { interval: 0, width, overflow: 'truncate' }
  const shown = shownLabels(categories.length, Math.ceil((longest + 12) / Math.max(slot, 1)))
  return { interval: (index: number) => shown.has(index) }
}

const SMALLER = 0.88

/**
 * Returns the indexes of the labels to show: the last, and every nth before it, where n is at least
 * `leastStep`. The first label is among them if such an n exists below twice `leastStep`.
 */
export const shownLabels = (count: number, leastStep: number): Set<number> => {
  const last = count - 1
  const even = Array.from({ length: leastStep }, (_, more) => leastStep + more).find(
    (step) => last % step === 0,
  )
  // Most axes are months: these steps show the same months each year.
  const step = even ?? [2, 3, 4, 6, 12].find((months) => months >= leastStep) ?? leastStep
  return new Set(
    Array.from({ length: Math.floor(Math.max(last, 0) / step) + 1 }, (_, index) => last - index * step),
  )
}
