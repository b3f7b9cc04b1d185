import { strToU8, zipSync } from 'fflate'
import { cellReader } from './cell-reader.ts'
import { workbookParts } from './format/workbook-parts.ts'
import type { Sheet } from './format/written-workbook.ts'
import type { DataSheet, Workbook } from './workbook.ts'

/** Writes a spreadsheet file. */
export const writeXlsx = (workbook: Workbook): Uint8Array => {
  const sheets = workbook.sheets.map((sheet) => typed(sheet, workbook.labels))
  const parts = Object.entries(workbookParts({ ...workbook, sheets }))
  const files = Object.fromEntries(parts.map(([name, xml]) => [name, strToU8(xml)]))
  return zipSync(files, { level: 6, mtime: workbook.created })
}

const typed = ({ columns, rows, ...sheet }: DataSheet, labels: Workbook['labels']): Sheet => ({
  ...sheet,
  rows,
  columns: columns.map(({ heading, kind, format }, index) => ({
    heading,
    read: cellReader(
      { kind, format },
      rows.map((row) => row[index] ?? null),
      labels,
    ),
  })),
})
