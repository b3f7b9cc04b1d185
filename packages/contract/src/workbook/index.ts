/*
 * The writer of spreadsheet files, for the report service, and for the browser when Microsoft shows the
 * report. An entry of its own: the portal's pages load it with the first export.
 */

export { sheetNames } from './sheet-names.ts'
export type { NumberStyle } from './styles.ts'
export { clockCell, dayCell, instantCell, type ReadCell, type TypedCell, timeCell } from './typed-cell.ts'
export type { Fact, Sheet, Workbook } from './workbook.ts'
export { ABOUT, workbookParts } from './workbook-parts.ts'
