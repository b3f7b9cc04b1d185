import { DefinitionError } from '../../../definitions/definition-error.ts'
import { MAX_COLUMNS, tooManyColumns } from '../columns/too-many-columns.ts'
import { type Database, literal, quote } from '../database/database.ts'
import { escapeGlob } from '../database/plain-file.ts'

/** Rows of a table. */
const MAX_ROWS = 100_000_000
/** Values of a table: two equal ones take next to no bytes, but each of them takes time. */
const MAX_VALUES = 2_000_000_000

/**
 * Copies a Parquet file into a table, or only its columns. Refuses it when its metadata exceeds the
 * limits; otherwise the database's memory limit decides.
 * @throws DefinitionError
 */
export const copyParquet = async (
  database: Database,
  file: string,
  target: string,
  { withRows = true }: { withRows?: boolean } = {},
): Promise<void> => {
  try {
    await copyValidated(database, file, target, withRows ? '' : 'LIMIT 0')
  } catch (error) {
    const isUnreadable =
      error instanceof Error &&
      !(error instanceof DefinitionError) &&
      /^(Invalid|IO|Internal|Not implemented|Conversion|Serialization)/i.test(error.message)
    if (!isUnreadable) throw error
    // DuckDB's own words are English and contain the full path.
    throw new DefinitionError('não pôde ser lido como Parquet: corrompido, incompleto ou de outro formato')
  }
}

const copyValidated = async (database: Database, file: string, target: string, limit: string) => {
  const path = literal(escapeGlob(file))
  const schema = await database.load(
    `SELECT name FROM parquet_schema(${path}) WHERE num_children IS NULL OR num_children = 0`,
  )
  if (schema.length > MAX_COLUMNS) throw new DefinitionError(tooManyColumns(schema.length))
  const described = await database.load(`DESCRIBE FROM read_parquet(${path})`)
  const seen = new Set<string>()
  for (const [name] of schema) {
    const key = String(name).toLowerCase()
    if (seen.has(key) && described.length === schema.length)
      throw new DefinitionError(`o nome de coluna ${name} se repete (maiúsculas não distinguem)`)
    seen.add(key)
  }
  // A row group that the footer declares is scanned, whatever number of rows the footer has.
  const [sizes = []] = await database.load(
    `SELECT sum(total_uncompressed_size)::DOUBLE, sum(num_values)::DOUBLE,
       (SELECT sum(row_group_num_rows)::DOUBLE FROM (SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata(${path}))),
       (SELECT num_rows::DOUBLE FROM parquet_file_metadata(${path}))
     FROM parquet_metadata(${path})`,
  )
  const [bytes = 0, values = 0, ...counts] = sizes.map(Number)
  assertCount(Math.max(...counts), values, schema.length)
  const megabytes = bytes / 1_000_000
  if (megabytes > database.memoryMegabytes)
    throw new DefinitionError(
      `descompactado, tem ${Math.ceil(megabytes)} MB, e há ${Math.floor(database.memoryMegabytes)} MB de memória (REPORTS_MEMORY_MB)`,
    )
  await assertSameCounts(database, path)
  const list = described.map(([name]) => quote(String(name))).join(', ')
  await database.createTable(target, `SELECT ${list} FROM read_parquet(${path}) ${limit}`)
}

/**
 * DuckDB reads the rows that the row groups declare, and leaves the other values of their columns out.
 * @throws DefinitionError when the footer has several numbers of rows
 */
const assertSameCounts = async (database: Database, path: string) => {
  const [row = []] = await database.load(
    `WITH groups AS (
       SELECT row_group_num_rows AS rows, min(num_values) AS fewest, max(num_values) AS most
       FROM parquet_metadata(${path}) GROUP BY row_group_id, row_group_num_rows
     )
     SELECT (SELECT num_rows::DOUBLE FROM parquet_file_metadata(${path})), sum(rows)::DOUBLE, sum(fewest)::DOUBLE, sum(most)::DOUBLE,
       EXISTS (FROM parquet_schema(${path}) WHERE repetition_type = 'REPEATED')
     FROM groups`,
  )
  const hasLists = row[4] === true
  // Lists have more values than rows, or fewer.
  const counts = row.slice(0, hasLists ? 2 : 4).map(Number)
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  if (fewest !== most)
    throw new DefinitionError(
      `o rodapé do Parquet diz que há ${shown(fewest)} linhas, e as colunas têm ${shown(most)}: o arquivo está corrompido ou foi alterado. Grave-o de novo`,
    )
}

const shown = (count: number) => count.toLocaleString('pt-BR')

/** @throws DefinitionError when the file declares more rows or values than a table has */
const assertCount = (rows: number, declared: number, columns: number) => {
  if (rows > MAX_ROWS)
    throw new DefinitionError(
      `tem ${shown(rows)} linhas; o limite é ${shown(MAX_ROWS)}. Deixe no arquivo só as que o relatório usa, ou grave as somas delas`,
    )
  // Lists have more values than rows.
  const values = Math.max(declared, rows * columns)
  if (values > MAX_VALUES)
    throw new DefinitionError(
      `tem ${shown(rows)} linhas e ${shown(columns)} colunas, que são ${shown(values)} valores; o limite é ${shown(MAX_VALUES)}. Deixe no arquivo só as linhas e as colunas que o relatório usa, ou grave as somas delas`,
    )
}
