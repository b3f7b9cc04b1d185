import type { Cell, EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { compareCells } from './table-order.ts'
import type { ValueLooks } from './value-looks.ts'

/** A value of a row key, with what lies below it. `key` is its path from the top, unlike any other's. */
export interface MatrixRow {
  key: string
  path: Cell[]
  children: MatrixRow[]
}

/** One group of columns, one column for each measure. `path` is shorter than the column keys where it is a sum. */
export interface MatrixColumn {
  key: string
  path: Cell[]
}

export interface MatrixModel {
  rows: MatrixRow[]
  columns: MatrixColumn[]
  /** Of row keys and of column keys. */
  depth: [rows: number, columns: number]
  values: string[]
  /** By the keys of row and column: one cell a measure. */
  cells(row: string, column: string): readonly Cell[] | undefined
  /** The numbers of a measure that are no sums. */
  leaves(value: number): Cell[]
  hasTotal: boolean
  leafCount: number
}

/** The key of the sum over all rows, or all columns. */
export const WHOLE = keyOf([])

/** Answered rows as a tree of row keys and a list of column groups; sums come after what they sum up. */
export function readMatrix(visual: EmbeddedVisual, data: VisualData, looks: ValueLooks): MatrixModel {
  const {
    rows: rowKeys,
    columns: columnKeys,
    values,
  } = visual.matrix ?? { rows: [], columns: [], values: [] }
  const places = (names: readonly string[]) => names.map((name) => data.columns.indexOf(name))
  const [rowPlaces, columnPlaces, valuePlaces] = [places(rowKeys), places(columnKeys), places(values)]
  const depth: MatrixModel['depth'] = [rowKeys.length, columnKeys.length]
  const cells = new Map<string, Map<string, Cell[]>>()
  const leaves: Cell[][] = values.map(() => [])
  const top: MatrixRow[] = []
  const known = new Map<string, MatrixRow>()
  const columns = new Map<string, Cell[]>()
  let leafCount = 0

  data.rows.forEach((row, index) => {
    const [inRows, inColumns] = data.levels?.[index] ?? depth
    const path = rowPlaces.slice(0, inRows).map((place) => row[place] ?? null)
    const columnPath = columnPlaces.slice(0, inColumns).map((place) => row[place] ?? null)
    const measured = valuePlaces.map((place) => row[place] ?? null)
    const [rowKey, columnKey] = [keyOf(path), keyOf(columnPath)]
    const line = cells.get(rowKey) ?? new Map<string, Cell[]>()
    cells.set(rowKey, line.set(columnKey, measured))
    columns.set(columnKey, columnPath)
    if (path.length) place(path)
    if (inRows === depth[0] && inColumns === depth[1]) {
      leafCount++
      for (const [at, value] of measured.entries()) leaves[at]?.push(value)
    }
  })

  function place(path: Cell[]): MatrixRow {
    const key = keyOf(path)
    const found = known.get(key)
    if (found) return found
    const row = { key, path, children: [] }
    known.set(key, row)
    const siblings = path.length > 1 ? place(path.slice(0, -1)).children : top
    siblings.push(row)
    return row
  }

  return {
    rows: top,
    columns: [...columns].map(([key, path]) => ({ key, path })).sort(inOrder(looks)),
    depth,
    values: [...values],
    cells: (row, column) => cells.get(row)?.get(column),
    leaves: (value) => leaves[value] ?? [],
    hasTotal: cells.has(WHOLE),
    leafCount,
  }
}

/** Paths by their parts, each after what it sums up. */
const inOrder = (looks: ValueLooks) => (a: MatrixColumn, b: MatrixColumn) => {
  for (let level = 0; level < Math.max(a.path.length, b.path.length); level++) {
    if (level >= a.path.length) return 1
    if (level >= b.path.length) return -1
    const order = compareCells(a.path[level], b.path[level], looks)
    if (order) return order
  }
  return 0
}

function keyOf(path: readonly Cell[]): string {
  return JSON.stringify(path)
}

/** One row of column headings: cells of a level that stand side by side under one parent become one. */
export interface HeadingCell {
  text: Cell | undefined
  /** Of groups, not of single columns. */
  span: number
  /** A sum's heading reaches down over the levels it has no key for. */
  rows: number
  isSum: boolean
}

export function columnHeadings({ columns, depth }: MatrixModel): HeadingCell[][] {
  return Array.from({ length: depth[1] }, (_, level) => {
    const cells: (HeadingCell & { parent: string })[] = []
    for (const { path } of columns) {
      // Begun in a row above.
      if (path.length < level) continue
      const parent = keyOf(path.slice(0, level + 1))
      const before = cells.at(-1)
      const isSum = path.length === level
      if (before && !isSum && !before.isSum && before.parent === parent) before.span++
      else cells.push({ text: path[level], span: 1, rows: isSum ? depth[1] - level : 1, isSum, parent })
    }
    return cells.map(({ parent: _, ...cell }) => cell)
  })
}
