import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CsvOptions } from '../definitions/definition.ts'
import { DefinitionError } from '../definitions/definition-error.ts'
import {
  convertedSql,
  isOtherNotationSql,
  type Notation,
  notationsToTry,
  trimmedSql,
} from './csv-notations.ts'
import { type Database, literal, quote } from './database.ts'
import { escapeGlob } from './plain-file.ts'
import { type CsvShape, scanCsv } from './scan-csv.ts'

/** Rows from which types are guessed; if later rows contradict, all rows are read. */
const SAMPLE = 20_000
/** Share of numbers or dates from which a text column causes a notice to the author. */
const NEARLY = 0.8

type Column = { name: string; writing: Notation | undefined }

/**
 * `notice` is called for columns that stay text because of a few values. `quotesData`: sentences
 * may contain values.
 */
type Telling = { notice?: (sentence: string) => void; quotesData: boolean }

/**
 * Copies a CSV file into a table. All bytes are validated first, so that DuckDB gets a known format
 * and guesses nothing.
 * @throws DefinitionError
 */
export async function copyCsv(
  database: Database,
  file: string,
  target: string,
  options: CsvOptions = {},
  { notice = () => {}, quotesData }: Telling,
): Promise<void> {
  const shape = await scanCsv(file, options)
  for (const name of Object.keys(options.types ?? {})) {
    if (!shape.columns.includes(name))
      throw new DefinitionError(`csv.types: a coluna ${name} não existe no arquivo`)
  }
  await withReadable(file, shape, async (readable) => {
    const source = sourceOf(readable, shape)
    const sampled = await chooseTypes(database, shape, options, `(FROM ${source} LIMIT ${SAMPLE})`)
    await mustBeWhole(database, source, shape)
    const odd = await oddColumns(database, source, sampled)
    const columns = odd.size ? await chooseTypes(database, shape, options, source, odd, sampled) : sampled
    await refuseOdd(database, file, shape, options, columns, source, quotesData)
    for (const { name, writing } of columns) {
      if (writing || options.types?.[name]) continue
      await tellOfNearly(database, file, shape, options, name, source, { notice, quotesData })
    }
    const list = columns.map(({ name, writing }) => `${valueIn(name, writing)} AS ${quote(name)}`)
    // Spreadsheets often leave trailing rows of delimiters.
    const isSomething = `coalesce(${shape.columns.map(trimmedSql).join(', ')}) IS NOT NULL`
    const rows = await database.createTable(
      target,
      `SELECT ${list.join(', ')} FROM ${source} WHERE ${isSomething}`,
    )
    if (rows === 0)
      notice(
        'só tem o cabeçalho, nenhuma linha: toda coluna fica texto, a não ser as que csv.types diz, e as somas do relatório são recusadas',
      )
  })
}

const valueIn = (name: string, writing: Notation | undefined) =>
  writing ? convertedSql(name, writing) : `nullif(${quote(name)}, '')`

function sourceOf(file: string, { columns, delimiter }: CsvShape): string {
  const names = columns.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ')
  return `read_csv(${literal(escapeGlob(file))}, auto_detect = false, columns = {${names}}, header = true,
    delim = ${literal(delimiter)}, quote = '"', escape = '"', strict_mode = true,
    compression = 'none', max_line_size = 4000000)`
}

/** Chooses the first notation that fits all values of a column; none means text. */
async function chooseTypes(
  database: Database,
  { columns, delimiter }: CsvShape,
  { decimal, types }: CsvOptions,
  source: string,
  only?: Set<string>,
  known: Column[] = [],
): Promise<Column[]> {
  const candidates = new Map(
    columns.map((name) => {
      const forced = types?.[name]
      return [name, notationsToTry(delimiter, decimal).filter(({ type }) => !forced || type === forced)]
    }),
  )
  const asked = columns.filter((name) => types?.[name] !== 'text' && (!only || only.has(name)))
  const sums = asked.flatMap((name) => [
    `count(${trimmedSql(name)})::DOUBLE`,
    ...(candidates.get(name) ?? []).map((writing) => `count(${convertedSql(name, writing)})::DOUBLE`),
  ])
  const [counts = []] = sums.length ? await database.load(`SELECT ${sums.join(', ')} FROM ${source}`) : []
  const numbers = counts.map(Number)
  return columns.map((name) => {
    if (!asked.includes(name)) return known.find((one) => one.name === name) ?? { name, writing: undefined }
    const [filled = 0] = numbers.splice(0, 1)
    const own = candidates.get(name) ?? []
    const kept = numbers.splice(0, own.length)
    const all = own.find((_writing, index) => filled > 0 && kept[index] === filled)
    // A declared type is kept, and `refuseOdd` then reports the values that do not fit.
    const best = own[kept.indexOf(Math.max(...kept))]
    return { name, writing: all ?? (types?.[name] ? best : undefined) }
  })
}

/** If DuckDB read fewer or more records than the file has, totals would be wrong. */
async function mustBeWhole(database: Database, source: string, { records, columns }: CsvShape) {
  // With one column, an empty line may or may not be a value.
  if (columns.length === 1) return
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${source}`)
  if (row?.[0] !== records)
    throw new DefinitionError(`tem ${records} linhas de dados, e o banco leu ${row?.[0]}`)
}

/** Returns columns with values after the sample that are in another notation. */
async function oddColumns(database: Database, source: string, columns: Column[]): Promise<Set<string>> {
  const typed = columns.flatMap(({ name, writing }) =>
    writing ? [{ name, test: isOtherNotationSql(name, writing) }] : [],
  )
  if (!typed.length) return new Set()
  const list = typed.map(({ test }) => `bool_or(${test})`).join(', ')
  const [row = []] = await database.load(`SELECT ${list} FROM ${source}`)
  return new Set(typed.filter((_one, index) => row[index] === true).map(({ name }) => name))
}

async function refuseOdd(
  database: Database,
  file: string,
  shape: CsvShape,
  options: CsvOptions,
  columns: Column[],
  source: string,
  quotesData: boolean,
) {
  for (const { name, writing } of columns) {
    const type = options.types?.[name]
    if (!type || !writing) continue
    const found = await firstOdd(database, name, writing, source)
    if (!found) continue
    const line = await lineOf(file, shape, options, found.record)
    throw new DefinitionError(
      `linha ${line}: coluna ${name}: ${shown(found.text, quotesData)} não é ${TYPE_NAMES[type]}`,
    )
  }
}

async function tellOfNearly(
  database: Database,
  file: string,
  shape: CsvShape,
  options: CsvOptions,
  name: string,
  source: string,
  { notice, quotesData }: Required<Telling>,
) {
  const ways = notationsToTry(shape.delimiter, options.decimal)
  const counts = ways.map((way) => `count(${convertedSql(name, way)})::DOUBLE`)
  const [row = []] = await database.load(
    `SELECT count(${trimmedSql(name)})::DOUBLE, ${counts.join(', ')} FROM (FROM ${source} LIMIT ${SAMPLE})`,
  )
  const [filled = 0, ...kept] = row.map(Number)
  const best = kept.indexOf(Math.max(...kept))
  const writing = ways[best]
  if (!writing || (kept[best] ?? 0) < filled * NEARLY || filled === 0) return
  const found = await firstOdd(database, name, writing, source)
  if (!found) return
  const line = await lineOf(file, shape, options, found.record)
  notice(
    `a coluna ${name} fica como texto: na linha ${line}, ${shown(found.text, quotesData)} não é ${TYPE_NAMES[writing.type]}`,
  )
}

const TYPE_NAMES = {
  text: 'um texto',
  integer: 'um número inteiro',
  number: 'um número',
  date: 'uma data',
  timestamp: 'uma data com hora',
  boolean: 'true ou false',
}
const shown = (text: string, quotesData: boolean) =>
  quotesData ? `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"` : 'o valor'

async function firstOdd(database: Database, name: string, writing: Notation, source: string) {
  const [row] = await database.load(
    `SELECT record, ${trimmedSql(name)} FROM (SELECT row_number() OVER ()::DOUBLE AS record, ${quote(name)} FROM ${source})
     WHERE ${isOtherNotationSql(name, writing)} ORDER BY record LIMIT 1`,
  )
  return row && { record: Number(row[0]), text: String(row[1]) }
}

async function lineOf(file: string, shape: CsvShape, options: CsvOptions, record: number): Promise<number> {
  let line = 0
  const told = { ...options, delimiter: shape.delimiter as NonNullable<CsvOptions['delimiter']> }
  await scanCsv(file, told, { record, onLine: (found) => (line = found) })
  return line
}

/** Passes on the file if DuckDB can read it, otherwise a UTF-8 copy with plain line endings. */
async function withReadable(
  file: string,
  { encoding, newline }: CsvShape,
  use: (file: string) => Promise<void>,
) {
  if (encoding === 'utf-8' && newline !== 'mixed') return use(file)
  const folder = await mkdtemp(join(tmpdir(), 'bi-csv-'))
  try {
    const copy = join(folder, 'copy.csv')
    await rewrite(file, copy, encoding)
    await use(copy)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function rewrite(file: string, copy: string, encoding: string) {
  const decoder = new TextDecoder(encoding)
  const out = await open(copy, 'wx', 0o600)
  let endsInCr = false
  const plain = (text: string) => {
    const whole = endsInCr && !text.startsWith('\n') ? `\n${text}` : text
    endsInCr = whole.endsWith('\r')
    return (endsInCr ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      await out.write(plain(decoder.decode(chunk as Buffer, { stream: true })))
    }
    await out.write(plain(`${decoder.decode()}${endsInCr ? '\n' : ''}`))
  } finally {
    await out.close()
  }
}
