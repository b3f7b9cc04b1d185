import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../engine/data/database.ts'
import { readSheet } from '../spreadsheets/read-sheet.ts'
import type { ConvertedSheet, SheetAnswer, SheetOrder } from '../spreadsheets/sheet-answer.ts'
import type { FileChoices } from './file-choices.ts'
import { type CopiedCsv, type CopyDraft, copyDraftCsv, type ReplacedTable } from './read-draft-csv.ts'

/** A spreadsheet as the contained process has converted it. */
export interface ReadableSheet {
  answer: Extract<SheetAnswer, { sheet: object }>
  csv: string
}

/**
 * Returns where a spreadsheet has its rows. Those that replace a table are in the chosen sheet, or
 * in the one that was published, below the row that has all columns of the table.
 */
export const orderOf = (
  { sheet, heading }: FileChoices,
  replaced: ReplacedTable | undefined,
): SheetOrder => ({
  sheet: sheet ?? replaced?.sheet,
  isOptional: sheet === undefined,
  heading,
  ...(replaced && !heading && { expected: replaced.columns }),
})

/**
 * Uses the CSV of a converted sheet, and deletes it.
 * @param isText whether each of the columns has to be a text, by their headings
 */
export async function withConvertedSheet<T>(
  { folder, file }: { folder: string; file: string },
  order: SheetOrder,
  isText: (headings: string[]) => boolean[],
  use: (answer: SheetAnswer, csv: string) => Promise<T>,
): Promise<T> {
  const csv = join(folder, `planilha-${randomUUID()}.csv`)
  try {
    const answer = await readSheet({ file, csv, order })
    const texts = 'fault' in answer ? [] : textsOf(answer.sheet, isText)
    if (texts.length === 0) return await use(answer, csv)
    // Only the headings say which columns have to be texts; the CSV has canonical values of them.
    await rm(csv)
    return await use(await readSheet({ file, csv, order: { ...order, texts } }), csv)
  } finally {
    await rm(csv, { force: true })
  }
}

/** Returns the columns that were converted to another type, and have to be texts. */
function textsOf({ columns }: ConvertedSheet, isText: (headings: string[]) => boolean[]): string[] {
  const wanted = isText(columns.map(({ name }) => name))
  return columns.flatMap(({ name, known }, index) =>
    known && known.type !== 'text' && wanted[index] ? [name] : [],
  )
}

/** Copies a converted sheet into a table, and returns its columns with their names. */
export async function copySheet(
  database: Database,
  { answer, csv }: ReadableSheet,
  target: string,
  options: CopyDraft,
): Promise<CopiedCsv> {
  const { columns, lines, notices, mixtures } = answer.sheet
  const { notice } = options
  for (const sentence of notices) notice(sentence)
  const said: string[] = []
  const sayOnce = (sentence: string) => {
    said.push(sentence)
    notice(sentence)
  }
  const copied = await copyDraftCsv(
    database,
    csv,
    target,
    { ...options, notice: sayOnce },
    {
      sheet: answer.choice.sheet,
      known: new Map(columns.flatMap(({ name, known }) => (known ? [[name, known]] : []))),
      written: {
        commas: new Set(columns.flatMap(({ name, hasOwnCommas }) => (hasOwnCommas ? [name] : []))),
        dates: new Set(columns.flatMap(({ name, hasOwnDates }) => (hasOwnDates ? [name] : []))),
      },
      lineAt: (record) => rowOf(lines, record),
    },
  )
  for (const { name, sentence } of mixtures) {
    const isText = copied.columns.some((column) => column.label === name && column.type === 'text')
    const isSaid = said.some((one) => one.startsWith(`a coluna ${name} fica como texto`))
    if (isText && !isSaid) notice(sentence)
  }
  return copied
}

/** Returns the row of the sheet from which a record of its CSV comes. */
function rowOf(lines: ConvertedSheet['lines'], record: number): number {
  const [first, row] = lines.findLast(([one]) => one <= record) ?? [1, 1]
  return row + record - first
}
