/**
 * Returns a CSV as Brazilian spreadsheets expect it: BOM, semicolons, CRLF.
 * Cells that a spreadsheet would run as a formula are prefixed with an apostrophe.
 */
export const csvOf = (rows: string[][]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(';')}\r\n`).join('')}`

const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
  return /[";\r\n]|^'|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvBlob = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' })
