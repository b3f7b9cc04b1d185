import { headingText } from '../../../definitions/heading-text.ts'
import { type Database, quote } from '../../../engine/data/database/database.ts'

/* What the rows of a draft hold, for the proposal and for notices. */

/** Up to this many rows, different values are counted exactly: the estimate is wrong by some. */
export const COUNTED_ROWS = 100_000

/** Returns the number of rows, and how many different values each column has. */
export const countValues = async (database: Database, table: string, labels: string[]) => {
  const [[total] = []] = await database.query(`SELECT count(*)::DOUBLE FROM ${table}`)
  const rows = Number(total ?? 0)
  const count = (label: string) =>
    rows <= COUNTED_ROWS ? `count(DISTINCT ${quote(label)})` : `approx_count_distinct(${quote(label)})`
  const list = labels.map((label) => `${count(label)}::DOUBLE`).join(', ')
  const [counts = []] = await database.query(`SELECT ${list} FROM ${table}`)
  return { rows, distinct: counts.map(Number) }
}

/** 'Receita' over 'R$ mil' → 'Receita (R$ mil)' */
export const labelWithUnit = ({ label, unit }: { label: string; unit?: string | undefined }): string => {
  const heading = headingText(label)
  const bare = unit?.replace(/^\(|\)$/g, '')
  return !bare || heading.toLowerCase().includes(bare.toLowerCase()) ? heading : `${heading} (${bare})`
}
