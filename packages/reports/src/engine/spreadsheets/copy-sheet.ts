import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CsvOptions } from '../../definitions/definition.ts'
import type { TextForm } from '../data/csv/known-columns.ts'
import type { CsvReading, copyCsv } from '../data/csv/read-csv.ts'
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
export type SheetCsv = Pick<Parameters<typeof copyCsv>[4], 'known' | 'written' | 'mixed' | 'lineAt'>

/**
 * Uses the CSV of a converted sheet, and deletes it.
 * @param formsOf returns for each heading how its cells become texts; undefined of other columns
 */
export const withConvertedSheet = async <T>(
  { folder, file }: { folder: string; file: string },
  order: SheetOrder,
  formsOf: (headings: string[]) => (TextForm | undefined)[],
  use: (answer: SheetAnswer, csv: string) => Promise<T>,
): Promise<T> => {
  const csv = join(folder, `planilha-${randomUUID()}.csv`)
  try {
    const answer = await readSheet({ file, csv, order })
    const texts = 'fault' in answer ? [] : textsOf(answer.sheet, formsOf)
    if (texts.length === 0) return await use(answer, csv)
    // Only the headings say which columns have to be texts; the CSV has canonical values of them.
    await rm(csv)
    return await use(await readSheet({ file, csv, order: { ...order, texts } }), csv)
  } finally {
    await rm(csv, { force: true })
  }
}

/** Returns the columns with values that have to be texts of another form than they were converted to. */
const textsOf = (
  { columns }: ConvertedSheet,
  formsOf: (headings: string[]) => (TextForm | undefined)[],
): NonNullable<SheetOrder['texts']> => {
  const wanted = formsOf(columns.map(({ name }) => name))
  return columns.flatMap(({ name, known, hasValues, hasUndecided }, index) => {
    const form = wanted[index]
    // A column of one kind was converted to canonical values, and a mixed one as it is shown.
    const converted = known && known.type !== 'text' ? 'canonical' : 'shown'
    return form && hasValues && (hasUndecided || form !== converted) ? [{ name, form }] : []
  })
}

/** Copies the CSV of a converted sheet by `copy`, and says what the author should know of the sheet. */
export const copySheet = async <T extends { reading: CsvReading }>(
  { sheet: { columns, lines, notices, mixtures } }: ReadableSheet['answer'],
  notice: (sentence: string) => void,
  copy: (sheet: SheetCsv, notice: (sentence: string) => void) => Promise<T>,
): Promise<T> => {
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
    mixed: new Set(mixtures.map(({ name }) => name)),
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
const rowOf = (lines: ConvertedSheet['lines'], record: number): number => {
  const [first, row] = lines.findLast(([one]) => one <= record) ?? [1, 1]
  return row + record - first
}
