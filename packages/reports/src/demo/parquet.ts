import { join } from 'node:path'
import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'

type ColumnType = 'DATE' | 'INTEGER' | 'DOUBLE' | `DECIMAL(${number},${number})`

/**
 * A table to write; the columns are the fields of the rows, in their order. `types` are those of
 * numbers; dates are days since 1970-01-01.
 */
export interface Table<Row> {
  name: string
  types: { [Name in keyof Row as Row[Name] extends string | null ? never : Name]: ColumnType }
  rows: readonly Row[]
}

/** Infers the type of the rows. */
export const table = <Row>(name: string, types: Table<Row>['types'], rows: readonly Row[]): Table<Row> => ({
  name,
  types,
  rows,
})

const CHUNK = 2048

/**
 * Writes `<folder>/<table>.parquet`. The bytes are reproducible if the connection has one thread.
 */
export const writeParquet = async <Row extends object>(
  connection: DuckDBConnection,
  table: Table<Row>,
  folder: string,
) => {
  const types = new Map<string, ColumnType>(Object.entries(table.types))
  const names = Object.keys(table.rows[0] ?? {}) as (keyof Row & string)[]
  const staged = names.map((name) => ({ name, ...stagingFor(types.get(name)) }))
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE staging (${staged.map(({ name, sqlType }) => `${name} ${sqlType}`).join(', ')})`,
  )
  const appender = await connection.createAppender('staging')
  for (let start = 0; start < table.rows.length; start += CHUNK) {
    const rows = table.rows.slice(start, start + CHUNK)
    const chunk = DuckDBDataChunk.create(
      staged.map(({ chunkType }) => chunkType),
      rows.length,
    )
    chunk.setColumns(staged.map(({ name, value }) => rows.map((row) => value(row[name]))))
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  const file = join(folder, `${table.name}.parquet`).replaceAll("'", "''")
  const select = staged.map(({ name, toSql }) => `${toSql(name)} AS ${name}`).join(', ')
  await connection.run(`COPY (SELECT ${select} FROM staging) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`)
  await connection.run('DROP TABLE staging')
}

/**
 * Returns the types and conversions of a column in the staging table: the appender takes neither
 * dates nor decimals as plain numbers, so `toSql` casts them when the file is written.
 */
const stagingFor = (type: ColumnType | undefined) => {
  if (!type) return { sqlType: 'VARCHAR', chunkType: VARCHAR, value: asText, toSql: (name: string) => name }
  if (type === 'DATE') {
    const toSql = (name: string) => `(DATE '1970-01-01' + ${name}::INTEGER)`
    return { sqlType: 'BIGINT', chunkType: BIGINT, value: asBigInt, toSql }
  }
  return {
    sqlType: 'DOUBLE',
    chunkType: DOUBLE,
    value: asNumber,
    toSql: (name: string) => `${name}::${type}`,
  }
}

const asText = (cell: unknown) => (cell === null ? null : String(cell))
const asNumber = (cell: unknown) => (cell === null ? null : Number(cell))
const asBigInt = (cell: unknown) => (cell === null ? null : BigInt(Number(cell)))
