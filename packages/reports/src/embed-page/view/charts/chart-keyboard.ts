import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { compareNumbers, numberOf } from '../style/column-format.ts'
import { heatColumns, keysOf, placesOf } from './chart-heatmap.ts'
import { scatterColumns } from './chart-scatter.ts'

interface KeyActions {
  /** Highlights a point and announces it to screen readers. */
  visit(row: number): void
  leave(): void
  pick(row: number): void
  /** Undoes the selection or the last drill-down; returns false when there is none. */
  undo(): boolean
}

type Move = (row: number | undefined) => number | undefined

/** Handles keys: arrows, Home and End move, Enter and space pick, Esc undoes. */
export const listenToKeys = (
  host: HTMLElement,
  shown: () => { visual: EmbeddedVisual; data: VisualData } | undefined,
  { visit, leave, pick, undo }: KeyActions,
) => {
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
  // A click moves away from the keyboard position.
  host.addEventListener('pointerdown', () => {
    at = undefined
  })
  return {
    /** Returns the row at the keyboard position. */
    at: () => at,
    /** Resets the position, since new data may have other points. */
    forget() {
      at = undefined
    },
  }
}

/** Returns, by key, the function from the current row to the next. */
const moves = (visual: EmbeddedVisual, data: VisualData): Partial<Record<string, Move>> => {
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

/** Scatter points are ordered from left to right, those without a place last; others as in the query. */
const orderOf = (visual: EmbeddedVisual, data: VisualData): number[] => {
  const rows = [...data.rows.keys()]
  if (visual.type !== 'scatter') return rows
  const columnIndex = data.columns.indexOf(scatterColumns(visual, data).x)
  const placeOf = (row: number) => numberOf(data.rows[row]?.[columnIndex]) ?? Number.NaN
  return rows.toSorted((a, b) => compareNumbers(placeOf(a), placeOf(b)))
}

/** Moves to the next cell with a value in the direction of the arrow. */
const gridMoves = (visual: EmbeddedVisual, data: VisualData, first: number | undefined) => {
  const columns = heatColumns(visual, data)
  const [xs, ys] = [placesOf(keysOf(data, columns.x)), placesOf(keysOf(data, columns.y))]
  const [xPlace, yPlace] = [data.columns.indexOf(columns.x), data.columns.indexOf(columns.y)]
  const placeOf = (row: Cell[] | undefined) =>
    [xs.get(row?.[xPlace] ?? null) ?? -1, ys.get(row?.[yPlace] ?? null) ?? -1] as const
  const cells = new Map(data.rows.map((row, index) => [placeOf(row).join(' '), index]))
  const go =
    (byX: number, byY: number): Move =>
    (row) => {
      if (row === undefined) return first
      let [x, y] = placeOf(data.rows[row])
      for (;;) {
        x += byX
        y += byY
        if (x < 0 || y < 0 || x >= xs.size || y >= ys.size) return undefined
        const found = cells.get(`${x} ${y}`)
        if (found !== undefined) return found
      }
    }
  return { ArrowRight: go(1, 0), ArrowLeft: go(-1, 0), ArrowDown: go(0, 1), ArrowUp: go(0, -1) }
}
