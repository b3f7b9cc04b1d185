import type { Database } from '../../../engine/data/database/database.ts'
import type { KeptChoices } from '../../../engine/data/parquet/parquet-metadata.ts'
import { copySheet, type ReadableSheet } from '../../../engine/spreadsheets/copy-sheet.ts'
import type { SheetOrder } from '../../../engine/spreadsheets/sheet-answer.ts'
import type { FileChoices } from './file-choices.ts'
import {
  type CopiedCsv,
  type CopyDraft,
  copyDraftCsv,
  isWithoutHeading,
  type ReplacedTable,
} from './read-draft-csv.ts'

/**
 * Returns where a spreadsheet has its rows. Those that replace a table are in the chosen sheet, or
 * in the one that was published, below the row that has all columns of the table.
 */
export const orderOf = (
  choices: FileChoices,
  replaced: ReplacedTable | undefined,
  before: KeptChoices | undefined,
): SheetOrder => {
  const { sheet, heading } = choices
  return {
    sheet: sheet ?? replaced?.sheet,
    isOptional: sheet === undefined,
    heading,
    isWithoutHeading: isWithoutHeading(choices, before),
    expected: replaced?.columns,
  }
}

/** Copies a converted sheet into a table, and returns its columns with their names. */
export const copyDraftSheet = (
  database: Database,
  { answer, csv }: ReadableSheet,
  target: string,
  options: CopyDraft,
): Promise<CopiedCsv> =>
  copySheet(answer, options.notice, (sheet, notice) =>
    copyDraftCsv(database, csv, target, { ...options, notice }, { ...sheet, sheet: answer.choice.sheet }),
  )
