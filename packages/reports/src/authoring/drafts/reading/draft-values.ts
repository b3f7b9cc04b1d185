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

/**
 * Returns the names of the text columns in which a dash is a value: those of `before`, and those with a plus
 * sign.
 */
export const signColumns = async (
  database: Database,
  table: string,
  columns: { name: string; label: string; type: string }[],
  before: string[],
): Promise<string[]> => {
  const texts = columns.filter(({ type }) => type === 'text')
  if (texts.length === 0) return []
  const list = texts.map(({ label }) => `bool_or(${quote(label)} = '+')`).join(', ')
  const [row = []] = await database.query(`SELECT ${list} FROM ${table}`)
  return texts.flatMap(({ name }, index) => (row[index] === true || before.includes(name) ? [name] : []))
}

/** 'Receita' over 'R$ mil' → 'Receita (R$ mil)' */
export const labelWithUnit = ({ label, unit }: { label: string; unit?: string | undefined }): string => {
  const heading = headingText(label)
  const bare = unit?.replace(/^\(|\)$/g, '')
  return !bare || heading.toLowerCase().includes(bare.toLowerCase()) ? heading : `${heading} (${bare})`
}
