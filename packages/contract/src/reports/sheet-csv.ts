export type SheetCell = string | number | boolean | Date | null

/**
 * Returns a sheet as CSV with commas and decimal points, which the report service reads without
 * doubt. The first row with a value is the heading; columns without any value are left out.
 */
export const csvOfSheet = (rows: SheetCell[][]): string => {
  const filled = rows.filter((row) => row.some((cell) => cell !== null && cell !== ''))
  const [heading = [], ...body] = filled
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, index) => index).filter((index) =>
    filled.some((row) => (row[index] ?? '') !== ''),
  )
  const names = columns.map((index) => textOf(heading[index] ?? null) || `Coluna ${index + 1}`)
  const lines = [names, ...body.map((row) => columns.map((index) => textOf(row[index] ?? null)))]
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
}

const textOf = (cell: SheetCell): string => {
  if (cell === null) return ''
  if (!(cell instanceof Date)) return String(cell).trim()
  const [day = '', time = ''] = cell.toISOString().split('T')
  // A spreadsheet's day has no time, and its time no zone.
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`
}

/** Other separators are quoted too, so that the reader cannot take one for its own. */
const quoted = (text: string): string =>
  /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
