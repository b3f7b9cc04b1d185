import { isRecord } from '../../../definitions/is-record.ts'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { textWidth } from '../style/text-width.ts'
import type { ChartContext } from './chart-context.ts'
import type { Part, Series } from './chart-series.ts'

/** Pixels after each name; ECharts' own gap is the same in both directions. */
export const LEGEND_SEPARATION = 8
const GAP = 8
/** Pixels of the coloured square and its distance to the name. */
const MARK = 15
/** More rows would leave too little for the plot; the legend then gets paging instead. */
const MAX_ROWS = 3

/** Returns the names in the legend: the author's choice, or every series. */
export const legendNames = ({ option }: EmbeddedVisual, series: Series[]): string[] => {
  const own = isRecord(option.legend) ? option.legend.data : undefined
  return Array.isArray(own) ? own.map(String) : series.map(({ name }) => name)
}

type Room = Pick<ChartContext, 'width' | 'text' | 'printed'>

/** Returns how many lines the names take, wrapped as ECharts does; 0 for a single name. */
export const legendRows = (names: readonly string[], { width, text, printed }: Room): number => {
  if (names.length < 2) return 0
  const size = Math.round(12 * text)
  let [rows, end] = [1, 0]
  for (const name of names) {
    const item = MARK + textWidth(name, size) + LEGEND_SEPARATION
    if (end > 0 && end + item > width) {
      rows++
      end = 0
    }
    end += item + GAP
  }
  return rows > MAX_ROWS && !printed ? 1 : rows
}

/** Pixels from one line of names to the next. */
export const legendPitch = (text: number) => Math.round(12 * text * 1.15) + GAP

/** Shows all names where they fit into a few lines or on paper, otherwise one scrolling line. */
export const legendFlow = (names: readonly string[], room: Room): Part => {
  return room.printed || legendRows(names, room) > 1
    ? { type: 'plain', width: room.width, itemGap: GAP }
    : { type: 'scroll', itemGap: GAP }
}
