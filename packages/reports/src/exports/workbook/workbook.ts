import type { Cell, ColumnFormat, ColumnKind } from '../../wire/embed-contract.ts'
import type { Sheet, Workbook as WrittenWorkbook } from './format/written-workbook.ts'

export interface DataSheet extends Pick<Sheet, 'name' | 'note'> {
  columns: { heading: string; kind: ColumnKind | undefined; format: ColumnFormat | undefined }[]
  rows: Cell[][]
}

/** The content of a spreadsheet file as plain data: it is passed to the thread that writes the file. */
export interface Workbook extends Omit<WrittenWorkbook, 'sheets'> {
  /** Labels of values. */
  labels: Record<string, string>
  sheets: DataSheet[]
}
