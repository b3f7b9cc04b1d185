import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CsvReading, copyCsv } from '../engine/data/read-csv.ts'
import type { CsvOptions } from '../engine/definitions/definition.ts'
import { readSheet } from './read-sheet.ts'
import type { ConvertedSheet, SheetAnswer, SheetOrder } from './sheet-answer.ts'

/** A spreadsheet as the contained process has converted it. */
export interface ReadableSheet {
  answer: Extract<SheetAnswer, { sheet: object }>
  csv: string
}

/** How the contained process writes the CSV of a sheet. */
export const SHEET_CSV: CsvOptions = { delimiter: ';', encoding: 'utf-8' }

/** What the contained process knows of the CSV. */
export type SheetCsv = Pick<Parameters<typeof copyCsv>[4], 'known' | 'written' | 'lineAt'>

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

/** Returns the columns that were converted as if they had another type, and have to be texts. */
function textsOf({ columns }: ConvertedSheet, isText: (headings: string[]) => boolean[]): string[] {
  const wanted = isText(columns.map(({ name }) => name))
  return columns.flatMap(({ name, known, hasUndecided }, index) =>
    wanted[index] && (hasUndecided || (known && known.type !== 'text')) ? [name] : [],
  )
}

/** Copies the CSV of a converted sheet by `copy`, and says what the author should know of the sheet. */
export async function copySheet<T extends { reading: CsvReading }>(
  { sheet: { columns, lines, notices, mixtures } }: ReadableSheet['answer'],
  notice: (sentence: string) => void,
  copy: (sheet: SheetCsv, notice: (sentence: string) => void) => Promise<T>,
): Promise<T> {
  for (const sentence of notices) notice(sentence)
  const said: string[] = []
  const sayOnce = (sentence: string) => {
    said.push(sentence)
    notice(sentence)
  }
  const sheet: SheetCsv = {
    known: new Map(columns.flatMap(({ name, known }) => (known ? [[name, known]] : []))),
    written: {
      commas: new Set(columns.flatMap(({ name, hasOwnCommas }) => (hasOwnCommas ? [name] : []))),
      dates: new Set(columns.flatMap(({ name, hasOwnDates }) => (hasOwnDates ? [name] : []))),
    },
    lineAt: (record) => rowOf(lines, record),
  }
  const copied = await copy(sheet, sayOnce)
  for (const { name, sentence } of mixtures) {
    const isText = copied.reading.columns.some((column) => column.name === name && column.type === 'text')
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
