import { rename, rm } from 'node:fs/promises'
import { ownValue } from '@bi-manager/contract/own-value'
import type { ColumnKind } from '../contract/embed-contract.ts'
import { kindOf } from '../engine/data/column-kind.ts'
import { copyParquet } from '../engine/data/copy-parquet.ts'
import { type Database, literal, quote } from '../engine/data/database.ts'
import { createDatabaseProcess } from '../engine/data/database-process.ts'
import { headingsOption } from '../engine/data/parquet-headings.ts'
import { requirePlainFile } from '../engine/data/plain-file.ts'
import { copyCsv } from '../engine/data/read-csv.ts'
import { scanCsv } from '../engine/data/scan-csv.ts'
import type { CsvType } from '../engine/definitions/definition.ts'
import { headingText } from '../engine/definitions/heading-text.ts'
import { sentenceOf } from '../engine/loading/load-dataset.ts'
import { shownExpression } from '../engine/sql/cell-expressions.ts'
import { columnNames } from './column-names.ts'
import type { Draft } from './draft-files.ts'

export type DraftColumn = {
  /** The name in SQL and in definitions. */
  name: string
  /** The heading in the file. */
  label: string
  /** `other`: a type of a Parquet file that no CSV has. */
  type: CsvType | 'other'
  shownAs: 'money' | 'percent' | undefined
  /** The number of different values; approximate with many rows. */
  distinct: number
  /** Whether each row has its own value: a number of such a column is a key, not an amount. */
  isKey: boolean
}

export type DraftReading =
  | { faults: string[] }
  | {
      faults: []
      remarks: string[]
      rows: number
      columns: DraftColumn[]
      /** The first rows, as DuckDB writes them; null without a value. */
      preview: (string | null)[][]
    }

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
}

/**
 * Reads a draft, and stores its rows as they are published. In a separate process, because a file
 * may need more memory than there is.
 */
export async function readDraft(
  draft: Draft,
  { types, namesOf = columnNames, quotesData = true }: ReadOptions,
  memoryMegabytes: number,
): Promise<DraftReading> {
  const databases = createDatabaseProcess({ memoryMegabytes })
  try {
    const database = await databases.open({ memoryMegabytes, timeoutMs: QUERY_MS, loadMs: LOAD_MS })
    return await read(database, draft, { types, namesOf, quotesData })
  } catch (error) {
    return { faults: [`${draft.name}: ${sentenceOf(error, quotesData)}`] }
  } finally {
    await databases.close()
  }
}

async function read(database: Database, draft: Draft, options: Required<ReadOptions>): Promise<DraftReading> {
  await requirePlainFile(draft.file)
  const remarks: string[] = []
  const found =
    draft.kind === 'csv'
      ? await readCsv(database, draft, options, remarks)
      : await readParquet(database, draft, options)
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
  const headings = Object.fromEntries(columns.map(({ name, label }) => [name, headingText(label)]))
  const kept = columns.map(({ label, name }) => `${quote(label)} AS ${quote(name)}`).join(', ')
  await store(database, draft, `SELECT ${kept} FROM ${TABLE}`, headings)
  const shown = columns.map((column) => ({ ...column, label: headingText(column.label) }))
  return { faults: [], remarks, rows, columns: shown, preview: preview as (string | null)[][] }
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

type ReadColumn = Pick<DraftColumn, 'name' | 'label' | 'type' | 'shownAs'>

async function readCsv(
  database: Database,
  { file, name }: Draft,
  { types, namesOf, quotesData }: Required<ReadOptions>,
  remarks: string[],
): Promise<ReadColumn[]> {
  const { columns: headings } = await scanCsv(file)
  const names = namesOf(headings)
  const chosen = headings.flatMap((heading, index) => {
    const type = ownValue(types, names[index] ?? '')
    return type ? [[heading, type] as const] : []
  })
  const options = { types: Object.fromEntries(chosen) }
  const notice = (sentence: string) => remarks.push(`${name}: ${sentence}`)
  const columns = await copyCsv(database, file, TABLE, options, { notice, quotesData })
  return columns.map(({ name: label, ...column }, index) => ({
    ...column,
    label,
    name: names[index] ?? label,
  }))
}

async function readParquet(
  database: Database,
  { file }: Draft,
  { namesOf }: Required<ReadOptions>,
): Promise<ReadColumn[]> {
  await copyParquet(database, file, TABLE)
  const described = await database.query(`DESCRIBE ${TABLE}`)
  const names = namesOf(described.map(([name]) => String(name)))
  return described.map(([label, type], index) => ({
    name: names[index] ?? String(label),
    label: String(label),
    type: draftType(kindOf(String(type))),
    shownAs: undefined,
  }))
}

/** No CSV has a column of times of day. */
export const draftType = (kind: ColumnKind): DraftColumn['type'] => (kind === 'time' ? 'other' : kind)

/** Writes the file that is published; an interrupted write leaves the earlier one. */
async function store(
  database: Database,
  { data }: Draft,
  select: string,
  headings: Record<string, string>,
): Promise<void> {
  const aside = `${data}.novo`
  await rm(aside, { force: true })
  await database.load(
    `COPY (${select}) TO ${literal(aside)} (FORMAT parquet, COMPRESSION zstd, ${headingsOption(headings)})`,
  )
  await rename(aside, data)
}
