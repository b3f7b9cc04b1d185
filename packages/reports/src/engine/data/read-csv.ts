import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownValue } from '@bi-manager/contract/own-value'
import type { CsvOptions, CsvType } from '../definitions/definition.ts'
import { DefinitionError } from '../definitions/definition-error.ts'
import {
  convertedSql,
  isOtherNotationSql,
  type Notation,
  notationsToTry,
  trimmedSql,
} from './csv-notations.ts'
import { type Database, literal, quote } from './database.ts'
import { canonicalNotation, type KnownColumn } from './known-columns.ts'
import { escapeGlob } from './plain-file.ts'
import { type CsvShape, scanCsv } from './scan-csv.ts'

/** Rows from which types are guessed; if later rows contradict, all rows are read. */
const SAMPLE = 20_000
/** Share of numbers or dates from which a text column causes a notice to the author. */
const NEARLY = 0.8

/** `nearly`: the notation of most values of a column that stays text because of a few others. */
type Column = { name: string; writing: Notation | undefined; nearly?: Notation | undefined }

/**
 * `notice` is called for columns that stay text because of a few values. `quotesData`: sentences
 * may contain values. Without `withRows`, only the columns are copied. `known` columns, by their
 * heading, are in canonical notation, and nothing is detected. `lineAt` returns the line that
 * sentences name for a record; by default, it is that of the file.
 */
type CopyOptions = {
  notice?: (sentence: string) => void
  quotesData: boolean
  withRows?: boolean
  known?: ReadonlyMap<string, KnownColumn>
  lineAt?: ((record: number) => number) | undefined
}

export type CsvColumn = { name: string; type: CsvType; shownAs: Notation['shownAs'] }

interface Csv {
  database: Database
  file: string
  shape: CsvShape
  options: CsvOptions
  /** All of its rows, as DuckDB reads them. */
  source: string
  quotesData: boolean
  known: ReadonlyMap<string, KnownColumn>
  lineAt: ((record: number) => number) | undefined
}

/**
 * Copies a CSV file into a table. All bytes are validated first, so that DuckDB gets a known format
 * and guesses nothing.
 * @returns the columns as they were read
 * @throws DefinitionError
 */
export async function copyCsv(
  database: Database,
  file: string,
  target: string,
  options: CsvOptions = {},
  { notice = () => {}, quotesData, withRows = true, known = new Map(), lineAt }: CopyOptions,
): Promise<CsvColumn[]> {
  const shape = await scanCsv(file, options)
  for (const name of Object.keys(options.types ?? {})) {
    if (!shape.columns.includes(name))
      throw new DefinitionError(`csv.types: a coluna ${name} não existe no arquivo`)
  }
  return withReadable(file, shape, async (readable) => {
    const source = sourceOf(readable, shape)
    const csv: Csv = { database, file, shape, options, source, quotesData, known, lineAt }
    const sampled = await chooseTypes(csv, `(FROM ${source} LIMIT ${SAMPLE})`)
    await mustBeWhole(csv)
    const odd = await oddColumns(csv, sampled)
    const columns = odd.size ? await chooseTypes(csv, source, odd, sampled) : sampled
    for (const { name, writing } of columns) {
      const type = ownValue(options.types, name)
      const found = type && writing && (await firstOdd(csv, name, writing))
      if (found)
        throw new DefinitionError(
          `linha ${found.line}: coluna ${name}: ${found.value} não é ${TYPE_NAMES[type]}`,
        )
    }
    for (const { name, nearly } of columns) {
      const found = nearly && (await firstOdd(csv, name, nearly))
      if (found)
        notice(
          `a coluna ${name} fica como texto: na linha ${found.line}, ${found.value} não é ${TYPE_NAMES[nearly.type]}`,
        )
    }
    const list = columns.map(({ name, writing }) => `${valueIn(name, writing)} AS ${quote(name)}`)
    // Spreadsheets often leave trailing rows of delimiters.
    const isSomething = `coalesce(${shape.columns.map(trimmedSql).join(', ')}) IS NOT NULL`
    const rows = await database.createTable(
      target,
      `SELECT ${list.join(', ')} FROM ${source} WHERE ${isSomething} ${withRows ? '' : 'LIMIT 0'}`,
    )
    if (withRows && rows === 0)
      notice(
        'só tem o cabeçalho, nenhuma linha: as colunas sem um tipo escolhido ficam como texto, e as somas do relatório são recusadas',
      )
    return columns.map(({ name, writing }) => ({
      name,
      type: writing?.type ?? 'text',
      shownAs: writing?.shownAs,
    }))
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
  { database, shape: { columns, delimiter }, options: { decimal, types }, known }: Csv,
  source: string,
  only?: Set<string>,
  sampled: Column[] = [],
): Promise<Column[]> {
  const candidates = (name: string) => {
    const forced = ownValue(types, name)
    return notationsToTry(delimiter, decimal).filter(({ type }) => !forced || type === forced)
  }
  const asked = columns.filter(
    (name) => !known.has(name) && ownValue(types, name) !== 'text' && (!only || only.has(name)),
  )
  const sums = asked.flatMap((name) => [
    `count(${trimmedSql(name)})::DOUBLE`,
    ...candidates(name).map((writing) => `count(${convertedSql(name, writing)})::DOUBLE`),
  ])
  const [counts = []] = sums.length ? await database.load(`SELECT ${sums.join(', ')} FROM ${source}`) : []
  const numbers = counts.map(Number)
  return columns.map((name) => {
    const ready = known.get(name)
    if (ready) return { name, writing: canonicalNotation(ready, ownValue(types, name)) }
    const before = sampled.find((one) => one.name === name)
    if (!asked.includes(name)) return before ?? { name, writing: undefined }
    const [filled = 0] = numbers.splice(0, 1)
    const own = candidates(name)
    const kept = numbers.splice(0, own.length)
    const all = own.find((_writing, index) => filled > 0 && kept[index] === filled)
    const most = Math.max(...kept)
    const best = own[kept.indexOf(most)]
    // A declared type is kept, and the values that do not fit are then refused.
    if (all || ownValue(types, name)) return { name, writing: all ?? best }
    const isNearly = filled > 0 && most >= filled * NEARLY
    return { name, writing: undefined, nearly: before?.writing ?? (isNearly ? best : undefined) }
  })
}

/** If DuckDB read fewer or more records than the file has, totals would be wrong. */
async function mustBeWhole({ database, source, shape: { records, columns } }: Csv) {
  // With one column, an empty line may or may not be a value.
  if (columns.length === 1) return
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${source}`)
  if (row?.[0] !== records)
    throw new DefinitionError(`tem ${records} linhas de dados, e o banco leu ${row?.[0]}`)
}

/** Returns columns with values after the sample that are in another notation. */
async function oddColumns({ database, source }: Csv, columns: Column[]): Promise<Set<string>> {
  const typed = columns.flatMap(({ name, writing }) =>
    writing ? [{ name, test: isOtherNotationSql(name, writing) }] : [],
  )
  if (!typed.length) return new Set()
  const list = typed.map(({ test }) => `bool_or(${test})`).join(', ')
  const [row = []] = await database.load(`SELECT ${list} FROM ${source}`)
  return new Set(typed.filter((_one, index) => row[index] === true).map(({ name }) => name))
}

const TYPE_NAMES = {
  text: 'um texto',
  integer: 'um número inteiro',
  number: 'um número',
  date: 'uma data',
  timestamp: 'uma data com hora',
  boolean: 'true ou false',
}

/** Returns line and value, as sentences name them, of the first value in another notation. */
async function firstOdd(csv: Csv, name: string, writing: Notation) {
  const { database, file, shape, options, source, quotesData, lineAt } = csv
  const [row] = await database.load(
    `SELECT record, ${trimmedSql(name)} FROM (SELECT row_number() OVER ()::DOUBLE AS record, ${quote(name)} FROM ${source})
     WHERE ${isOtherNotationSql(name, writing)} ORDER BY record LIMIT 1`,
  )
  if (!row) return undefined
  const [record, text] = [Number(row[0]), String(row[1])]
  let line = lineAt?.(record) ?? 0
  const withDelimiter = { ...options, delimiter: shape.delimiter as NonNullable<CsvOptions['delimiter']> }
  if (!lineAt) await scanCsv(file, withDelimiter, { record, onLine: (found) => (line = found) })
  const value = quotesData ? `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"` : 'o valor'
  return { line, value }
}

/** Passes on the file if DuckDB can read it, otherwise a UTF-8 copy with plain line endings. */
async function withReadable<T>(
  file: string,
  { encoding, newline }: CsvShape,
  use: (file: string) => Promise<T>,
): Promise<T> {
  if (encoding === 'utf-8' && newline !== 'mixed') return use(file)
  const folder = await mkdtemp(join(tmpdir(), 'bi-csv-'))
  try {
    const copy = join(folder, 'copy.csv')
    await rewrite(file, copy, encoding)
    return await use(copy)
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
