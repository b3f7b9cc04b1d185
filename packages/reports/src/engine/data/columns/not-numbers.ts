import type { Cell } from '../../../wire/embed-contract.ts'

/*
 * NaN and infinity, such as the results of divisions by zero. JSON writes them as null, so their
 * places travel next to the rows. The embed page reads this too.
 */

/** Row, column and value of one cell. */
export type NotNumber = [row: number, column: number, value: 'NaN' | 'Infinity' | '-Infinity']

/** Returns the cells that JSON writes as null although they have a value. */
export const findNotNumbers = (rows: readonly (readonly Cell[])[]): NotNumber[] => {
  const found: NotNumber[] = []
  for (const [at, row] of rows.entries())
    for (const [column, cell] of row.entries())
      if (typeof cell === 'number' && !Number.isFinite(cell)) found.push([at, column, nameOf(cell)])
  return found
}

/** Puts the values back into rows that were JSON. */
export const restoreNotNumbers = (rows: readonly Cell[][], found: readonly NotNumber[]): void => {
  for (const [at, column, value] of found) {
    const row = rows[at]
    if (row) row[column] = Number(value)
  }
}

const nameOf = (cell: number) => (Number.isNaN(cell) ? 'NaN' : cell > 0 ? 'Infinity' : '-Infinity')
