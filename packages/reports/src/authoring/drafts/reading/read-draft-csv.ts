import { ownValue } from '@bi-manager/contract/own-value'
import type { CsvType } from '../../../definitions/definition.ts'
import type { KeptDates, KeptNotations } from '../../../engine/data/csv/csv-decision.ts'
import type { HeadingSearch } from '../../../engine/data/csv/csv-layout.ts'
import { type CsvReading, copyCsv } from '../../../engine/data/csv/read-csv.ts'
import type { Database } from '../../../engine/data/database/database.ts'
import { isPublished, type KeptChoices, readChoices } from '../../../engine/data/parquet/parquet-metadata.ts'
import { SHEET_CSV, type SheetCsv } from '../../../engine/spreadsheets/copy-sheet.ts'
import type { FileChoices } from './file-choices.ts'
import type { TypicalSizes } from './typical-sizes.ts'

/** A published table. */
export interface ReplacedTable {
  /** Its file; undefined of a table that a folder has as CSV. */
  parquet: string | undefined
  /** The decimal mark in the definition of a CSV. */
  decimal: ',' | '.' | undefined
  /** The sheet of a spreadsheet from which its rows come. */
  sheet: string | undefined
  /** How dates were read, of a spreadsheet that a folder has. */
  dates: KeptDates | undefined
  /** The possible names of each of its columns, in lower case. */
  columns: string[][]
  /** The names of its columns of numbers. */
  numbers: ReadonlySet<string>
  /** The names of its columns of days. */
  days: ReadonlySet<string>
  /** The texts of its columns with few different ones, by their names. */
  spellings: ReadonlyMap<string, string[]>
  /** How large the numbers of its columns are. */
  sizes: TypicalSizes
}

export interface CopyDraft {
  /** Types of columns by name; the others are detected. */
  types: Record<string, CsvType>
  /** @throws DefinitionError when the headings are not accepted */
  namesOf: (headings: string[]) => string[]
  quotesData: boolean
  choices: FileChoices
  replaced: ReplacedTable | undefined
  /** How the data that are replaced were read. */
  before: KeptChoices | undefined
  notice: (sentence: string) => void
}

/** The CSV that a contained process made of a sheet. */
interface NamedSheetCsv extends SheetCsv {
  /** The name of the sheet. */
  sheet: string
}

export interface CopiedCsv {
  columns: (CsvReading['columns'][number] & { label: string })[]
  reading: CsvReading
  /** What later data of the table are read with. */
  kept: KeptChoices
}

/** Copies the CSV of a draft, or of a sheet, into a table, and returns its columns with their names. */
export const copyDraftCsv = async (
  database: Database,
  file: string,
  target: string,
  { types, namesOf, quotesData, choices, replaced, before, notice }: CopyDraft,
  sheet?: NamedSheetCsv,
): Promise<CopiedCsv> => {
  let names: string[] = []
  const typesOf = (headings: string[]) => {
    names = namesOf(headings)
    const chosen = headings.flatMap((heading, index) => {
      const type = ownValue(types, names[index] ?? '')
      return type ? [[heading, type] as const] : []
    })
    return Object.fromEntries(chosen)
  }
  // Called after the names are known.
  const headingsOf = (columns: ReadonlySet<string> | undefined) => (headings: string[]) =>
    new Set(headings.filter((_heading, index) => columns?.has(names[index] ?? '')))
  const withoutHeading = isWithoutHeading(choices, before)
  const withoutTotals = choices.withoutTotals ?? before?.withoutTotals ?? false
  const withoutBalances = choices.withoutTotals ?? before?.withoutBalances ?? false
  // Filters, bookmarks and role conditions of a published table may compare its marks.
  const emptiesTexts = before ? before.emptiesTexts : replaced === undefined
  const draft = {
    typesOf,
    emptiesTexts,
    signsOf: headingsOf(new Set(before?.signs)),
    numbersOf: headingsOf(replaced?.numbers),
    daysOf: headingsOf(replaced?.days),
    isReplacement: replaced !== undefined,
    search: sheet ? { heading: SHEET_HEADING } : searchFor(choices, replaced, before),
    withoutTotals,
    withoutBalances,
    kept: await notationsBefore(database, replaced, before),
    decimal: choices.decimal,
    dateOrder: choices.dateOrder,
  }
  const { known, written, mixed, lineAt, sheet: sheetName } = sheet ?? {}
  const reading = await copyCsv(database, file, target, sheet ? SHEET_CSV : {}, {
    notice,
    quotesData,
    draft,
    known,
    written,
    mixed,
    lineAt,
  })
  return {
    columns: reading.columns.map((column) => ({
      ...column,
      label: column.name,
      name: names[reading.headings.indexOf(column.name)] ?? column.name,
    })),
    reading,
    kept: {
      ...keptMark(reading, choices, markBefore(replaced, before)),
      ...keptDates(reading, datesBefore(replaced, before)),
      withoutTotals,
      withoutBalances,
      emptiesTexts,
      signs: before?.signs ?? [],
      // A later file may be of the other kind again.
      sheet: sheetName ?? before?.sheet ?? replaced?.sheet,
      withoutHeading,
    },
  }
}

/** The CSV of a sheet has its names in the first line. */
const SHEET_HEADING = { first: 1, count: 1 } as const

/** Whether a person said so, of this file or of an earlier one of the table. */
export const isWithoutHeading = ({ heading }: FileChoices, before: KeptChoices | undefined): boolean =>
  heading ? heading.count === 0 : (before?.withoutHeading ?? false)

/** Returns where a CSV has its heading: where a person chose it, or where the columns of the table are. */
export const searchFor = (
  choices: FileChoices,
  replaced: ReplacedTable | undefined,
  before: KeptChoices | undefined,
): HeadingSearch => ({
  heading: choices.heading,
  expected: replaced?.columns,
  isWithoutHeading: isWithoutHeading(choices, before),
})

/** Returns what a Parquet file keeps, which has no notations: the choices for the files before it. */
export const keptOverParquet = (
  replaced: ReplacedTable | undefined,
  before: KeptChoices | undefined,
): KeptChoices =>
  before ?? {
    decimal: replaced?.decimal ?? null,
    evidence: 'none',
    dateOrder: replaced?.dates?.order ?? null,
    dateEvidence: replaced?.dates?.evidence ?? 'none',
    withoutTotals: false,
    withoutBalances: false,
    withoutHeading: false,
    emptiesTexts: false,
    signs: [],
    sheet: replaced?.sheet,
  }

export const choicesBefore = async (
  database: Database,
  replaced: ReplacedTable | undefined,
): Promise<KeptChoices | undefined> =>
  replaced?.parquet === undefined ? undefined : readChoices(database, replaced.parquet)

/** Returns the decimal mark; without a number that has one, that of earlier data still holds. */
const keptMark = (
  reading: CsvReading,
  choices: FileChoices,
  before: KeptNotations['mark'],
): Pick<KeptChoices, 'decimal' | 'evidence'> => {
  const decimal = reading.decimal ?? choices.decimal ?? before?.decimal ?? null
  const way = before && { way: before.decimal, evidence: before.evidence }
  return { decimal, evidence: keptEvidence(decimal, reading.evidence, way) }
}

/** Returns the order of dates; without a date with slashes, that of earlier data still holds. */
const keptDates = (
  reading: CsvReading,
  before: KeptDates | undefined,
): Pick<KeptChoices, 'dateOrder' | 'dateEvidence'> => {
  const dateOrder = reading.dateOrder ?? before?.order ?? null
  const way = before && { way: before.order, evidence: before.evidence }
  return { dateOrder, dateEvidence: keptEvidence(dateOrder, reading.dateEvidence, way) }
}

/**
 * Returns the evidence for later data. What a person answered about files that show another mark or
 * order, or both, still holds after a file that contradicts nothing.
 */
const keptEvidence = <Way extends string>(
  way: Way | null,
  evidence: Way | 'both' | 'none',
  before: { way: Way; evidence: Way | 'both' | 'none' } | undefined,
): Way | 'both' | 'none' => {
  const isAsBefore = before?.way === way && (evidence === 'none' || evidence === way)
  return isAsBefore && before && before.evidence !== 'none' ? before.evidence : evidence
}

const markBefore = (
  replaced: ReplacedTable | undefined,
  before: KeptChoices | undefined,
): KeptNotations['mark'] => {
  if (before?.decimal) return { decimal: before.decimal, evidence: before.evidence }
  return replaced?.decimal && { decimal: replaced.decimal, evidence: 'none' }
}

const datesBefore = (
  replaced: ReplacedTable | undefined,
  before: KeptChoices | undefined,
): KeptDates | undefined =>
  before?.dateOrder ? { order: before.dateOrder, evidence: before.dateEvidence } : replaced?.dates

/** Returns how the replaced table was read. */
const notationsBefore = async (
  database: Database,
  replaced: ReplacedTable | undefined,
  kept: KeptChoices | undefined,
): Promise<KeptNotations | 'as before' | undefined> => {
  if (!replaced) return undefined
  const [mark, dates] = [markBefore(replaced, kept), datesBefore(replaced, kept)]
  if (kept || mark) return { mark, dates }
  // The sheet of a folder, which has no delimiter: its texts are asked about, as when it was published.
  if (replaced.sheet !== undefined) return dates && { dates }
  // The Parquet file of a folder has no delimiter either.
  if (replaced.parquet !== undefined && !(await isPublished(database, replaced.parquet)))
    return dates && { dates }
  // Published by an earlier version, or the CSV of a folder: both let the delimiter decide.
  return 'as before'
}
