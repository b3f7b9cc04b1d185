import { ownValue } from '@bi-manager/contract/own-value'
import { z } from 'zod'
import { headingText } from '../../../definitions/heading-text.ts'
import { Answers, type Scale, ScaleWord, scaleOf, wordOf } from '../columns/column-scales.ts'
import { TextForm } from '../csv/known-columns.ts'
import { type Database, literal } from '../database/database.ts'
import { escapeGlob } from '../database/plain-file.ts'

/**
 * Keys of the file's metadata: the headings of the sent file, the scales of its numbers, what a person
 * said of them, how it was read, and how the cells of a spreadsheet became texts.
 */
const HEADINGS = 'bi_manager_headings'
const SCALES = 'bi_manager_scales'
const ANSWERS = 'bi_manager_scale_answers'
const CHOICES = 'bi_manager_reading'
const TEXT_FORMS = 'bi_manager_text_forms'
const MAX_BYTES = 1_000_000
const Headings = z.record(z.string(), z.string().min(1).transform(headingText))
const Scales = z.record(z.string(), ScaleWord)
const ScaleAnswers = z.record(z.string(), Answers)
const TextForms = z.record(z.string(), TextForm)

/** How the sent CSV or spreadsheet of a table was read, for later data of the table. */
const KeptChoices = z.object({
  /** The decimal mark of the file; null when it had no text with one. */
  decimal: z.enum([',', '.']).nullable(),
  /** The marks that its values showed. */
  evidence: z.enum([',', '.', 'both', 'none']),
  /** The order of the dates with slashes; null without such dates. */
  dateOrder: z.enum(['dayFirst', 'monthFirst']).nullable().default(null),
  /** The orders that its values showed. */
  dateEvidence: z.enum(['dayFirst', 'monthFirst', 'both', 'none']).default('none'),
  /** The sheet of the last spreadsheet. Its heading is found again by the names of the columns. */
  sheet: z.string().optional(),
  /** A person said that the file has no heading; others are found by the names of the columns. */
  withoutHeading: z.boolean().default(false),
  withoutTotals: z.boolean().default(false),
  /** Balances of a statement are left out; not by a choice of earlier versions, which knew totals only. */
  withoutBalances: z.boolean().default(false),
  /** Marks of missing values became empty in columns of texts too; not in earlier versions. */
  emptiesTexts: z.boolean().default(false),
  /** Columns of texts that had plus signs or dashes as values, by their names: their dashes stay. */
  signs: z.array(z.string()).default([]),
})
export type KeptChoices = z.infer<typeof KeptChoices>

/** Headings, scales and forms are those of columns, by their names. */
interface Metadata {
  headings: Record<string, string>
  scales: Record<string, Scale>
  choices: KeptChoices
  /** Of a spreadsheet. */
  textForms: Record<string, TextForm> | undefined
}

/** Returns the option of COPY that keeps the metadata. */
export const metadataOption = ({ headings, scales, choices, textForms }: Metadata): string => {
  const columns = Object.entries(scales)
  const entries = [
    [HEADINGS, headings],
    [SCALES, Object.fromEntries(columns.map(([name, scale]) => [name, wordOf(scale)]))],
    [ANSWERS, Object.fromEntries(columns.map(([name, { unit: _unit, ...answers }]) => [name, answers]))],
    [CHOICES, choices],
    [TEXT_FORMS, textForms],
  ] as const
  const list = entries.flatMap(([key, value]) => (value ? `${key}: ${literal(JSON.stringify(value))}` : []))
  return `KV_METADATA {${list.join(', ')}}`
}

/** Returns the kept headings by the columns' names; none of a file that others wrote. */
export const readHeadings = async (database: Database, file: string): Promise<Map<string, string>> => {
  const found = Headings.safeParse(await readKept(database, file, HEADINGS))
  return new Map(Object.entries(found.data ?? {}))
}

/** Returns the kept scales by the columns' names; none of a file of an earlier version. */
export const readScales = async (database: Database, file: string): Promise<Map<string, Scale>> => {
  const words = Scales.safeParse(await readKept(database, file, SCALES))
  const answers = ScaleAnswers.safeParse(await readKept(database, file, ANSWERS))
  const found = Object.entries(words.data ?? {})
  return new Map(found.map(([name, word]) => [name, scaleOf(word, ownValue(answers.data ?? {}, name))]))
}

/** Returns how cells of a spreadsheet became texts, by the columns' names; none of other files. */
export const readTextForms = async (database: Database, file: string): Promise<Map<string, TextForm>> => {
  const found = TextForms.safeParse(await readKept(database, file, TEXT_FORMS))
  return new Map(Object.entries(found.data ?? {}))
}

/** Returns how the table's file was read; undefined of one that an earlier version or others wrote. */
export const readChoices = async (database: Database, file: string): Promise<KeptChoices | undefined> => {
  return KeptChoices.safeParse(await readKept(database, file, CHOICES)).data
}

/** Returns whether this service wrote the file; another program keeps nothing in it. */
export const isPublished = async (database: Database, file: string): Promise<boolean> =>
  (await readKept(database, file, HEADINGS)) !== undefined

const readKept = async (database: Database, file: string, key: string): Promise<unknown> => {
  const [row] = await database.load(
    `SELECT decode(value) FROM parquet_kv_metadata(${literal(escapeGlob(file))})
    WHERE key = ${literal(key)}::BLOB AND octet_length(value) <= ${MAX_BYTES}`,
  )
  return valueIn(row?.[0])
}

const valueIn = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
