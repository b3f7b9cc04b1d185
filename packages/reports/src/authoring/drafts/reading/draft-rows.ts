import { rename, rm, writeFile } from 'node:fs/promises'
import { type Database, literal } from '../../../engine/data/database/database.ts'
import type { Draft } from '../files/draft-files.ts'

/** Writes the file that is published; an interrupted write leaves the earlier one. */
export const storeRows = async (
  database: Database,
  { data, doubt }: Draft,
  select: string,
  kept: string,
): Promise<void> => {
  const aside = `${data}.novo`
  await rm(aside, { force: true })
  await database.load(`COPY (${select}) TO ${literal(aside)} (FORMAT parquet, COMPRESSION zstd, ${kept})`)
  await rename(aside, data)
  await rm(doubt, { force: true })
}

/** Leaves the draft without rows, and the sentence that says why. */
export const withholdRows = async ({ data, doubt }: Draft, sentence: string): Promise<void> => {
  await writeFile(doubt, sentence, { mode: 0o600 })
  await rm(data, { force: true })
}
