import { headingText } from '../../definitions/heading-text.ts'
import { type Database, quote } from '../../engine/data/database/database.ts'

/* What the rows of a draft hold, for the proposal and for notices. */

/** Up to this many rows, different values are counted exactly: the estimate is wrong by some. */
const COUNTED_ROWS = 100_000

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

/** Says which columns have values without digits, with which sums and averages are no numbers either. */
export const remarkNotNumbers = async (
  database: Database,
  table: string,
  columns: { label: string; type: string }[],
): Promise<string[]> => {
  const numbers = columns.filter(({ type }) => type === 'number')
  if (numbers.length === 0) return []
  const list = numbers.map(({ label }) => `count_if(NOT isfinite(${quote(label)}::DOUBLE))::DOUBLE`)
  const [counts = []] = await database.query(`SELECT ${list.join(', ')} FROM ${table}`)
  return numbers.flatMap(({ label }, index) => {
    const count = Number(counts[index] ?? 0)
    if (count === 0) return []
    const values = count === 1 ? '1 valor que não é um número' : `${count} valores que não são números`
    return [
      `a coluna ${headingText(label)} tem ${values} (NaN ou infinito): as somas e médias que os leem também não são números`,
    ]
  })
}
