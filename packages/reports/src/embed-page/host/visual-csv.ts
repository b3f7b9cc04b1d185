import { csvCell, csvLine } from '@bi-manager/contract/csv-text'
import { ownValue } from '@bi-manager/contract/own-value'
import { headingText } from '../../definitions/heading-text.ts'
import type { Cell, ColumnKind, EmbeddedVisual, VisualData } from '../../wire/embed-contract.ts'
import { isNumberKind } from '../view/style/column-format.ts'
import { exportedRows } from '../view/tables/data-csv.ts'

/**
 * Returns summarised data as Power BI's `exportData` does, for programs: a heading, commas, decimal
 * points, at most `most` rows.
 */
export const visualCsv = (visual: EmbeddedVisual, data: VisualData, most: number): string => {
  const headings = data.columns.map((column) => headingText(ownValue(visual.labels, column) ?? column))
  return csvOf(headings, exportedRows(visual, data).slice(0, most), data.kinds)
}

/** Returns underlying rows, under the names of their columns in the model. */
export const rowsCsv = ({ columns, rows, kinds }: VisualData): string => csvOf(columns, rows, kinds)

const csvOf = (headings: string[], rows: Cell[][], kinds: ColumnKind[]) =>
  [
    headings.map((heading) => field(heading, 'text')),
    ...rows.map((row) => row.map((cell, column) => field(cell, kinds[column]))),
  ]
    .map((fields) => csvLine(fields, ','))
    .join('')

const field = (cell: Cell, kind: ColumnKind | undefined): string => {
  if (cell === null) return ''
  if (typeof cell !== 'string' || isNumberKind(kind)) return String(cell)
  return csvCell(cell)
}
