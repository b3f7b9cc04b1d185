/* How each CSV file of the product writes its cells. Nothing is imported, for the embedded page. */

/** The start of a file for Brazilian spreadsheets, which then read UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** A possible start of a formula, also after characters at which some spreadsheets split. */
const FORMULA = /(^|[;,\t\r\n])(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g

/**
 * Returns a text as a cell. What a spreadsheet could run as a formula starts with an apostrophe (OWASP:
 * CSV injection). A cell with any delimiter is quoted, for programs that split at another one.
 */
export const csvCell = (text: string): string => {
  const safe = text.replace(FORMULA, "$1'")
  return /[";,\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns a line of cells that `csvCell` or a formatter of numbers has written. */
export const csvLine = (cells: readonly string[], delimiter = ';'): string => `${cells.join(delimiter)}\r\n`

/** Returns a file of texts for Brazilian spreadsheets. */
export const csvFile = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((cells) => csvLine(cells.map(csvCell))).join('')
