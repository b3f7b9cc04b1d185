import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, EmbeddedVisual, VisualData } from '../../contract/embed-contract.ts'
import { headingText } from '../../engine/definitions/heading-text.ts'
import { exportedRows, FORMULA } from '../view/tables/data-csv.ts'

/**
 * Returns summarised data as Power BI's `exportData` does, for programs: a heading, commas, decimal
 * points, at most `most` rows. Text that a spreadsheet could run as a formula starts with an
 * apostrophe.
 */
export function visualCsv(visual: EmbeddedVisual, data: VisualData, most: number): string {
  const headings = data.columns.map((column) => headingText(ownValue(visual.labels, column) ?? column))
  return csvOf(headings, exportedRows(visual, data).slice(0, most))
}

/** Returns underlying rows, under the names of their columns in the model. */
export const rowsCsv = ({ columns, rows }: VisualData): string => csvOf(columns, rows)

const csvOf = (headings: Cell[], rows: Cell[][]) =>
  [headings, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = cell.replace(FORMULA, "$1'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
