/*
 * Spreadsheet files: the report service writes them, and the browser for reports that Microsoft
 * shows. Not part of the contract's main entry, since the portal's pages load it when it is needed.
 */

export { sheetNames } from './sheet-names.ts'
export type { NumberStyle } from './styles.ts'
export { dayCell, instantCell, type ReadCell, type TypedCell, timeCell } from './typed-cell.ts'
export type { Fact, Sheet, Workbook } from './workbook.ts'
export { ABOUT, workbookParts } from './workbook-parts.ts'
