import { z } from 'zod'
import { CsvType } from '../../definitions/definition.ts'
import type { TextForm } from '../data/csv/known-columns.ts'

/* What the service and its contained reader of spreadsheets say to each other. */

export const HeadingRows = z.object({
  first: z.int().min(1).max(1_048_576),
  count: z.union([z.literal(0), z.literal(1), z.literal(2)]),
})

/** What to read of a workbook. */
export interface SheetOrder {
  /** The name of a sheet; otherwise the first visible one. */
  sheet?: string | undefined
  /** Without the sheet, another one is read. */
  isOptional?: boolean | undefined
  heading?: z.infer<typeof HeadingRows> | undefined
  /** For each column that must be there, its possible names in lower case. */
  expected?: string[][] | undefined
  /** No row has the expected columns: then the sheet has no heading. */
  isWithoutHeading?: boolean | undefined
  /** Whether faults may contain headings of the sheet; true by default. */
  quotesData?: boolean | undefined
  /** Headings of columns whose cells become texts, whatever they are, and how. */
  texts?: { name: string; form: TextForm }[] | undefined
}

/** What was read, and what an author may choose instead. */
export const SheetChoice = z.object({
  /** The visible sheets. */
  sheets: z.array(z.string()),
  sheet: z.string(),
  heading: HeadingRows,
  /** The first rows with something in them. */
  rows: z.array(z.object({ row: z.int(), text: z.string() })),
})
export type SheetChoice = z.infer<typeof SheetChoice>

export const ConvertedSheet = z.object({
  columns: z.array(
    z.object({
      name: z.string(),
      /** Missing for texts, whose notation is detected like that of a CSV. */
      known: z
        .object({
          type: CsvType,
          shownAs: z.enum(['money', 'foreign', 'percent']).optional(),
          isPartlyPercent: z.boolean().optional(),
        })
        .optional(),
      /** Some of its cells are neither texts nor codes, which are the same in both forms of texts. */
      hasValues: z.boolean().optional(),
      /** Its texts have decimal commas that the reader wrote. */
      hasOwnCommas: z.boolean().optional(),
      /** Its texts have dates, with the day first, that the reader wrote. */
      hasOwnDates: z.boolean().optional(),
      /** Its merged cells have texts that are repeated if it is a column of texts. */
      hasUndecided: z.boolean().optional(),
    }),
  ),
  /** Rows of the sheet by records of the CSV, where their difference changes: `[record, row]`. */
  lines: z.array(z.tuple([z.int(), z.int()])),
  notices: z.array(z.string()),
  /** Columns that mix kinds of cells: the sentence holds if they stay text. */
  mixtures: z.array(z.object({ name: z.string(), sentence: z.string() })),
})
export type ConvertedSheet = z.infer<typeof ConvertedSheet>

export const SheetAnswer = z.union([
  z.object({ choice: SheetChoice, sheet: ConvertedSheet }),
  /** A sentence that follows the name of the file. */
  z.object({ choice: SheetChoice.optional(), fault: z.string().max(10_000) }),
])
export type SheetAnswer = z.infer<typeof SheetAnswer>
