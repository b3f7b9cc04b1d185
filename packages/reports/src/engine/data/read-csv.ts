import { shownNumber } from '@bi-manager/contract/number-text'
import { ownValue } from '@bi-manager/contract/own-value'
import type { CsvOptions, CsvType } from '../definitions/definition.ts'
import { DefinitionError } from '../definitions/definition-error.ts'
import {
  type ChoiceInput,
  type ChosenColumn,
  chooseTypes,
  type Evidence,
  evidenceOf,
  oddColumns,
  withoutEqualTwins,
} from './csv-choice.ts'
import { withReadable, withUtf8 } from './csv-encoding.ts'
import { convertedSql, type DecimalMark, type Notation, strippedSql, trimmedSql } from './csv-notations.ts'
import {
  findOther,
  findTotal,
  isTotalSql,
  type Remark,
  remarkNearly,
  remarkOddities,
  TYPE_NAMES,
  valueText,
} from './csv-remarks.ts'
import { type Database, literal, quote } from './database.ts'
import type { KnownColumn } from './known-columns.ts'
import { escapeGlob } from './plain-file.ts'
import { type CsvShape, type ScanOptions, scanCsv } from './scan-csv.ts'

/** Rows from which types are guessed; if later rows contradict, all rows are read. */
const SAMPLE = 20_000

/** What a person chose, or has chosen for earlier data of the same table. */
export interface DraftChoices {
  /** The decimal mark of columns that both marks fit. */
  decimal?: DecimalMark | undefined
  /** The line of the heading; the first is 1. */
  headerLine?: number | undefined
  /** Rows of totals are left out. */
  withoutTotals?: boolean | undefined
}

/** The decimal mark of the table's earlier data, and what that data showed. */
export interface KeptMark {
  decimal: DecimalMark
  evidence: Evidence
}

/** How a draft is read: with all notations, and with the choices of its author. */
export interface DraftOptions extends DraftChoices {
  /** Returns the chosen types by heading. @throws DefinitionError when headings are not accepted */
  typesOf: (headings: string[]) => Record<string, CsvType>
  /** `as before`: nothing is known, and the delimiter decides, as it did when the table was published. */
  kept?: KeptMark | 'as before' | undefined
}

/**
 * `notice` is called for what a reader of the numbers should know. `quotesData`: sentences may
 * contain values. Without `withRows`, only the columns are copied. Without `draft`, the file is
 * read as published folders always were, so that their numbers stay. `known` columns, by their
 * heading, are in canonical notation, and nothing is detected. `written` columns have decimal commas
 * of this service, which show nothing about the marks of the file. `lineAt` returns the line that
 * sentences name for a record; by default, it is that of the file.
 */
type CopyOptions = {
  notice?: (sentence: string) => void
  quotesData: boolean
  withRows?: boolean
  draft?: DraftOptions | undefined
  known?: ReadonlyMap<string, KnownColumn> | undefined
  written?: ReadonlySet<string> | undefined
  lineAt?: ((record: number) => number) | undefined
}

export type CsvColumn = {
  name: string
  type: CsvType
  shownAs: Notation['shownAs']
  /** Both decimal marks fit all values, and give other numbers. */
  fitsBothMarks: boolean
}

export interface CsvReading {
  /** All columns of the file, also those without a name and a value. */
  headings: string[]
  columns: CsvColumn[]
  /** The decimal mark; null when no number has one, or when nothing decides it. */
  decimal: DecimalMark | null
  evidence: Evidence
  headerLine: number
  /** Rows that seem to be totals, whether they are left out or not. */
  totals: number
  /** Why the rows cannot be used before the author has chosen a decimal mark. */
  doubt: string | undefined
}

interface Csv extends ChoiceInput {
  quotesData: boolean
  draft: DraftOptions | undefined
  /** Returns the lines of records. */
  linesOf: (records: number[]) => Promise<Map<number, number>>
}

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
  { notice = () => {}, quotesData, withRows = true, draft, known, written, lineAt }: CopyOptions,
): Promise<CsvReading> {
  const { delimiter, encoding, decimal } = options
  return withUtf8(file, async (text) => {
    const scan = { delimiter, encoding, isBare: !draft, headerLine: draft?.headerLine }
    const shape = await scanCsv(text, scan)
    const types = draft?.typesOf(shape.columns) ?? options.types
    for (const name of Object.keys(types ?? {})) {
      if (!shape.columns.includes(name))
        throw new DefinitionError(`csv.types: a coluna ${name} não existe no arquivo`)
    }
    remarkLines(shape, notice, lineAt)
    return withReadable(text, shape, async (readable) => {
      const source = sourceOf(readable, shape)
      await mustBeWhole(database, source, shape)
      const columns = await withoutEmpty(database, source, shape, notice)
      const linesOf = async (records: number[]) =>
        lineAt
          ? new Map(records.map((record) => [record, lineAt(record)]))
          : findLines(text, { ...scan, delimiter: shape.delimiter }, records)
      const csv: Csv = {
        database,
        source,
        columns,
        delimiter: shape.delimiter,
        types,
        decimal,
        quotesData,
        draft,
        linesOf,
        known,
        written,
        isDraft: draft !== undefined,
      }
      const chosen = await chooseColumns(csv)
      await assertTypes(csv, chosen.columns)
      await remark(csv, chosen.columns, notice)
      const rows = await createTable(csv, target, chosen.columns, withRows)
      if (withRows && rows === 0) notice(WITHOUT_ROWS)
      const totals = await handleTotals(csv, target, chosen.columns, { rows, notice })
      const { headerLine, columns: headings } = shape
      return { ...chosen, headings, columns: chosen.columns.map(shownColumn), headerLine, totals }
    })
  })
}

const WITHOUT_ROWS =
  'só tem o cabeçalho, nenhuma linha: as colunas sem um tipo escolhido ficam como texto, e as somas do relatório são recusadas'

const shownColumn = ({ name, writing, twin }: ChosenColumn): CsvColumn => ({
  name,
  type: writing?.type ?? 'text',
  shownAs: writing?.shownAs,
  fitsBothMarks: twin !== undefined,
})

/** Names the lines that are not read. */
function remarkLines(
  { headerLine, footer, records }: CsvShape,
  notice: (sentence: string) => void,
  lineAt?: (record: number) => number,
) {
  if (headerLine > 1) {
    const above = headerLine === 2 ? 'a linha 1 fica' : `as linhas 1 a ${headerLine - 1} ficam`
    notice(`o cabeçalho é a linha ${headerLine}; ${above} de fora`)
  }
  if (!footer) return
  const first = lineAt?.(records + 1) ?? footer.first
  const last = lineAt?.(records + footer.records) ?? footer.last
  notice(
    first === last
      ? `a linha ${first}, abaixo da tabela, é uma nota e fica de fora`
      : `as linhas ${first} a ${last}, abaixo da tabela, são notas e ficam de fora`,
  )
}

/** Returns the columns without those that have neither a heading nor a value. */
async function withoutEmpty(
  database: Database,
  source: string,
  { columns, unnamed }: CsvShape,
  notice: (sentence: string) => void,
): Promise<string[]> {
  const names = unnamed.flatMap((index) => columns[index] ?? [])
  if (names.length === 0) return columns
  const list = names.map((name) => `count(${strippedSql(name)})::DOUBLE`).join(', ')
  const [row = []] = await database.load(`SELECT ${list} FROM ${source}`)
  const empty = new Set(names.filter((_name, index) => Number(row[index]) === 0))
  for (const name of names)
    if (!empty.has(name)) notice(`uma coluna com valores não tem nome no cabeçalho: aqui ela é ${name}`)
  return columns.filter((name) => !empty.has(name))
}

/** Chooses types from a sample, and from all rows for columns that the sample does not decide. */
async function chooseColumns(csv: Csv) {
  const sample = { ...csv, source: `(FROM ${csv.source} LIMIT ${SAMPLE})` }
  const sampled = await chooseTypes(sample)
  const odd = await oddColumns(csv, sampled)
  const found = odd.size > 0 ? await chooseTypes(csv, sampled, odd) : sampled
  const { draft } = csv
  if (!draft)
    return { columns: withoutTwins(found), decimal: null, evidence: 'none' as const, doubt: undefined }
  const isOpen = (columns: ChosenColumn[]) => columns.some(({ twin }) => twin)
  // A mark may be shown after the sample.
  const read = isOpen(found) ? await withoutEqualTwins(csv, await chooseTypes(csv)) : found
  const evidence = evidenceOf(read)
  const mark = markFor(read, evidence, draft)
  const columns = read.map((column) =>
    column.twin && column.twin.decimal === mark
      ? { ...column, writing: column.twin, twin: column.writing }
      : column,
  )
  const open = columns.find(({ twin }) => twin)
  const shown = columns.find(({ writing }) => writing?.decimal && writing.type === 'number')
  return {
    columns,
    evidence,
    // The mark of earlier data says nothing about numbers without one.
    decimal: open || shown ? (mark ?? (open ? null : (shown?.writing?.decimal ?? null))) : null,
    doubt: open && !mark ? await doubtOf(csv, open) : undefined,
  }
}

const withoutTwins = (columns: ChosenColumn[]) => columns.map((column) => ({ ...column, twin: undefined }))

/** Returns the decimal mark of columns that both marks fit; undefined when nothing decides it. */
function markFor(
  columns: ChosenColumn[],
  evidence: Evidence,
  { decimal, kept }: DraftOptions,
): DecimalMark | undefined {
  if (decimal) return decimal
  const open = columns.filter(({ twin }) => twin)
  const shown = evidence === 'both' || evidence === 'none' ? undefined : evidence
  if (kept === 'as before') return open[0]?.writing?.decimal
  // Data that shows another mark than the data before may come from another program.
  if (kept && (!shown || shown === kept.decimal || evidence === kept.evidence)) return kept.decimal
  if (kept) return undefined
  if (shown || evidence === 'both') return shown
  // Nobody writes thousandths of a real.
  return open.some(({ writing }) => writing?.shownAs === 'money') ? ',' : undefined
}

const sixDecimals = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 6 })

async function doubtOf({ database, source, quotesData }: Csv, { name, writing, twin }: ChosenColumn) {
  if (!writing || !twin) return undefined
  const [comma, point] = writing.decimal === ',' ? [writing, twin] : [twin, writing]
  const text = trimmedSql(name)
  const [row] = await database.load(
    `SELECT ${text}, ${convertedSql(name, comma)}, ${convertedSql(name, point)} FROM ${source}
     WHERE (${convertedSql(name, comma)}) <> (${convertedSql(name, point)}) LIMIT 1`,
  )
  const [value, withComma, withPoint] = row ?? []
  const number = (one: unknown) => shownNumber(sixDecimals, Number(one))
  const example = quotesData && row ? `: "${value}" é ${number(withComma)} ou ${number(withPoint)}` : ''
  return `a coluna ${name} pode ser lida de duas formas${example}. Escolha a vírgula decimal ou o ponto decimal`
}

/** Refuses values that are not of a chosen type. */
async function assertTypes(csv: Csv, columns: ChosenColumn[]) {
  for (const { name, writing } of columns) {
    const type = ownValue(csv.types, name)
    const found = type && writing && (await findOther(csv, name, writing))
    if (!found) continue
    const line = (await csv.linesOf([found.record])).get(found.record)
    throw new DefinitionError(
      `linha ${line}: coluna ${name}: ${valueText(found, csv)} não é ${TYPE_NAMES[type]}`,
    )
  }
}

async function remark(csv: Csv, columns: ChosenColumn[], notice: (sentence: string) => void) {
  const remarks: Remark[] = []
  for (const { name, nearly } of columns) {
    const found = nearly && (await remarkNearly(csv, name, nearly))
    if (found) remarks.push(found)
  }
  remarks.push(...(await remarkOddities(csv, columns)))
  const lines = await csv.linesOf(remarks.map(({ record }) => record))
  for (const { record, sentence } of remarks) notice(sentence(lines.get(record) ?? 0))
}

async function createTable(csv: Csv, target: string, columns: ChosenColumn[], withRows: boolean) {
  const { database, source, isDraft } = csv
  const textOf = (name: string) => (isDraft ? strippedSql(name) : `nullif(${quote(name)}, '')`)
  const list = columns.map(
    ({ name, writing }) => `${writing ? convertedSql(name, writing) : textOf(name)} AS ${quote(name)}`,
  )
  // Spreadsheets often leave trailing rows of delimiters.
  const isSomething = `coalesce(${columns.map(({ name }) => trimmedSql(name)).join(', ')}) IS NOT NULL`
  return database.createTable(
    target,
    `SELECT ${list.join(', ')} FROM ${source} WHERE ${isSomething} ${withRows ? '' : 'LIMIT 0'}`,
  )
}

/** At most this share of the rows is proposed as totals: 'Total' may also be a value like others. */
const MOST_TOTALS = 1 / 3

/** Names the rows of totals, and deletes them if the author has chosen so. */
async function handleTotals(
  csv: Csv,
  target: string,
  columns: ChosenColumn[],
  { rows, notice }: { rows: number; notice: (sentence: string) => void },
): Promise<number> {
  const texts = columns.flatMap(({ name, writing }) => (writing ? [] : [name]))
  const hasNumbers = columns.some(({ writing }) => writing?.type === 'integer' || writing?.type === 'number')
  if (texts.length === 0 || !hasNumbers || rows === 0) return 0
  const [row] = await csv.database.load(`SELECT count(*)::DOUBLE FROM ${target} WHERE ${isTotalSql(texts)}`)
  const totals = Number(row?.[0] ?? 0)
  const { withoutTotals = false } = csv.draft ?? {}
  // Who has chosen to leave them out does so for each later file, whatever its share.
  if (totals === 0 || (!withoutTotals && totals > rows * MOST_TOTALS)) return 0
  const record = await findTotal(csv, texts)
  const line = (await csv.linesOf([record])).get(record)
  const where =
    totals === 1
      ? `a linha ${line} parece um total`
      : `${totals} linhas parecem totais, a partir da linha ${line}`
  if (withoutTotals) {
    await csv.database.load(`DELETE FROM ${target} WHERE ${isTotalSql(texts)}`)
    notice(totals === 1 ? `${where} e fica de fora` : `${where}, e ficam de fora`)
  } else notice(totals === 1 ? `${where}: as somas a contam de novo` : `${where}: as somas as contam de novo`)
  return totals
}

function sourceOf(file: string, { columns, delimiter, body }: CsvShape): string {
  const names = columns.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ')
  return `read_csv(${literal(escapeGlob(file))}, auto_detect = false, columns = {${names}}, header = ${!body},
    delim = ${literal(delimiter)}, quote = '"', escape = '"', strict_mode = true,
    compression = 'none', max_line_size = 4000000)`
}

/** If DuckDB read fewer or more records than the file has, totals would be wrong. */
async function mustBeWhole(database: Database, source: string, { records, columns }: CsvShape) {
  // With one column, an empty line may or may not be a value.
  if (columns.length === 1) return
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${source}`)
  if (row?.[0] !== records)
    throw new DefinitionError(`tem ${records} linhas de dados, e o banco leu ${row?.[0]}`)
}

/** Returns the lines of records, by their numbers. */
async function findLines(file: string, scan: ScanOptions, records: number[]): Promise<Map<number, number>> {
  const lines = new Map<number, number>()
  if (records.length === 0) return lines
  const onLine = (record: number, line: number) => lines.set(record, line)
  await scanCsv(file, { ...scan, records: new Set(records), onLine })
  return lines
}
