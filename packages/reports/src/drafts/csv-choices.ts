import { z } from 'zod'
import { withUtf8 } from '../engine/data/csv-encoding.ts'
import type { DraftChoices } from '../engine/data/read-csv.ts'
import { readFirstRows } from '../engine/data/scan-csv.ts'
import { PLACE } from './place.ts'

/** Fields of a call with which an author says how a CSV is read; what is omitted is detected. */
export const CHOICES = {
  ...PLACE,
  /** The decimal mark of columns that both marks fit. */
  decimal: z.enum([',', '.']).optional(),
  /** True: rows of totals are left out. */
  withoutTotals: z.boolean().optional(),
}
const Choices = z.object(CHOICES)

export const csvChoicesOf = ({ heading, decimal, withoutTotals }: z.infer<typeof Choices>): DraftChoices => ({
  headerLine: heading?.first,
  decimal,
  withoutTotals,
})

/** What was read of the file, and what may be chosen instead. */
export interface DraftChoice {
  /** Empty: a CSV has no sheets. */
  sheets: string[]
  heading: { first: number; count: 1 }
  /** The first rows with something in them. */
  rows: { row: number; text: string }[]
}

/** Returns the rows of a CSV from which its heading is chosen; undefined of a file that is no text. */
export async function choiceInCsv(
  file: string,
  headerLine: number | undefined,
): Promise<DraftChoice | undefined> {
  try {
    const { line, rows } = await withUtf8(file, (text) => readFirstRows(text, headerLine))
    return { sheets: [], heading: { first: line, count: 1 }, rows }
  } catch {
    // The fault of the reading says more.
    return undefined
  }
}
