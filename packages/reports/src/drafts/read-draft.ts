import { rename, rm, writeFile } from 'node:fs/promises'
import { ownValue } from '@bi-manager/contract/own-value'
import { copyParquet } from '../engine/data/copy-parquet.ts'
import { type Database, literal, quote } from '../engine/data/database.ts'
import { createDatabaseProcess } from '../engine/data/database-process.ts'
import { type KeptChoices, keptOption, readChoices } from '../engine/data/parquet-headings.ts'
import { requirePlainFile } from '../engine/data/plain-file.ts'
import { type CsvReading, copyCsv, type DraftChoices, type KeptMark } from '../engine/data/read-csv.ts'
import type { CsvType } from '../engine/definitions/definition.ts'
import { kindOf, sentenceOf } from '../engine/loading/load-dataset.ts'
import { shownExpression } from '../engine/sql/cell-expressions.ts'
import { columnNames } from './column-names.ts'
import { choiceInCsv, type DraftChoice } from './csv-choices.ts'
import type { Draft } from './draft-files.ts'

export type DraftColumn = {
  /** The name in SQL and in definitions. */
  name: string
  /** The heading in the file. */
  label: string
  /** `other`: a type of a Parquet file that no CSV has. */
  type: CsvType | 'other'
  shownAs: 'money' | 'percent' | undefined
  /** The decimal mark of the file decides what its numbers are. */
  fitsBothMarks: boolean
  /** The number of different values; approximate with many rows. */
  distinct: number
  /** Whether each row has its own value: a number of such a column is a key, not an amount. */
  isKey: boolean
}

/** How the numbers and rows of a CSV were read. */
export interface ReadingChoices {
  /** Null when no number has a decimal mark, or when nothing decides it. */
  decimal: ',' | '.' | null
  /** Whether the author has to choose the decimal mark. */
  isInDoubt: boolean
  /** Rows that seem to be totals, and whether they were left out. */
  totals: number
  withoutTotals: boolean
}
export const NOTHING_CHOSEN: ReadingChoices = {
  decimal: null,
  isInDoubt: false,
  totals: 0,
  withoutTotals: false,
}

export type DraftReading =
  | { faults: string[]; choice?: DraftChoice | undefined }
  | (ReadingChoices & {
      faults: []
      choice?: DraftChoice | undefined
      /** Sentences that say why the rows cannot be published before a decimal mark is chosen. */
      doubts: string[]
      remarks: string[]
      rows: number
      columns: DraftColumn[]
      /** The first rows, as DuckDB writes them; null without a value. */
      preview: (string | null)[][]
    })

const PREVIEW_ROWS = 20
const QUERY_MS = 30_000
/** Milliseconds for one statement that reads or writes the file: other authors wait for it. */
const LOAD_MS = 60_000
const TABLE = 'lido'

type ReadOptions = {
  /** Types of a CSV's columns by name; the others are detected. */
  types: Record<string, CsvType>
  /**
   * Returns the name of each heading.
   * @throws DefinitionError when the headings are not accepted
   */
  namesOf?: (headings: string[]) => string[]
  /** Whether faults may contain values of the file; true by default. */
  quotesData?: boolean | undefined
  /** What the author chose for this file. */
  choices?: DraftChoices | undefined
  /** The table whose rows the draft replaces: its choices apply to what was not chosen. */
  replaced?: ReplacedTable | undefined
}

/** The file of a published table, or the decimal mark of its definition. */
export type ReplacedTable = { parquet: string } | { decimal: ',' | '.' | undefined }

/**
 * Reads a draft, and stores its rows as they are published. In a separate process, because a file
 * may need more memory than there is.
 */
export async function readDraft(
  draft: Draft,
  { types, namesOf = columnNames, quotesData = true, choices, replaced }: ReadOptions,
  memoryMegabytes: number,
): Promise<DraftReading> {
  const databases = createDatabaseProcess({ memoryMegabytes })
  try {
    const database = await databases.open({ memoryMegabytes, timeoutMs: QUERY_MS, loadMs: LOAD_MS })
    return await read(database, draft, { types, namesOf, quotesData, choices, replaced })
  } catch (error) {
    const faults = [`${draft.name}: ${sentenceOf(error, quotesData)}`]
    // Quotes the first rows. Another heading may be right.
    const isQuoted = draft.kind === 'csv' && quotesData
    return isQuoted ? { faults, choice: await choiceInCsv(draft.file, choices?.headerLine) } : { faults }
  } finally {
    await databases.close()
  }
}

type Options = ReadOptions & Required<Pick<ReadOptions, 'namesOf' | 'quotesData'>>

async function read(database: Database, draft: Draft, options: Options): Promise<DraftReading> {
  await requirePlainFile(draft.file)
  const remarks: string[] = []
  const csv = draft.kind === 'csv' ? await readCsv(database, draft, options, remarks) : undefined
  const found = csv?.columns ?? (await readParquet(database, draft, options))
  const { rows, distinct } = await countValues(
    database,
    found.map(({ label }) => label),
  )
  const columns = found.map(
    (column, index): DraftColumn => ({
      ...column,
      distinct: distinct[index] ?? 0,
      // The count may be approximate.
      isKey: rows > 1 && (distinct[index] ?? 0) > rows * 0.9,
    }),
  )
  // Long texts are cut: the answer stays small whatever the file holds.
  const sample = columns
    .map(({ label }) => shownExpression(`${quote(label)}::VARCHAR`, 'VARCHAR', columns.length))
    .join(', ')
  const preview = await database.query(`SELECT ${sample} FROM ${TABLE} LIMIT ${PREVIEW_ROWS}`)
  const headings = Object.fromEntries(columns.map(({ name, label }) => [name, label]))
  const kept = columns.map(({ label, name }) => `${quote(label)} AS ${quote(name)}`).join(', ')
  const doubts = csv?.reading.doubt ? [`${draft.name}: ${csv.reading.doubt}`] : []
  const select = `SELECT ${kept} FROM ${TABLE}`
  const [doubt] = doubts
  if (doubt) await withhold(draft, `${doubt}.`)
  else await store(database, draft, select, keptOption(headings, csv?.choices))
  const isQuoted = csv && options.quotesData
  return {
    faults: [],
    remarks,
    rows,
    columns,
    preview: preview as (string | null)[][],
    doubts,
    choice: isQuoted ? await choiceInCsv(draft.file, csv.reading.headerLine) : undefined,
    decimal: csv?.reading.decimal ?? null,
    isInDoubt: doubts.length > 0,
    totals: csv?.reading.totals ?? 0,
    withoutTotals: csv?.choices.withoutTotals ?? false,
  }
}

/** Up to this many rows, different values are counted exactly: the estimate is wrong by some. */
const COUNTED_ROWS = 100_000

/** Returns the number of rows, and how many different values each column has. */
async function countValues(database: Database, labels: string[]) {
  const [[total] = []] = await database.query(`SELECT count(*)::DOUBLE FROM ${TABLE}`)
  const rows = Number(total ?? 0)
  const count = (label: string) =>
    rows <= COUNTED_ROWS ? `count(DISTINCT ${quote(label)})` : `approx_count_distinct(${quote(label)})`
  const list = labels.map((label) => `${count(label)}::DOUBLE`).join(', ')
  const [counts = []] = await database.query(`SELECT ${list} FROM ${TABLE}`)
  return { rows, distinct: counts.map(Number) }
}

type ReadColumn = Pick<DraftColumn, 'name' | 'label' | 'type' | 'shownAs' | 'fitsBothMarks'>

interface ReadCsv {
  columns: ReadColumn[]
  reading: CsvReading
  choices: KeptChoices
}

async function readCsv(
  database: Database,
  { file, name }: Draft,
  { types, namesOf, quotesData, choices = {}, replaced }: Options,
  remarks: string[],
): Promise<ReadCsv> {
  let names: string[] = []
  const typesOf = (headings: string[]) => {
    names = namesOf(headings)
    const chosen = headings.flatMap((heading, index) => {
      const type = ownValue(types, names[index] ?? '')
      return type ? [[heading, type] as const] : []
    })
    return Object.fromEntries(chosen)
  }
  const notice = (sentence: string) => remarks.push(`${name}: ${sentence}`)
  const kept = replaced && 'parquet' in replaced ? await readChoices(database, replaced.parquet) : undefined
  const headerLine = choices.headerLine ?? kept?.headerLine
  const withoutTotals = choices.withoutTotals ?? kept?.withoutTotals ?? false
  const draft = {
    typesOf,
    headerLine,
    withoutTotals,
    kept: markOf(replaced, kept),
    decimal: choices.decimal,
  }
  const reading = await copyCsv(database, file, TABLE, {}, { notice, quotesData, draft })
  const { decimal, evidence } = reading
  return {
    columns: reading.columns.map(({ name: label, ...column }) => ({
      ...column,
      label,
      name: names[reading.headings.indexOf(label)] ?? label,
    })),
    reading,
    choices: {
      // Without a number with a decimal mark, the mark of earlier data still holds.
      decimal: decimal ?? kept?.decimal ?? null,
      evidence,
      withoutTotals,
      ...(headerLine === undefined ? {} : { headerLine }),
    },
  }
}

/** Returns the decimal mark of the replaced table. */
function markOf(
  replaced: ReplacedTable | undefined,
  kept: KeptChoices | undefined,
): KeptMark | 'as before' | undefined {
  if (!replaced) return undefined
  if (kept) return kept.decimal ? { decimal: kept.decimal, evidence: kept.evidence } : undefined
  if ('decimal' in replaced && replaced.decimal) return { decimal: replaced.decimal, evidence: 'none' }
  // Published by an earlier version, or from a folder: both let the delimiter decide.
  return 'as before'
}

async function readParquet(database: Database, { file }: Draft, { namesOf }: Options): Promise<ReadColumn[]> {
  await copyParquet(database, file, TABLE)
  const described = await database.query(`DESCRIBE ${TABLE}`)
  const names = namesOf(described.map(([name]) => String(name)))
  return described.map(([label, type], index) => ({
    name: names[index] ?? String(label),
    label: String(label),
    type: kindOf(String(type)),
    shownAs: undefined,
    fitsBothMarks: false,
  }))
}

/** Leaves the draft without rows, and the sentence that says why. */
async function withhold({ data, doubt }: Draft, sentence: string): Promise<void> {
  await writeFile(doubt, sentence, { mode: 0o600 })
  await rm(data, { force: true })
}

/** Writes the file that is published; an interrupted write leaves the earlier one. */
async function store(
  database: Database,
  { data, doubt }: Draft,
  select: string,
  kept: string,
): Promise<void> {
  const aside = `${data}.novo`
  await rm(aside, { force: true })
  await database.load(`COPY (${select}) TO ${literal(aside)} (FORMAT parquet, COMPRESSION zstd, ${kept})`)
  await rename(aside, data)
  await rm(doubt, { force: true })
}
