import type { Cell } from './cell-values.ts'
import { columnLetters, type MergedRange, type SheetRow } from './sheet-rows.ts'

/* Merged cells below the heading: a sheet has their value in the first cell only. */

const MAX_NAMED = 10
const list = new Intl.ListFormat('pt-BR')

/**
 * Repeats the value of cells that are merged over several rows of one column. Numbers are not
 * repeated, since sums would count them again; and none is, where cells are merged over columns.
 * @param lastHeading the last row of the heading
 */
export function createMergedCells(merged: MergedRange[], lastHeading: number) {
  const starting = new Map<number, MergedRange[]>()
  for (const range of merged)
    if (range.rows[0] > lastHeading)
      starting.set(range.rows[0], [...(starting.get(range.rows[0]) ?? []), range])
  /** By the column's index, the cells that are repeated down to a row. */
  const open = new Map<number, { cell: Cell; last: number }>()
  const repeated = new Map<number, number>()
  const single: MergedRange[] = []

  function begin(range: MergedRange, { cells }: SheetRow) {
    const [column, lastColumn] = range.columns
    const cell = cells.get(column)
    if (!cell) return
    if (column === lastColumn && !isAmount(cell)) open.set(column, { cell, last: range.rows[1] })
    else single.push(range)
  }

  return {
    /** Completes a row; rows come in order. One without any value of its own stays empty. */
    fill(row: SheetRow) {
      if (starting.size === 0 || row.cells.size === 0) return
      for (const [column, { cell, last }] of open) {
        if (row.number > last) open.delete(column)
        else if (!row.cells.has(column)) {
          row.cells.set(column, cell)
          row.gaps.delete(column)
          repeated.set(column, (repeated.get(column) ?? 0) + 1)
        }
      }
      for (const range of starting.get(row.number) ?? []) begin(range, row)
    },
    /** Sentences about the columns, by the names that the heading gives them. */
    notices: (nameOf: (column: number) => string): string[] => [
      ...[...repeated].map(
        ([column, count]) =>
          `na coluna ${nameOf(column)}, o valor de células mescladas foi repetido ${count === 1 ? 'na outra linha' : `nas outras ${count.toLocaleString('pt-BR')} linhas`}`,
      ),
      ...(single.length > 0
        ? [`as células mescladas ${named(single)} têm o valor só na primeira: as outras ficaram vazias`]
        : []),
    ],
  }
}

const isAmount = ({ kind }: Cell): boolean =>
  kind === 'number' || kind === 'money' || kind === 'foreign' || kind === 'percent' || kind === 'elapsed'

const named = (ranges: MergedRange[]): string => {
  const shown = ranges
    .slice(0, MAX_NAMED)
    .map(
      ({ columns: [from, to], rows: [first, last] }) =>
        `${columnLetters(from)}${first}:${columnLetters(to)}${last}`,
    )
  const more = ranges.length - shown.length
  return list.format(more > 0 ? [...shown, `mais ${more}`] : shown)
}
