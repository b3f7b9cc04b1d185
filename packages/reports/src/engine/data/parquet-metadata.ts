import { z } from 'zod'
import { type Database, literal } from './database.ts'
import { escapeGlob } from './plain-file.ts'

/** The key of the file's metadata under which the headings of the sent file are. */
const KEY = 'bi_manager_headings'
/** The key under which the name of the sheet is from which the rows come. */
const SHEET_KEY = 'bi_manager_sheet'
const MOST_BYTES = 1_000_000
const Headings = z.record(z.string(), z.string().min(1))

/** Returns the option of COPY that keeps the headings of columns by their names, and the sheet. */
export const metadataOption = ({
  headings,
  sheet,
}: {
  headings: Record<string, string>
  sheet: string | undefined
}): string => {
  const kept = [`${KEY}: ${literal(JSON.stringify(headings))}`]
  if (sheet !== undefined) kept.push(`${SHEET_KEY}: ${literal(sheet)}`)
  return `KV_METADATA {${kept.join(', ')}}`
}

/** Returns the kept headings by the columns' names; none of a file that others wrote. */
export async function readHeadings(database: Database, file: string): Promise<Map<string, string>> {
  const found = Headings.safeParse(valueIn(await metadataIn(database, file, KEY)))
  return new Map(Object.entries(found.data ?? {}))
}

/** Returns the sheet from which the rows come; undefined when they come from another file. */
export const readSheetName = (database: Database, file: string): Promise<string | undefined> =>
  metadataIn(database, file, SHEET_KEY)

async function metadataIn(database: Database, file: string, key: string): Promise<string | undefined> {
  const [row] = await database.load(
    `SELECT decode(value) FROM parquet_kv_metadata(${literal(escapeGlob(file))})
    WHERE key = ${literal(key)}::BLOB AND octet_length(value) <= ${MOST_BYTES}`,
  )
  return row?.[0] === undefined ? undefined : String(row[0])
}

function valueIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
