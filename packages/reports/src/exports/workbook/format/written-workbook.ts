import type { Cell, ReadCell } from './typed-cell.ts'

/** A value of the first sheet. Instants are milliseconds since the epoch. */
export type Fact = string | number | { instant: number }

export interface Sheet {
  name: string
  columns: { heading: string; read: ReadCell }[]
  rows: Cell[][]
  /** Shown below the rows, such as that there are more. */
  note: string | undefined
}

/** The content of a spreadsheet file. */
export interface Workbook {
  title: string
  /** Milliseconds since the epoch. */
  created: number
  /** The first sheet: pairs of a label and a value; without a label, a continued list. */
  facts: [label: string, value: Fact][]
  /** The table below the facts, its heading first. */
  contents: Fact[][]
  sheets: Sheet[]
}
