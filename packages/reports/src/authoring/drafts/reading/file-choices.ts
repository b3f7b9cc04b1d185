import { z } from 'zod'
import { withUtf8 } from '../../../engine/data/csv/csv-encoding.ts'
import type { HeadingSearch } from '../../../engine/data/csv/csv-layout.ts'
import { readFirstRows } from '../../../engine/data/csv/scan-csv.ts'
import { HeadingRows, type SheetChoice } from '../../../engine/spreadsheets/sheet-answer.ts'

/** Fields of a call with which an author says where the rows of a file are. */
const PLACE = {
  /** The name of a sheet. */
  sheet: z.string().min(1).max(200).optional(),
  /** The row of the heading, from 1; with two rows, the first of them; with none, that of the values. */
  heading: HeadingRows.optional(),
}

/** Fields of a call with which an author says how a file is read; what is omitted is detected. */
export const CHOICES = {
  ...PLACE,
  /** The decimal mark of columns that both marks fit. */
  decimal: z.enum([',', '.']).optional(),
  /** The order of dates that both orders fit. */
  dateOrder: z.enum(['dayFirst', 'monthFirst']).optional(),
  /** True: rows of totals are left out. */
  withoutTotals: z.boolean().optional(),
}
const Choices = z.object(CHOICES)
export type FileChoices = z.infer<typeof Choices>

/** What was read of the file, and what may be chosen instead. A CSV has no sheets. */
export type DraftChoice = Omit<SheetChoice, 'sheet'> & { sheet?: string }

/** Returns the rows of a CSV from which its heading is chosen; undefined of a file that is no text. */
export const choiceInCsv = async (file: string, search: HeadingSearch): Promise<DraftChoice | undefined> => {
  try {
    return { sheets: [], ...(await withUtf8(file, (text) => readFirstRows(text, search))) }
  } catch {
    // The fault of the reading says more.
    return undefined
  }
}
