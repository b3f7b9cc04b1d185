import { type Database, literal, quote } from '../../../engine/data/database/database.ts'
import { escapeGlob } from '../../../engine/data/database/plain-file.ts'

/** Fewer rows may be equal by chance; to find equal ones among more costs too much memory. */
const COUNTED_ROWS: [number, number] = [10, 500_000]

/**
 * Returns sentences about rows that are those of the published table, or that the file has twice.
 * @param select the rows to publish, with the names of the columns
 * @param published the Parquet file of the table that they replace
 */
export const remarkRepeated = async (
  database: Database,
  select: string,
  { names, rows, published }: { names: string[]; rows: number; published: string | undefined },
): Promise<string[]> => {
  const remarks: string[] = []
  const types = await typesIn(database, select)
  if (published !== undefined && rows > 0 && (await isPublished(database, select, names, types, published)))
    remarks.push('os dados são os mesmos dos publicados')
  const [fewest, most] = COUNTED_ROWS
  if (rows < fewest || rows > most) return remarks
  const [row] = await database.load(
    `SELECT coalesce(sum(count), 0)::DOUBLE FROM (SELECT count(*) AS count FROM (${select}) GROUP BY ${hashOf(names, types, types)})
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

type Types = ReadonlyMap<string, string>

/** Returns DuckDB's types by the names of the columns in lower case. */
const typesIn = async (database: Database, select: string): Promise<Types> => {
  const described = await database.load(`DESCRIBE ${select}`)
  return new Map(described.map(([name, type]) => [String(name).toLowerCase(), String(type)]))
}

/** A whole number is the same value in a column that became wider; texts are compared as texts. */
const hashOf = (names: string[], types: Types, others: Types): string => {
  const values = names.map((name) => {
    const [type, other] = [types, others].map((all) => all.get(name.toLowerCase()) ?? '')
    return comparedText(quote(name), type, other)
  })
  return `hash(${values.join(', ')})`
}

/** Returns the text of a value that equals that of the same number in a column of the other type. */
const comparedText = (value: string, type = '', other = ''): string => {
  if (type === other || ![type, other].every((one) => NUMBER.test(one))) return `${value}::VARCHAR`
  const scales = [type, other].flatMap((one) => /^DECIMAL\(\d+,(\d+)\)$/.exec(one)?.[1] ?? [])
  if (scales.length === 0) return `CAST(${value} AS DOUBLE)::VARCHAR`
  // By its text, since a double is a neighbour of its decimals. One with more places stays as it is.
  const decimal = `TRY_CAST(${value}::VARCHAR AS DECIMAL(38, ${Math.max(...scales.map(Number))}))`
  return `CASE WHEN ${decimal}::DOUBLE = ${value}::DOUBLE THEN ${decimal}::VARCHAR ELSE ${value}::VARCHAR END`
}
const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/

/** Whether the rows are the same, in whatever order. */
const isPublished = async (
  database: Database,
  select: string,
  names: string[],
  types: Types,
  file: string,
) => {
  const published = `SELECT * FROM read_parquet(${literal(escapeGlob(file))})`
  const before = await typesIn(database, published)
  if (before.size !== names.length || !names.every((name) => before.has(name.toLowerCase()))) return false
  const digest = (rows: string) => {
    const hash = hashOf(names, types, before)
    return database.load(
      `SELECT count(*)::VARCHAR, sum(${hash}::HUGEINT)::VARCHAR, bit_xor(${hash})::VARCHAR FROM (${rows})`,
    )
  }
  const [[one], [other]] = await Promise.all([digest(select), digest(published)])
  return JSON.stringify(one) === JSON.stringify(other)
}
