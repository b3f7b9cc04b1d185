import { type Database, literal, quote } from '../engine/data/database.ts'
import { escapeGlob } from '../engine/data/plain-file.ts'

/** Fewer rows may be equal by chance; to find equal ones among more costs too much memory. */
const COUNTED_ROWS: [number, number] = [10, 500_000]

/**
 * Returns sentences about rows that are those of the published table, or that the file has twice.
 * @param select the rows to publish, with the names of the columns
 * @param published the Parquet file of the table that they replace
 */
export async function remarkRepeated(
  database: Database,
  select: string,
  { names, rows, published }: { names: string[]; rows: number; published: string | undefined },
): Promise<string[]> {
  const remarks: string[] = []
  if (published !== undefined && rows > 0 && (await isPublished(database, select, names, published)))
    remarks.push('os dados são os mesmos dos publicados')
  const [fewest, most] = COUNTED_ROWS
  if (rows < fewest || rows > most) return remarks
  const [row] = await database.load(
    `SELECT coalesce(sum(count), 0)::DOUBLE FROM (SELECT count(*) AS count FROM (${select}) GROUP BY ${hashOf(names)})
     WHERE count = 2`,
  )
  const twice = Number(row?.[0] ?? 0) / 2
  // Rows that are equal by their nature occur in all numbers.
  if (twice * 2 > rows / 2)
    remarks.push(
      `${twice.toLocaleString('pt-BR')} linhas ocorrem duas vezes, iguais em todas as colunas: veja se o arquivo tem os mesmos dados colados duas vezes`,
    )
  return remarks
}

/** A whole number is the same value in a column that became wider. */
const hashOf = (names: string[]) =>
  `hash(${names.map((name) => `coalesce(CAST(TRY_CAST(${quote(name)} AS DOUBLE) AS VARCHAR), ${quote(name)}::VARCHAR)`).join(', ')})`

/** Whether the rows are the same, in whatever order. */
async function isPublished(database: Database, select: string, names: string[], file: string) {
  const path = literal(escapeGlob(file))
  const described = await database.load(`DESCRIBE FROM read_parquet(${path})`)
  const before = new Set(described.map(([name]) => String(name).toLowerCase()))
  if (before.size !== names.length || !names.every((name) => before.has(name.toLowerCase()))) return false
  const digest = (rows: string) =>
    database.load(
      `SELECT count(*)::VARCHAR, sum(${hashOf(names)}::HUGEINT)::VARCHAR, bit_xor(${hashOf(names)})::VARCHAR FROM (${rows})`,
    )
  const [[one], [other]] = await Promise.all([digest(select), digest(`SELECT * FROM read_parquet(${path})`)])
  return JSON.stringify(one) === JSON.stringify(other)
}
