import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** Returns a Parquet file with the rows of a SELECT. */
export const parquetOf = async (select: string): Promise<Uint8Array> => {
  const dir = await mkdtemp(join(tmpdir(), 'parquet-of-'))
  const file = join(dir, 'rows.parquet')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`)
    return await readFile(file)
  } finally {
    connection.closeSync()
    instance.closeSync()
    await rm(dir, { recursive: true })
  }
}
