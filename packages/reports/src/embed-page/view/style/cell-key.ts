import type { Cell } from '../../../wire/embed-contract.ts'
import { isNotNumber } from './column-format.ts'

/**
 * Returns a cell in the form that JSON keeps: NaN and infinity, which would become blank, are their
 * names. A selection and a drill path have cells in this form. No column of numbers has such texts.
 */
export const namedCell = (cell: Cell | undefined): Cell => (isNotNumber(cell) ? String(cell) : (cell ?? null))

/** Returns a text that is equal for equal cells only. */
export const cellsKey = (cells: readonly (Cell | undefined)[]): string => JSON.stringify(cells.map(namedCell))
