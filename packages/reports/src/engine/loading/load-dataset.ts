import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInheritedName } from '@bi-manager/contract/own-value'
import { DefinitionError } from '../../definitions/definition-error.ts'
import type { DatasetFile } from '../../definitions/read-definitions.ts'
import { type Column, type Dataset, findColumn, type Role, type Table } from '../data/catalog.ts'
import { kindOf } from '../data/columns/column-kind.ts'
import type { Scale } from '../data/columns/column-scales.ts'
import { type Database, kindOfError, QueryTimeout, quote } from '../data/database/database.ts'
import { databaseSentence } from '../data/database/database-sentence.ts'
import { GLOB_CHARACTERS } from '../data/database/plain-file.ts'
import { createAggregationTables } from '../queries/aggregation-tables.ts'
import { lowerCased } from '../queries/filters.ts'
import { restrictedSelect } from '../queries/row-security.ts'
import { checkPredicate } from '../sql/sql-check.ts'
import type { AuthorRights } from './author-rights.ts'
import { copyFile } from './copy-file.ts'

type Warn = (sentence: string) => void
const ROLE_PARAMETERS = ['username', 'customdata']

/**
 * Copies a dataset's files into tables of one schema, before the database is sealed. Sentences may
 * contain values of the files that `rights` lets them quote.
 */
export const copyTables = async (
  database: Database,
  file: DatasetFile,
  schema: string,
  warn: Warn,
  rights: AuthorRights,
) => {
  const tables = new Map<string, Table>()
  const errors: string[] = []
  if (GLOB_CHARACTERS.test(basename(file.folder))) {
    errors.push(`${file.path}: o nome da pasta não pode ter * ? [ ] { } nem \\`)
    return { database, file, tables, aggregations: [], errors, rights }
  }
  await database.load(`CREATE SCHEMA ${quote(schema)}`)
  for (const [name, { file: data, hidden, csv }] of Object.entries(file.definition.tables)) {
    try {
      if (tables.has(name.toLowerCase()))
        throw new DefinitionError('nome repetido (maiúsculas não distinguem tabelas)')
      const source = `${quote(schema)}.${quote(name)}`
      const remark = (sentence: string) => warn(`${file.path}: tables.${name}: ${data}: ${sentence}`)
      const path = join(file.folder, data)
      const isOwn = rights.isAuthored(join(dirname(file.path), data))
      const quotesData = rights.quotesData && isOwn
      const withRows = rights.readsPublished || isOwn
      const { scales, headings, sheet, dates } = await copyFile(database, path, source, csv, {
        notice: withRows ? remark : () => {},
        quotesData,
        withRows,
        isPublished: !isOwn,
      })
      const columns = await columnsOf(database, source, headings, scales)
      tables.set(name.toLowerCase(), {
        name,
        source,
        hidden,
        columns,
        ...(sheet && { sheet }),
        ...(dates && { dates }),
      })
    } catch (error) {
      const sentence = sentenceOf(
        error,
        rights.quotesData && rights.isAuthored(join(dirname(file.path), data)),
      )
      errors.push(`${file.path}: tables.${name}: ${placeInFile(data, sentence)}`)
    }
  }
  const aggregations = await createAggregationTables(
    database,
    file.definition,
    tables,
    (place, error) => errors.push(`${file.path}: ${place}: ${sentenceOf(error, rights.quotesData)}`),
    (place, sentence) => warn(`${file.path}: ${place}: ${sentence}`),
  )
  return { database, file, tables, aggregations, errors, rights }
}

const writtenAt = async ({ folder, definition }: DatasetFile): Promise<number> => {
  const names = Object.values(definition.tables).map(({ file }) => join(folder, file))
  return Math.max(0, ...(await Promise.all(names.map(async (name) => (await lstat(name)).mtimeMs))))
}

const OPEN_ROLES =
  'requiresIdentity: com false, um relatório sem papéis no portal mostra todas as linhas; para exigir papéis, tire este campo'

/**
 * Checks the roles over the copied tables. Any error excludes the dataset: with some rules missing
 * it would show too much.
 */
export const loadDataset = async (
  {
    database,
    file,
    tables,
    aggregations,
    errors: copyErrors,
    rights,
  }: Awaited<ReturnType<typeof copyTables>>,
  warn: Warn,
): Promise<Dataset | undefined> => {
  const { path, definition } = file
  if (copyErrors.length) {
    copyErrors.forEach(warn)
    return undefined
  }
  const errors: string[] = []
  const fail = (place: string, error: unknown) =>
    errors.push(`${path}: ${place}: ${sentenceOf(error, rights.quotesData)}`)
  const dataset: Dataset = {
    id: definition.id.toLowerCase(),
    database,
    definition,
    tables,
    aggregations,
    roles: [],
    writtenAt: await writtenAt(file),
  }

  if (definition.requiresIdentity && definition.roles.length === 0) {
    fail('requiresIdentity', 'exige ao menos um papel em roles')
  }
  if (!definition.requiresIdentity && definition.roles.length > 0) warn(`${path}: ${OPEN_ROLES}`)
  for (const name of rights.isAuthored(path) ? Object.keys(definition.tables) : [])
    if (isInheritedName(name)) fail(`tables.${name}`, reservedName(name))
  for (const [name, { beneficiary, hidden }] of Object.entries(definition.tables)) {
    if (beneficiary === undefined) continue
    const place = `tables.${name}.beneficiary`
    if (hidden) fail(place, 'não em uma tabela oculta: nenhum visual a lê')
    else if (!findColumn(dataset, { table: name, column: beneficiary }))
      fail(place, `a coluna ${beneficiary} não existe na tabela`)
  }
  for (const [index, { name, rows }] of definition.roles.entries()) {
    if (dataset.roles.some((role) => role.name === name)) fail(`roles[${index}].name`, 'nome repetido')
    const role: Role = { name, predicates: new Map() }
    dataset.roles.push(role)
    for (const [tableName, sql] of Object.entries(rows)) {
      try {
        const [key, predicate] = await loadPredicate(dataset, tableName, sql, !rights.isAuthored(path))
        if (role.predicates.has(key)) throw new DefinitionError('tabela repetida')
        role.predicates.set(key, predicate)
      } catch (error) {
        fail(`roles[${index}].rows.${tableName}`, error)
      }
    }
  }
  errors.forEach(warn)
  return errors.length ? undefined : dataset
}

const columnsOf = async (
  database: Database,
  source: string,
  headings: ReadonlyMap<string, string>,
  scales: ReadonlyMap<string, Scale>,
): Promise<Map<string, Column>> => {
  const described = await database.query(`DESCRIBE ${source}`)
  const named = described.map(([name, type]) => ({ name: String(name), type: String(type) }))
  const longest = await longestTexts(
    database,
    source,
    named.flatMap(({ name, type }) => (kindOf(type) === 'text' ? [name] : [])),
  )
  const columns = new Map<string, Column>()
  for (const { name, type } of named) {
    const isShort = (longest.get(name) ?? Number.POSITIVE_INFINITY) <= SHORT
    const spellings = isShort ? await spellingsOf(database, source, name) : undefined
    const heading = headings.get(name)
    const scale = scales.get(name)
    columns.set(name.toLowerCase(), {
      name,
      type,
      kind: kindOf(type),
      ...(heading && { heading }),
      ...(scale && { scale }),
      ...(spellings && { spellings }),
    })
  }
  return columns
}

/** Returns the bytes of each column's longest text. */
const longestTexts = async (database: Database, source: string, names: string[]) => {
  if (names.length === 0) return new Map<string, number>()
  const list = names.map((name) => `max(strlen(${quote(name)}))::DOUBLE`).join(', ')
  const [row = []] = await database.load(`SELECT ${list} FROM ${source}`)
  return new Map(names.map((name, index) => [name, Number(row[index] ?? 0)]))
}

const FEW = 1000
/** Bytes. */
const SHORT = 1000

/** Lets a filter compare plainly, instead of lower-casing every row first. */
const spellingsOf = async (database: Database, source: string, column: string) => {
  const rows = await database.query(
    `SELECT DISTINCT ${quote(column)} FROM ${source} WHERE ${quote(column)} IS NOT NULL LIMIT ${FEW + 1}`,
  )
  const texts = rows.map(([text]) => String(text))
  return texts.length <= FEW ? Map.groupBy(texts, lowerCased) : undefined
}

const loadPredicate = async (
  { database, tables }: Dataset,
  tableName: string,
  sql: string,
  acceptsRetired: boolean,
) => {
  const table = tables.get(tableName.toLowerCase())
  if (!table) throw new DefinitionError(`a tabela ${tableName} não existe no conjunto de dados`)
  const limits = { tables, mayReadHidden: true, parameters: ROLE_PARAMETERS, acceptsRetired }
  const predicate = { sql, ...(await checkPredicate(database, sql, limits)) }
  // DuckDB's own row number differs in aggregation tables and after each publication.
  if (predicate.names.has('rowid') && !table.columns.has('rowid'))
    throw new DefinitionError('rowid não é aceito em papéis: use uma coluna do arquivo')
  const nothing = Object.fromEntries(predicate.parameters.map((name) => [name, null]))
  await database.query(`SELECT * FROM (${restrictedSelect(table, [predicate])}) LIMIT 0`, nothing)
  return [table.name.toLowerCase(), predicate] as const
}

/** The fault of a name that every JavaScript object inherits, such as `constructor`. */
export const reservedName = (name: string): string =>
  `o nome ${name} é reservado, e o que o tem não apareceria no relatório: escolha outro`

/** Prefixes faults inside a data file with its name. */
const placeInFile = (data: string, sentence: string) =>
  sentence.includes(data) || sentence.startsWith('nome repetido') ? sentence : `${data}: ${sentence}`

/**
 * Describes an error of a query or a file; without `quotesData`, only its kind: any text of the
 * database may contain values.
 */
export const sentenceOf = (error: unknown, quotesData: boolean): string => {
  if (error instanceof DefinitionError) return error.message
  if (error instanceof QueryTimeout) return 'demorou demais'
  if (error instanceof Error && /^Process Error/.test(error.message))
    return 'o processo do banco de dados terminou ao ler isto'
  if (error instanceof Error && /^Out of Memory Error/.test(error.message))
    return 'não cabe na memória que há (REPORTS_MEMORY_MB)'
  if (error instanceof Error && !quotesData) return `o banco respondeu: ${kindOfError(error)}`
  if (error instanceof Error) return databaseSentence(error)
  return String(error)
}
