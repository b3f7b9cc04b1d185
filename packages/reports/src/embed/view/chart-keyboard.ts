import type { EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { heatColumns, keysOf } from './chart-heatmap.ts'
import { scatterColumns } from './chart-scatter.ts'

export interface KeyActions {
  /** Shows and speaks a point. */
  visit(row: number): void
  leave(): void
  pick(row: number): void
  /** Takes back what is picked or opened; false where there is nothing to take back. */
  undo(): boolean
}

type Move = (row: number | undefined) => number | undefined

/** Arrows walk over the points, Home and End go to the ends, Enter and the space bar pick, Esc takes back. */
export function listenToKeys(
  host: HTMLElement,
  shown: () => { visual: EmbeddedVisual; data: VisualData } | undefined,
  { visit, leave, pick, undo }: KeyActions,
) {
  let at: number | undefined

  host.addEventListener('keydown', (event) => {
    const chart = shown()
    if (!chart || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') {
      if (undo() || at !== undefined) event.preventDefault()
      at = undefined
      leave()
      return
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (at !== undefined && at < chart.data.rows.length) pick(at)
      return
    }
    const next = moves(chart.visual, chart.data)[event.key]?.(at)
    if (next === undefined) return
    event.preventDefault()
    at = next
    visit(next)
  })
  host.addEventListener('blur', () => {
    at = undefined
    leave()
  })
  // A pick by the pointer is another point's.
  host.addEventListener('pointerdown', () => {
    at = undefined
  })
  return {
    /** The point that keys have come to. */
    at: () => at,
    /** New data: the point may be another one. */
    forget() {
      at = undefined
    },
  }
}

/** What each key leads to, from a row; from none to the first. */
export function moves(visual: EmbeddedVisual, data: VisualData): Partial<Record<string, Move>> {
  const order = orderOf(visual, data)
  const [first, last] = [order[0], order.at(-1)]
  const step =
    (by: number): Move =>
    (row) => {
      if (row === undefined) return by > 0 ? first : last
      return order[order.indexOf(row) + by]
    }
  const [next, previous] = [step(1), step(-1)]
  const walk = visual.type === 'heatmap' ? gridMoves(visual, data, first) : undefined
  return {
    ArrowRight: next,
    ArrowDown: next,
    ArrowLeft: previous,
    ArrowUp: previous,
    ...walk,
    Home: () => first,
    End: () => last,
  }
}

/** Points of a scatter chart from left to right; all else as the query gave it. */
function orderOf(visual: EmbeddedVisual, data: VisualData): number[] {
  const rows = [...data.rows.keys()]
  if (visual.type !== 'scatter') return rows
  const place = data.columns.indexOf(scatterColumns(visual, data).x)
  return rows.toSorted((a, b) => Number(data.rows[a]?.[place]) - Number(data.rows[b]?.[place]))
}

/** To the next cell that has a value, in the direction of the arrow. */
function gridMoves(visual: EmbeddedVisual, data: VisualData, first: number | undefined) {
  const columns = heatColumns(visual, data)
  const [xs, ys] = [keysOf(data, columns.x), keysOf(data, columns.y)]
  const [xPlace, yPlace] = [data.columns.indexOf(columns.x), data.columns.indexOf(columns.y)]
  const cells = new Map(
    data.rows.map((row, index) => [
      `${xs.indexOf(row[xPlace] ?? null)} ${ys.indexOf(row[yPlace] ?? null)}`,
      index,
    ]),
  )
  const go =
    (byX: number, byY: number): Move =>
    (row) => {
      if (row === undefined) return first
      let x = xs.indexOf(data.rows[row]?.[xPlace] ?? null) + byX
      let y = ys.indexOf(data.rows[row]?.[yPlace] ?? null) + byY
      for (; x >= 0 && y >= 0 && x < xs.length && y < ys.length; x += byX, y += byY) {
        const found = cells.get(`${x} ${y}`)
        if (found !== undefined) return found
      }
      return undefined
    }
  return { ArrowRight: go(1, 0), ArrowLeft: go(-1, 0), ArrowDown: go(0, 1), ArrowUp: go(0, -1) }
}
