import type { EmbeddedVisual } from '../../embed-contract.ts'
import { isPart, type Part, type Series } from './chart-series.ts'
import { textWidth } from './text-width.ts'

/** Pixels after each name, beyond the gap that ECharts keeps alike in both directions. */
export const LEGEND_SEPARATION = 8
const GAP = 8
/** The coloured square and its distance to the name. */
const MARK = 15
/** More would leave too little for the plot: the names are then paged through. */
const MOST_ROWS = 3

/** What the legend lists: the author's choice, else every series. */
export function legendNames({ option }: EmbeddedVisual, series: Series[]): string[] {
  const own = isPart(option.legend) ? option.legend.data : undefined
  return Array.isArray(own) ? own.map(String) : series.map(({ name }) => name)
}

/** How many lines the names take where they wrap, as ECharts wraps them; none where a single name needs no legend. */
export function legendRows(names: readonly string[], width: number, text: number): number {
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
  return rows > MOST_ROWS ? 1 : rows
}

/** From one line of names to the next. */
export const legendPitch = (text: number) => Math.round(12 * text * 1.15) + GAP

/** All names in sight where they fit into a few lines. */
export function legendFlow(names: readonly string[], width: number, text: number): Part {
  const rows = legendRows(names, width, text)
  return rows > 1 ? { type: 'plain', width, itemGap: GAP } : { type: 'scroll', itemGap: GAP }
}
