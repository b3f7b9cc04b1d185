import { z } from 'zod'
import { Scale } from './column-scales.ts'
import { type Database, literal } from './database.ts'
import { escapeGlob } from './plain-file.ts'

/** The key of the file's metadata under which the headings of the sent file are. */
const KEY = 'bi_manager_headings'
/** The key under which the scales of its numbers are. */
const SCALES_KEY = 'bi_manager_scales'
const MOST_BYTES = 1_000_000
const Headings = z.record(z.string(), z.string().min(1))
const Scales = z.record(z.string(), Scale)

/** Returns the option of COPY that keeps the headings and scales of columns by their names. */
export const headingsOption = (headings: Record<string, string>, scales: Record<string, Scale>): string => {
  const text = (value: object) => literal(JSON.stringify(value))
  return `KV_METADATA {${KEY}: ${text(headings)}, ${SCALES_KEY}: ${text(scales)}}`
}

/** Returns the kept headings by the columns' names; none of a file that others wrote. */
export async function readHeadings(database: Database, file: string): Promise<Map<string, string>> {
  const found = Headings.safeParse(await readKept(database, file, KEY))
  return new Map(Object.entries(found.data ?? {}))
}

/** Returns the kept scales by the columns' names; none of a file of an earlier version. */
export async function readScales(database: Database, file: string): Promise<Map<string, Scale>> {
  const found = Scales.safeParse(await readKept(database, file, SCALES_KEY))
  return new Map(Object.entries(found.data ?? {}))
}

async function readKept(database: Database, file: string, key: string): Promise<unknown> {
  const [row] = await database.load(
    `SELECT decode(value) FROM parquet_kv_metadata(${literal(escapeGlob(file))})
    WHERE key = ${literal(key)}::BLOB AND octet_length(value) <= ${MOST_BYTES}`,
  )
  return valueIn(row?.[0])
}

function valueIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
