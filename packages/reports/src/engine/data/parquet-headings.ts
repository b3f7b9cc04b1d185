import { z } from 'zod'
import { headingText } from '../definitions/heading-text.ts'
import { type Database, literal } from './database.ts'
import { escapeGlob } from './plain-file.ts'

/** The key of the file's metadata under which the headings of the sent file are. */
const KEY = 'bi_manager_headings'
const MOST_BYTES = 1_000_000
const Headings = z.record(z.string(), z.string().min(1).transform(headingText))

/** Returns the option of COPY that keeps the headings of columns by their names. */
export const headingsOption = (headings: Record<string, string>): string =>
  `KV_METADATA {${KEY}: ${literal(JSON.stringify(headings))}}`

/** Returns the kept headings by the columns' names; none of a file that others wrote. */
export async function readHeadings(database: Database, file: string): Promise<Map<string, string>> {
  const [row] = await database.load(
    `SELECT decode(value) FROM parquet_kv_metadata(${literal(escapeGlob(file))})
    WHERE key = ${literal(KEY)}::BLOB AND octet_length(value) <= ${MOST_BYTES}`,
  )
  const found = Headings.safeParse(valueIn(row?.[0]))
  return new Map(Object.entries(found.data ?? {}))
}

function valueIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
