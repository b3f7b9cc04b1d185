import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ownValue } from '@bi-manager/contract/own-value'
import type { CsvOptions } from '../../definitions/definition.ts'
import { DefinitionError } from '../../definitions/definition-error.ts'
import type { Scale } from '../data/columns/column-scales.ts'
import type { KeptDates } from '../data/csv/csv-decision.ts'
import { type CsvReading, copyCsv } from '../data/csv/read-csv.ts'
import type { Database } from '../data/database/database.ts'
import { requirePlainFile } from '../data/database/plain-file.ts'
import { copyParquet } from '../data/parquet/copy-parquet.ts'
import { readChoices, readHeadings, readScales } from '../data/parquet/parquet-metadata.ts'
import { copySheet, SHEET_CSV, withConvertedSheet } from '../spreadsheets/copy-sheet.ts'
import { refuseOtherSpreadsheets } from '../spreadsheets/file-kind.ts'
import { SheetReaderFailed } from '../spreadsheets/read-sheet.ts'
import { UnreadableSheet } from '../spreadsheets/unreadable-sheet.ts'

interface CopiedFile {
  /** The scales of numbers, where they are known. */
  scales: ReadonlyMap<string, Scale>
  /** Headings by the columns' names, where they differ. */
  headings: ReadonlyMap<string, string>
  /** The sheet from which the rows come. */
  sheet?: string | undefined
  /** How the dates among the texts of a spreadsheet were read, for the rows that replace them. */
  dates?: KeptDates | undefined
}

interface CopyOptions {
  notice: (sentence: string) => void
  /** Whether sentences may contain values of the file. */
  quotesData: boolean
  /** Otherwise only the columns are copied. */
  withRows: boolean
  /** Whether the file is published already: its author has been told what the rows seem to be. */
  isPublished?: boolean | undefined
}

/**
 * Copies a file of a published folder into a table.
 * @throws DefinitionError
 */
export const copyFile = async (
  database: Database,
  file: string,
  target: string,
  csv: CsvOptions | undefined,
  options: CopyOptions,
): Promise<CopiedFile> => {
  await requirePlainFile(file)
  if (file.endsWith('.parquet')) {
    if (csv) throw new DefinitionError('csv: não para arquivos .parquet')
    await copyParquet(database, file, target, options)
    const [scales, headings] = [await readScales(database, file), await readHeadings(database, file)]
    return { scales, headings, sheet: (await readChoices(database, file))?.sheet }
  }
  const isSheet = /\.xls[xm]$/.test(file)
  for (const field of isSheet ? OF_CSV : OF_SHEETS)
    if (csv?.[field] !== undefined)
      throw new DefinitionError(`csv.${field}: ${isSheet ? 'não para planilhas' : 'só para planilhas'}`)
  if (isSheet) return copySpreadsheet(database, file, target, csv ?? {}, options)
  const { columns } = await copyCsv(database, file, target, csv, options)
  return { scales: scalesOf(columns), headings: new Map() }
}

const OF_CSV = ['delimiter', 'encoding'] as const
const OF_SHEETS = ['sheet', 'headingRow', 'headingRows'] as const

/** Reads a spreadsheet as the portal does: in its contained process, with questions for what is in doubt. */
const copySpreadsheet = async (
  database: Database,
  file: string,
  target: string,
  { sheet, headingRow: first, headingRows, decimal, types = {} }: CsvOptions,
  { notice, quotesData, withRows, isPublished }: CopyOptions,
): Promise<CopiedFile> => {
  if (headingRows !== undefined && first === undefined)
    throw new DefinitionError('csv.headingRows: diga também csv.headingRow, a primeira linha do cabeçalho')
  const heading = first === undefined ? undefined : { first, count: headingRows ?? 1 }
  const order = { sheet, heading, quotesData }
  const folder = await mkdtemp(join(tmpdir(), 'bi-manager-planilha-'))
  try {
    await refuseOtherSpreadsheets(file, basename(file))
    const formsOf = (headings: string[]) =>
      headings.map((heading) => (ownValue(types, heading) === 'text' ? ('shown' as const) : undefined))
    return await withConvertedSheet({ folder, file }, order, formsOf, async (answer, text) => {
      if ('fault' in answer) throw new UnreadableSheet(answer.fault)
      const { reading } = await copySheet(answer, notice, async (known, say) => {
        const search = { heading: { first: 1, count: 1 } as const }
        const draft = { typesOf: () => types, search, decimal, isInFolder: true }
        const read = { ...known, notice: say, quotesData, withRows, isPublished, draft }
        return { reading: await copyCsv(database, text, target, SHEET_CSV, read) }
      })
      const { doubts, columns, dateOrder, dateEvidence } = reading
      const doubt = doubts.mark ?? doubts.dates
      if (doubt !== undefined) throw new DefinitionError(doubt)
      return {
        scales: scalesOf(columns),
        headings: new Map(),
        sheet: answer.choice.sheet,
        dates: dateOrder ? { order: dateOrder, evidence: dateEvidence } : undefined,
      }
    })
  } catch (error) {
    // It quotes only names of columns and sheets.
    if (error instanceof UnreadableSheet) throw new DefinitionError(error.message)
    if (!(error instanceof SheetReaderFailed)) throw error
    throw new DefinitionError(`o leitor de planilhas não funcionou${quotesData ? `: ${error.message}` : ''}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const scalesOf = (columns: CsvReading['columns']): ReadonlyMap<string, Scale> =>
  new Map(
    columns.flatMap(({ name, type, shownAs }) =>
      type === 'number' || type === 'integer'
        ? [[name, { unit: shownAs === 'percent' ? 'share' : 'plain' }] as const]
        : [],
    ),
  )
