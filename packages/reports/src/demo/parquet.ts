import { join } from 'node:path'
import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api'

type ColumnType = 'DATE' | 'INTEGER' | 'DOUBLE' | 'VARCHAR' | `DECIMAL(${number},${number})`

/** A table to write; dates are days since 1970-01-01. */
export interface Table<Row> {
  name: string
  columns: { [Name in keyof Row]: ColumnType }
  rows: readonly Row[]
}

const CHUNK = 2048

/** Writes `<folder>/<table>.parquet`, byte for byte reproducible: one thread, rows in order. */
export async function writeParquet<Row>(connection: DuckDBConnection, table: Table<Row>, folder: string) {
  const columns = Object.entries<ColumnType>(table.columns)
  const staged = columns.map(([name, type]) => ({ name: name as keyof Row & string, type, ...staging(type) }))
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE staging (${staged.map((one) => `${one.name} ${one.sqlType}`).join(', ')})`,
  )
  const appender = await connection.createAppender('staging')
  for (let start = 0; start < table.rows.length; start += CHUNK) {
    const rows = table.rows.slice(start, start + CHUNK)
    const chunk = DuckDBDataChunk.create(
      staged.map((one) => one.chunkType),
      rows.length,
    )
    chunk.setColumns(staged.map((one) => rows.map((row) => one.value(row[one.name]))))
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  const file = join(folder, `${table.name}.parquet`).replaceAll("'", "''")
  const select = staged.map((one) => `${one.read(one.name)} AS ${one.name}`).join(', ')
  await connection.run(`COPY (SELECT ${select} FROM staging) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`)
  await connection.run('DROP TABLE staging')
}

/** Returns how to append a column: the appender takes no dates and decimals as plain numbers. */
function staging(type: ColumnType): {
  sqlType: string
  chunkType: DuckDBType
  value: (cell: unknown) => DuckDBValue
  read: (name: string) => string
} {
  if (type === 'VARCHAR') {
    return { sqlType: 'VARCHAR', chunkType: VARCHAR, value: asText, read: (name) => name }
  }
  if (type === 'DATE') {
    const read = (name: string) => `(DATE '1970-01-01' + ${name}::INTEGER)`
    return { sqlType: 'BIGINT', chunkType: BIGINT, value: asBigInt, read }
  }
  return { sqlType: 'DOUBLE', chunkType: DOUBLE, value: asNumber, read: (name) => `${name}::${type}` }
}

const asText = (cell: unknown) => (cell === null ? null : String(cell))
const asNumber = (cell: unknown) => (cell === null ? null : Number(cell))
const asBigInt = (cell: unknown) => (cell === null ? null : BigInt(Number(cell)))
