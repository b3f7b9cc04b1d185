import type { Cell, ColumnKind, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { cellsKey } from '../style/cell-key.ts'
import { formatOf } from '../style/column-format.ts'
import type { ValueFormats } from '../style/value-formats.ts'
import { compareCells } from './table-order.ts'

/** A row of the matrix with its children. `key` is its unique path from the top. */
export interface MatrixRow {
  key: string
  path: Cell[]
  children: MatrixRow[]
}

/** A group of columns, one per measure. A total has a `path` shorter than the column keys. */
type MatrixColumn = Omit<MatrixRow, 'children'>

export type MatrixModel = ReturnType<typeof readMatrix>

/** The key of the total over all rows, or over all columns. */
export const WHOLE = cellsKey([])

/** Builds a tree of rows and a list of column groups; totals follow what they sum. */
export const readMatrix = (visual: EmbeddedVisual, data: VisualData, valueFormats: ValueFormats) => {
  const {
    rows: rowKeys,
    columns: columnKeys,
    values,
  } = visual.matrix ?? { rows: [], columns: [], values: [] }
  const indexesOf = (names: readonly string[]) => names.map((name) => data.columns.indexOf(name))
  const [rowKeyIndexes, columnKeyIndexes, valueIndexes] = [
    indexesOf(rowKeys),
    indexesOf(columnKeys),
    indexesOf(values),
  ]
  /** Number of row keys and of column keys. */
  const depth: [rows: number, columns: number] = [rowKeys.length, columnKeys.length]
  const kindsOf = (names: readonly string[]) => names.map((name) => data.kinds[data.columns.indexOf(name)])
  const cells = new Map<string, Map<string, Cell[]>>()
  const leaves: Cell[][] = values.map(() => [])
  const top: MatrixRow[] = []
  const known = new Map<string, MatrixRow>()
  const columns = new Map<string, Cell[]>()
  let leafCount = 0

  data.rows.forEach((row, index) => {
    const [inRows, inColumns] = data.levels?.[index] ?? depth
    const path = rowKeyIndexes.slice(0, inRows).map((columnIndex) => row[columnIndex] ?? null)
    const columnPath = columnKeyIndexes.slice(0, inColumns).map((columnIndex) => row[columnIndex] ?? null)
    const measured = valueIndexes.map((columnIndex) => row[columnIndex] ?? null)
    const [rowKey, columnKey] = [cellsKey(path), cellsKey(columnPath)]
    const line = cells.get(rowKey) ?? new Map<string, Cell[]>()
    cells.set(rowKey, line.set(columnKey, measured))
    columns.set(columnKey, columnPath)
    if (path.length) rowAt(path)
    if (inRows === depth[0] && inColumns === depth[1]) {
      leafCount++
      for (const [at, value] of measured.entries()) leaves[at]?.push(value)
    }
  })

  function rowAt(path: Cell[]): MatrixRow {
    const key = cellsKey(path)
    const found = known.get(key)
    if (found) return found
    const row = { key, path, children: [] }
    known.set(key, row)
    const siblings = path.length > 1 ? rowAt(path.slice(0, -1)).children : top
    siblings.push(row)
    return row
  }

  return {
    rows: top,
    columns: [...columns]
      .map(([key, path]) => ({ key, path }))
      .sort(inOrder(kindsOf(columnKeys), valueFormats)),
    depth,
    values: [...values],
    /** The kind of each row key. */
    rowKinds: kindsOf(rowKeys),
    /** The kind of each measure. */
    valueKinds: kindsOf(values),
    /** Returns how a key or a measure is written. */
    formatOf: (column: string) => formatOf(visual, data, column),
    /** Returns the cells of a row and column key, one per measure. */
    cells: (row: string, column: string): readonly Cell[] | undefined => cells.get(row)?.get(column),
    /** Returns the values of a measure without totals. */
    leaves: (value: number) => leaves[value] ?? [],
    hasTotal: cells.has(WHOLE),
    leafCount,
  }
}

/** Orders paths by their parts; a total follows what it sums. */
const inOrder =
  (kinds: readonly (ColumnKind | undefined)[], valueFormats: ValueFormats) =>
  (a: MatrixColumn, b: MatrixColumn) => {
    for (let level = 0; level < Math.max(a.path.length, b.path.length); level++) {
      if (level >= a.path.length) return 1
      if (level >= b.path.length) return -1
      const order = compareCells(a.path[level], b.path[level], kinds[level], valueFormats)
      if (order) return order
    }
    return 0
  }

/** One cell of a heading row; adjacent cells under the same parent are merged. */
interface HeadingCell {
  text: Cell | undefined
  /** Counts column groups, not single columns. */
  span: number
  /** The heading of a total spans the remaining levels. */
  rows: number
  isSum: boolean
}

export const columnHeadings = ({ columns, depth }: MatrixModel): HeadingCell[][] => {
  return Array.from({ length: depth[1] }, (_, level) => {
    const cells: (HeadingCell & { parent: string })[] = []
    for (const { path } of columns) {
      // Its heading started in a row above.
      if (path.length < level) continue
      const parent = cellsKey(path.slice(0, level + 1))
      const before = cells.at(-1)
      const isSum = path.length === level
      if (before && !isSum && !before.isSum && before.parent === parent) before.span++
      else cells.push({ text: path[level], span: 1, rows: isSum ? depth[1] - level : 1, isSum, parent })
    }
    return cells.map(({ parent: _, ...cell }) => cell)
  })
}
