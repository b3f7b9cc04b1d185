import { headingText } from '../../../definitions/heading-text.ts'
import { remarkTotals } from '../../../engine/data/csv/total-rows.ts'
import { type Database, quote } from '../../../engine/data/database/database.ts'

interface Column {
  label: string
  type: string
}

/** Returns sentences about the rows of a Parquet file, which is read as it is. */
export const remarkParquet = async (
  database: Database,
  table: string,
  columns: Column[],
  rows: number,
): Promise<string[]> => {
  const notNumbers = await remarkNotNumbers(database, table, columns)
  const names = columns.map(({ label }) => label)
  const texts = columns.flatMap(({ type, label }) => (type === 'text' ? [label] : []))
  const totals = await remarkTotals(database, table, { names, texts, rows })
  return totals ? [...notNumbers, totals] : notNumbers
}

/** Says which columns have values without digits, with which sums and averages are no numbers either. */
const remarkNotNumbers = async (database: Database, table: string, columns: Column[]): Promise<string[]> => {
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
