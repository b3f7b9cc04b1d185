import type { Cell, ColumnFormat } from '../contract/embed-contract.ts'

/*
 * The content of a spreadsheet file. Plain data: it is passed to the thread that writes the file.
 */

/** A value of the first sheet. Instants are milliseconds since the epoch. */
export type Fact = string | number | { instant: number }

export interface DataSheet {
  name: string
  columns: { heading: string; format: ColumnFormat | undefined }[]
  rows: Cell[][]
  /** Shown below the rows, such as that there are more. */
  note: string | undefined
}

export interface Workbook {
  title: string
  /** Milliseconds since the epoch. */
  created: number
  /** The first sheet: pairs of a label and a value; without a label, a continued list. */
  facts: [label: string, value: Fact][]
  /** The table below the facts, its heading first. */
  contents: Fact[][]
  /** Labels of values. */
  labels: Record<string, string>
  sheets: DataSheet[]
}
