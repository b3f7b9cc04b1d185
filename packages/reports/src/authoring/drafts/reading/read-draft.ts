import { ownValue } from '@bi-manager/contract/own-value'
import { columnNames } from '../../../definitions/column-names.ts'
import type { CsvType } from '../../../definitions/definition.ts'
import { DefinitionError } from '../../../definitions/definition-error.ts'
import { headingText } from '../../../definitions/heading-text.ts'
import { type Scale, type Scaling, scaledSql } from '../../../engine/data/columns/column-scales.ts'
import { type Database, QueryTimeout, quote } from '../../../engine/data/database/database.ts'
import { createDatabaseProcess } from '../../../engine/data/database/database-process.ts'
import { requirePlainFile } from '../../../engine/data/database/plain-file.ts'
import { type KeptChoices, metadataOption } from '../../../engine/data/parquet/parquet-metadata.ts'
import { sentenceOf } from '../../../engine/loading/load-dataset.ts'
import { type ReadableSheet, withConvertedSheet } from '../../../engine/spreadsheets/copy-sheet.ts'
import { refuseOtherSpreadsheets } from '../../../engine/spreadsheets/file-kind.ts'
import { SheetReaderFailed } from '../../../engine/spreadsheets/read-sheet.ts'
import { UnreadableSheet } from '../../../engine/spreadsheets/unreadable-sheet.ts'
import { shownExpression } from '../../../engine/sql/cell-expressions.ts'
import type { Draft } from '../files/draft-files.ts'
import { type Evidence, readEvidence } from './column-evidence.ts'
import { storeRows, withholdRows } from './draft-rows.ts'
import { countValues, labelWithUnit, signColumns } from './draft-values.ts'
import { choiceInCsv, type DraftChoice, type FileChoices } from './file-choices.ts'
import { restoreZeros } from './lost-zeros.ts'
import { remarkParquet } from './parquet-remarks.ts'
import {
  type CopiedCsv,
  type CopyDraft,
  choicesBefore,
  copyDraftCsv,
  keptOverParquet,
  type ReplacedTable,
  searchFor,
} from './read-draft-csv.ts'
import { copyDraftParquet } from './read-draft-parquet.ts'
import { copyDraftSheet, orderOf } from './read-draft-sheet.ts'
import { remarkRepeated } from './repeated-rows.ts'
import { remarkSimilar } from './similar-values.ts'
import { formSentence, type PublishedForm, textFormsOf } from './text-forms.ts'
import { changedSizes, readTypicalSizes } from './typical-sizes.ts'

export type DraftColumn = {
  /** The name in SQL and in definitions. */
  name: string
  /** The heading in the file; once the draft is read, with its unit. */
  label: string
  /** What a row of units below the heading says, such as 'R$ mil'. */
  unit?: string | undefined
  /** `other`: a type of a Parquet file that no CSV has. */
  type: CsvType | 'other'
  shownAs: 'money' | 'foreign' | 'percent' | undefined
  /** A spreadsheet shows some of the numbers as percentages, and others not: a sum means nothing. */
  isPartlyPercent?: boolean | undefined
  /** The file writes its numbers with groups of thousands or with cents, as no code is. */
  isAmount?: boolean | undefined
  /** The decimal mark of the file decides what its numbers are. */
  fitsBothMarks: boolean
  /** The order of dates of the file decides what its days are. */
  fitsBothOrders: boolean
  /** The number of different values; approximate with many rows. */
  distinct: number
  /** Whether each row has its own value: a number of such a column is a key, not an amount. */
  isKey: boolean
  evidence: Evidence
}

/** How the numbers and rows of a CSV or of a spreadsheet were read. */
export interface ReadingChoices {
  /** Null when no number has a decimal mark, or when nothing decides it. */
  decimal: ',' | '.' | null
  /** Whether the author has to choose the decimal mark. */
  isInDoubt: boolean
  /** Null without a date with slashes, or when nothing decides it. */
  dateOrder: 'dayFirst' | 'monthFirst' | null
  /** Whether the author has to choose the order of dates. */
  isOrderInDoubt: boolean
  /** Rows that seem to be totals, and whether they were left out. */
  totals: number
  withoutTotals: boolean
}
export const NOTHING_CHOSEN: ReadingChoices = {
  decimal: null,
  isInDoubt: false,
  dateOrder: null,
  isOrderInDoubt: false,
  totals: 0,
  withoutTotals: false,
}

export type DraftReading =
  | { faults: string[]; choice?: DraftChoice | undefined }
  | (ReadingChoices & {
      faults: []
      choice?: DraftChoice | undefined
      /** Sentences that say why the rows cannot be published before a notation is chosen. */
      doubts: string[]
      remarks: string[]
      /** Sentences about published columns whose values may not be what they were. */
      rewritten: string[]
      rows: number
      columns: DraftColumn[]
      /** The first rows, as DuckDB writes them; null without a value. */
      preview: (string | null)[][]
    })

const PREVIEW_ROWS = 20
/** Milliseconds to read the rows and to store them: other people may be waiting for it. */
const READING_MS = 80_000
const TABLE = 'lido'

type ReadOptions = {
  /** Types of the columns of a CSV or of a spreadsheet by name; the others are detected. */
  types: Record<string, CsvType>
  /**
   * Returns the name of each heading.
   * @throws DefinitionError when the headings are not accepted
   */
  namesOf?: (headings: string[]) => string[]
  /** Whether faults may contain values of the file; true by default. Without it, there is no choice. */
  quotesData?: boolean | undefined
  /** Returns how the numbers of a column are kept; by default, as they are read. */
  scalingFor?: (column: ReadColumn, isFraction: boolean) => Scaling | undefined
  /** What the author chose for this file. */
  choices?: FileChoices | undefined
  /** The table whose rows the draft replaces: how it was read applies to what was not chosen. */
  replaced?: ReplacedTable | undefined
  /** The clock of the report, if it is not that of the portal. */
  timeZone?: string | undefined
  /** Milliseconds after which the reading of the rows ends. */
  mostMs?: number | undefined
}

interface Options {
  types: Record<string, CsvType>
  namesOf: (headings: string[]) => string[]
  quotesData: boolean
  choices: FileChoices
  replaced: ReplacedTable | undefined
  scalingFor: (column: ReadColumn, isFraction: boolean) => Scaling | undefined
  /** How the cells of a spreadsheet become the texts of published columns, by their names. */
  forms: ReadonlyMap<string, PublishedForm>
}

/**
 * Reads a draft, and stores its rows as they are published. In a separate process, because a file
 * may need more memory than there is.
 */
export const readDraft = async (
  draft: Draft,
  {
    types,
    namesOf = columnNames,
    quotesData = true,
    choices = {},
    replaced,
    scalingFor = asRead,
    timeZone,
    mostMs = READING_MS,
  }: ReadOptions,
  memoryMegabytes: number,
): Promise<DraftReading> => {
  const forms = new Map<string, PublishedForm>()
  const options: Options = { types, namesOf, quotesData, choices, replaced, scalingFor, forms }
  const faultsOf = (error: unknown, choice?: DraftChoice): DraftReading => {
    // It quotes only names of columns and sheets.
    const sentence = error instanceof UnreadableSheet ? error.message : sentenceOf(error, quotesData)
    return { faults: [`${draft.name}: ${sentence}`], ...(choice && quotesData && { choice }) }
  }
  const inDatabase = async <T>(use: (database: Database) => Promise<T>): Promise<T> => {
    const databases = createDatabaseProcess({ memoryMegabytes })
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      void databases.close()
    }, mostMs)
    try {
      const zone = timeZone === undefined ? {} : { timeZone }
      return await use(await databases.open({ memoryMegabytes, timeoutMs: mostMs, loadMs: mostMs, ...zone }))
    } catch (error) {
      throw isLate || error instanceof QueryTimeout ? new DefinitionError(tooSlow(mostMs)) : error
    } finally {
      clearTimeout(limit)
      await databases.close()
    }
  }
  const readRows = async (sheet?: ReadableSheet): Promise<DraftReading> => {
    let before: KeptChoices | undefined
    try {
      return await inDatabase(async (database) => {
        before = await choicesBefore(database, replaced)
        return read(database, draft, options, before, sheet)
      })
    } catch (error) {
      // Another heading may be right.
      return faultsOf(error, sheet?.answer.choice ?? (await choiceOf(draft, options, before)))
    }
  }
  try {
    await requirePlainFile(draft.file)
    await refuseOtherSpreadsheets(draft.file, draft.name)
    if (draft.kind !== 'xlsx') return await readRows()
    const { parquet } = replaced ?? {}
    const before = await (parquet &&
      inDatabase(async (database) => {
        for (const [name, form] of await textFormsOf(database, parquet)) forms.set(name, form)
        return choicesBefore(database, replaced)
      }))
    const order = { ...orderOf(choices, replaced, before || undefined), quotesData }
    const formsOf = (headings: string[]) => {
      try {
        return namesOf(headings).map((name) =>
          ownValue(types, name) === 'text' ? (forms.get(name)?.form ?? 'shown') : undefined,
        )
      } catch (error) {
        // The reading of the rows says so too, and offers another heading.
        if (error instanceof DefinitionError) return []
        throw error
      }
    }
    return await withConvertedSheet(draft, order, formsOf, async (answer, csv) => {
      if ('fault' in answer) return faultsOf(new UnreadableSheet(answer.fault), answer.choice)
      return readRows({ answer, csv })
    })
  } catch (error) {
    if (error instanceof SheetReaderFailed) throw error
    return faultsOf(error)
  }
}

const tooSlow = (ms: number): string =>
  `a leitura passou de ${Math.ceil(ms / 1000)} segundos, o limite, e foi interrompida. Deixe no arquivo menos linhas ou colunas, ou envie-o como Parquet`

/** Returns the first rows of a CSV, for a choice of its heading. They have values of the file. */
const choiceOf = async (
  draft: Draft,
  { quotesData, choices, replaced }: Options,
  before: KeptChoices | undefined,
): Promise<DraftChoice | undefined> =>
  draft.kind === 'csv' && quotesData
    ? choiceInCsv(draft.file, searchFor(choices, replaced, before))
    : undefined

const read = async (
  database: Database,
  draft: Draft,
  options: Options,
  before: KeptChoices | undefined,
  sheet: ReadableSheet | undefined,
): Promise<DraftReading> => {
  const remarks: string[] = []
  const notice = (sentence: string) => remarks.push(`${draft.name}: ${sentence}`)
  const csv = await copyRows(database, draft, { ...options, before, notice }, sheet)
  const found: ReadColumn[] = csv?.columns ?? (await copyDraftParquet(database, draft.file, TABLE, options))
  const { replaced, quotesData } = options
  const restored = replaced ? await restoreZeros(database, TABLE, found, { replaced, quotesData }) : []
  const { rows, distinct } = await countValues(
    database,
    TABLE,
    found.map(({ label }) => label),
  )
  const evidence = await readEvidence(database, TABLE, found)
  // CSV and spreadsheets have marks of missing values instead.
  if (draft.kind === 'parquet')
    for (const sentence of await remarkParquet(database, TABLE, found, rows)) notice(sentence)
  const valued = found.map(({ label, type }, index) => ({ label, type, distinct: distinct[index] ?? 0 }))
  for (const sentence of await remarkSimilar(database, TABLE, valued, options.quotesData)) notice(sentence)
  const scalings = found.map((column, index) =>
    isNumber(column) ? options.scalingFor(column, evidence[index]?.isFraction === true) : undefined,
  )
  const columns = found.map(
    (column, index): DraftColumn => ({
      ...scaled(column, scalings[index]),
      evidence: evidence[index] as Evidence,
      distinct: distinct[index] ?? 0,
      // The count may be approximate.
      isKey: rows > 1 && (distinct[index] ?? 0) > rows * 0.9,
    }),
  )
  const scaledValue = (label: string, index: number) => scaledSql(quote(label), scalings[index]?.factor)
  // Long texts are cut: the answer stays small whatever the file holds.
  const sample = columns
    .map(({ label }, index) =>
      shownExpression(`(${scaledValue(label, index)})::VARCHAR`, 'VARCHAR', columns.length),
    )
    .join(', ')
  const preview = await database.query(`SELECT ${sample} FROM ${TABLE} LIMIT ${PREVIEW_ROWS}`)
  const headings = Object.fromEntries(columns.map(({ name, label }) => [name, headingText(label)]))
  const stored = columns
    .map(({ label, name }, index) => `${scaledValue(label, index)} AS ${quote(name)}`)
    .join(', ')
  const scales = Object.fromEntries<Scale>(
    columns.flatMap(({ name }, index) => {
      const scale = scalings[index]?.scale
      return scale ? [[name, scale] as const] : []
    }),
  )
  const { mark, dates } = csv?.reading.doubts ?? {}
  const doubts = [mark, dates].flatMap((doubt) => (doubt ? [`${draft.name}: ${doubt}`] : []))
  const select = `SELECT ${stored} FROM ${TABLE}`
  const names = columns.map(({ name }) => name)
  const published = replaced?.parquet
  for (const sentence of await remarkRepeated(database, select, { names, rows, published })) notice(sentence)
  const numbers = columns.filter(isNumber)
  const resized = replaced
    ? changedSizes(
        replaced.sizes,
        await readTypicalSizes(
          database,
          `(${select})`,
          numbers.map(({ name }) => name),
        ),
        numbers,
      )
    : []
  const texts = sheet ? columns.filter(({ type }) => type === 'text') : []
  const textForms = sheet
    ? Object.fromEntries(texts.map(({ name }) => [name, options.forms.get(name)?.form ?? ('shown' as const)]))
    : undefined
  const kept = csv?.kept ?? keptOverParquet(replaced, before)
  const choices = { ...kept, signs: await signColumns(database, TABLE, columns, kept.signs) }
  const [doubt] = doubts
  if (doubt) await withholdRows(draft, `${doubt}.`)
  else await storeRows(database, draft, select, metadataOption({ headings, scales, choices, textForms }))
  const inSheet = options.quotesData ? sheet?.answer.choice : undefined
  return {
    faults: [],
    remarks,
    rewritten: [...(sheet ? rewrittenIn(sheet, texts, options) : []), ...restored, ...resized],
    rows,
    columns: columns.map((column, index) => ({
      ...column,
      // A Parquet file may have a name of spaces only.
      label: headingText(column.label).trim() === '' ? `Coluna ${index + 1}` : labelWithUnit(column),
    })),
    preview: preview as (string | null)[][],
    doubts,
    choice: inSheet ?? (await choiceOf(draft, options, before)),
    decimal: csv?.reading.decimal ?? null,
    isInDoubt: mark !== undefined,
    dateOrder: csv?.reading.dateOrder ?? null,
    isOrderInDoubt: dates !== undefined,
    totals: csv?.reading.totals ?? 0,
    withoutTotals: csv?.kept.withoutTotals ?? false,
  }
}

/** Names the published columns of texts that get cells in a form which their texts may not have. */
const rewrittenIn = (
  { answer }: ReadableSheet,
  texts: DraftColumn[],
  { forms, replaced }: Options,
): string[] => {
  if (!replaced) return []
  const withValues = new Set(answer.sheet.columns.flatMap(({ name, hasValues }) => (hasValues ? [name] : [])))
  // The texts of a CSV in a folder may have any form; a sheet there has the shown one.
  const isUnknown = replaced.parquet === undefined && replaced.sheet === undefined
  const isPublished = (name: string) => replaced.columns.some(([one]) => one === name.toLowerCase())
  return texts.flatMap(({ name, label }) => {
    const form = forms.get(name) ?? { form: 'shown', isMixed: false }
    const isSaid = withValues.has(label) && isPublished(name) && (isUnknown || form.isMixed)
    return isSaid ? [formSentence(headingText(label), form)] : []
  })
}

/** Copies the rows of a CSV or of a spreadsheet; undefined of a Parquet file. */
const copyRows = async (
  database: Database,
  draft: Draft,
  options: CopyDraft,
  sheet: ReadableSheet | undefined,
): Promise<CopiedCsv | undefined> => {
  if (sheet) return copyDraftSheet(database, sheet, TABLE, options)
  return draft.kind === 'csv' ? copyDraftCsv(database, draft.file, TABLE, options) : undefined
}

export type ReadColumn = Pick<
  DraftColumn,
  | 'name'
  | 'label'
  | 'unit'
  | 'type'
  | 'shownAs'
  | 'isPartlyPercent'
  | 'isAmount'
  | 'fitsBothMarks'
  | 'fitsBothOrders'
>

const isNumber = ({ type }: ReadColumn) => type === 'integer' || type === 'number'

const scaled = (column: ReadColumn, scaling: Scaling | undefined): ReadColumn => {
  if (!scaling?.factor) return column
  return { ...column, type: 'number', shownAs: scaling.scale.unit === 'share' ? 'percent' : undefined }
}

const asRead = ({ shownAs }: ReadColumn): Scaling => ({
  scale: { unit: shownAs === 'percent' ? 'share' : 'plain' },
  factor: '',
})
