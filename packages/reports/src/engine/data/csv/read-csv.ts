import { ownValue } from '@bi-manager/contract/own-value'
import type { CsvOptions, CsvType } from '../../../definitions/definition.ts'
import { DefinitionError } from '../../../definitions/definition-error.ts'
import { type Database, literal, quote } from '../database/database.ts'
import { escapeGlob } from '../database/plain-file.ts'
import { amountsIn } from './amounts.ts'
import type { ChoiceInput, ChosenColumn, Evidence, OrderEvidence, WrittenColumns } from './csv-choice.ts'
import { codeSentence } from './csv-codes.ts'
import { type Deciding, type Decision, type Doubts, decideColumns } from './csv-decision.ts'
import { withReadable, withUtf8 } from './csv-encoding.ts'
import type { HeadingSearch } from './csv-layout.ts'
import { convertedSql, type DateOrder, type DecimalMark, type Notation } from './csv-notations.ts'
import {
  findOther,
  type Remark,
  remarkMark,
  remarkNearly,
  remarkOddities,
  remarkOrder,
  remarkShortened,
  TYPE_LABELS,
  TYPE_NAMES,
  valueText,
} from './csv-remarks.ts'
import { exactNumbers, remarkRounded } from './exact-numbers.ts'
import { strippedSql, trimmedSql } from './field-sql.ts'
import { type HeadingRows, repeatsSentence, unnamedSentence } from './heading-rows.ts'
import { headingValuesSentence } from './heading-values.ts'
import { durationSentence, type KnownColumn, WITHOUT_HEADING } from './known-columns.ts'
import { markMissing } from './missing-texts.ts'
import { type CsvShape, type ScanOptions, scanCsv } from './scan-csv.ts'
import { textReasons } from './text-reasons.ts'
import { findSummaryRows, isTotalSql, NO_SUMMARIES, remarkTotalRows, type SummaryRows } from './total-rows.ts'
import { findUnitRow, type UnitRow, unitSentence } from './unit-row.ts'

/** How a draft is read: with all notations, and with what a person chose, or has for earlier data. */
export interface DraftOptions extends Deciding {
  /** Where the heading is; without it, it is found by its looks. */
  search?: HeadingSearch | undefined
  /** Rows of totals are left out. */
  withoutTotals?: boolean | undefined
  /** Rows that seem to be balances of a statement are left out. */
  withoutBalances?: boolean | undefined
  /** Marks of missing values become empty in columns of texts too. */
  emptiesTexts?: boolean | undefined
  /** Returns the headings of columns of texts whose dashes are values. */
  signsOf?: ((headings: string[]) => ReadonlySet<string>) | undefined
  /** Returns the chosen types by heading. @throws DefinitionError when headings are not accepted */
  typesOf: (headings: string[]) => Record<string, CsvType>
  /** Returns the headings of columns that are numbers in the published table. */
  numbersOf?: ((headings: string[]) => ReadonlySet<string>) | undefined
  /** Returns the headings of columns that are days in the published table. */
  daysOf?: ((headings: string[]) => ReadonlySet<string>) | undefined
}

/**
 * `notice` is called for what a reader of the numbers should know. `quotesData`: sentences may
 * contain values. Without `withRows`, only the columns are copied. Without `draft`, the file is
 * read as published folders always were, so that their numbers stay. `known` columns, by their
 * heading, are in canonical notation, and nothing is detected. `written` columns have texts of this
 * service, which show nothing about the notations of the file. The caller says why `mixed` columns
 * are texts. With `isPublished`, an author has been told of rows that only their sums show to be
 * totals: looking for them again would cost each start of the service. `lineAt` returns the line that
 * sentences name for a record; by default, it is that of the file.
 */
type CopyOptions = {
  notice?: (sentence: string) => void
  quotesData: boolean
  withRows?: boolean
  draft?: DraftOptions | undefined
  known?: ReadonlyMap<string, KnownColumn> | undefined
  written?: WrittenColumns | undefined
  mixed?: ReadonlySet<string> | undefined
  isPublished?: boolean | undefined
  lineAt?: ((record: number) => number) | undefined
}

type CsvColumn = {
  name: string
  /** What the row of units says, such as 'R$ mil'. */
  unit: string | undefined
  type: CsvType
  shownAs: Notation['shownAs']
  isPartlyPercent?: boolean | undefined
  /** Numbers with groups of thousands or with cents: 850.000,00 */
  isAmount?: boolean | undefined
  /** Both decimal marks fit all values, and give other numbers. */
  fitsBothMarks: boolean
  /** Both orders of dates fit all values, and give other days. */
  fitsBothOrders: boolean
}

export interface CsvReading {
  /** All columns of the file, also those without a name and a value. */
  headings: string[]
  columns: CsvColumn[]
  /** The decimal mark; null when no number has one, or when nothing decides it. */
  decimal: DecimalMark | null
  evidence: Evidence
  /** The order of dates with slashes; null when there are none, or when nothing decides it. */
  dateOrder: DateOrder | null
  dateEvidence: OrderEvidence
  heading: HeadingRows
  /** Rows that seem to be totals, whether they are left out or not. */
  totals: number
  doubts: Doubts
}

interface Csv extends ChoiceInput {
  quotesData: boolean
  draft: DraftOptions | undefined
  /** Whether the file is one of a folder with definitions, where its author chooses types. */
  isInFolder: boolean
  /** Columns that are days in the published table. */
  days: ReadonlySet<string> | undefined
  mixed: ReadonlySet<string> | undefined
  /** The records of the file, of which `source` has those without `left`. */
  records: string
  /** SQL that is true for rows of units or totals, which are left out before any type is chosen. */
  left: string | undefined
  /** Rows that are totals without a word that says so. */
  summaries: SummaryRows
  /** Returns the lines of records. */
  linesOf: (records: number[]) => Promise<Map<number, number>>
}

/**
 * Copies a CSV file into a table. All bytes are validated first, so that DuckDB gets a known format
 * and guesses nothing.
 * @throws DefinitionError
 */
export const copyCsv = async (
  database: Database,
  file: string,
  target: string,
  options: CsvOptions = {},
  {
    notice = () => {},
    quotesData,
    withRows = true,
    draft,
    known,
    written,
    mixed,
    isPublished = false,
    lineAt,
  }: CopyOptions,
): Promise<CsvReading> => {
  const { delimiter, encoding, decimal } = options
  return withUtf8(file, async (text) => {
    const scan = { delimiter, encoding, isBare: !draft, ...draft?.search, quotesData }
    const shape = await scanCsv(text, scan)
    const types = draft?.typesOf(shape.columns) ?? options.types
    for (const name of Object.keys(types ?? {})) {
      if (!shape.columns.includes(name))
        throw new DefinitionError(`csv.types: a coluna ${name} não existe no arquivo`)
    }
    remarkLines(shape, notice, lineAt)
    if (shape.repeats.length > 0) notice(repeatsSentence(shape.repeats, (column) => column + 1, quotesData))
    return withReadable(text, shape, async (readable) => {
      const records = sourceOf(readable, shape)
      await mustBeWhole(database, records, shape)
      const columns = await withoutEmpty(database, records, shape, notice)
      const units = draft && (await findUnitRow(database, records, columns))
      const summaries = isPublished
        ? NO_SUMMARIES
        : await findSummaryRows(database, records, columns, shape.records)
      const totalTests = draft?.withoutTotals ? [isTotalSql(columns), ...summaries.tests] : []
      const balanceTests = draft?.withoutBalances ? summaries.balances : []
      const tests = [...(units ? [units.test] : []), ...totalTests, ...balanceTests]
      const left = tests.length > 0 ? tests.join(' OR ') : undefined
      const linesOf = async (records: number[]) =>
        lineAt
          ? new Map(records.map((record) => [record, lineAt(record)]))
          : findLines(text, { ...scan, delimiter: shape.delimiter }, records)
      const csv: Csv = {
        database,
        source: left ? `(FROM ${records} WHERE NOT (${left}))` : records,
        records,
        left,
        summaries,
        columns,
        delimiter: shape.delimiter,
        types,
        numbers: draft?.numbersOf?.(shape.columns),
        decimal,
        quotesData,
        draft,
        days: draft?.daysOf?.(shape.columns),
        linesOf,
        known,
        written,
        mixed,
        isDraft: draft !== undefined,
        isInFolder: draft?.isInFolder ?? !draft,
      }
      if (units) notice(unitSentence(units, (await linesOf([1])).get(1) ?? 0, quotesData))
      const decided = await decideColumns(csv, draft)
      const exact = await exactNumbers(csv, decided.columns)
      const chosen = {
        ...decided,
        columns: draft?.emptiesTexts ? await markMissing(csv, exact, draft.signsOf?.(shape.columns)) : exact,
      }
      await assertTypes(csv, chosen.columns)
      await remark(csv, chosen, notice)
      const rows = await createTable(csv, target, chosen.columns, withRows)
      if (withRows && rows === 0) notice(WITHOUT_ROWS)
      if (rows > 0 && shape.heading.count === 1)
        await remarkHeading(csv, target, shape, chosen.columns, notice)
      const leftOut = { totals: draft?.withoutTotals === true, balances: draft?.withoutBalances === true }
      const totals = await remarkTotalRows(csv, chosen.columns, { table: target, rows, leftOut, notice })
      const { heading, columns: headings } = shape
      const amounts = draft ? await amountsIn(csv, chosen.columns) : new Set()
      return {
        ...chosen,
        headings,
        columns: chosen.columns.map((one) => ({
          ...shownColumn(one, units),
          isAmount: amounts.has(one.name),
        })),
        heading,
        totals,
      }
    })
  })
}

const WITHOUT_ROWS =
  'só tem o cabeçalho, nenhuma linha: as colunas sem um tipo escolhido ficam como texto, e as somas do relatório são recusadas'

const shownColumn = ({ name, writing, twin }: ChosenColumn, row: UnitRow | undefined): CsvColumn => ({
  name,
  unit: row?.units.get(name),
  type: writing?.type ?? 'text',
  shownAs: writing?.shownAs,
  isPartlyPercent: writing?.isPartlyPercent,
  fitsBothMarks: twin?.decimal !== undefined,
  fitsBothOrders: twin?.order !== undefined,
})

/** Names the lines that are not read. */
const remarkLines = (
  { heading: { first, count }, footer, records }: CsvShape,
  notice: (sentence: string) => void,
  lineAt?: (record: number) => number,
) => {
  const above = first === 2 ? '; a linha 1 fica de fora' : `; as linhas 1 a ${first - 1} ficam de fora`
  const rest = first > 1 ? above : ''
  if (count === 2) notice(`o cabeçalho são as linhas ${first} e ${first + 1}${rest}`)
  else if (count === 1 && rest) notice(`o cabeçalho é a linha ${first}${rest}`)
  else if (count === 0) notice(`${WITHOUT_HEADING}${rest}`)
  if (!footer) return
  const from = lineAt?.(records + 1) ?? footer.first
  const last = lineAt?.(records + footer.records) ?? footer.last
  notice(
    from === last
      ? `a linha ${from}, abaixo da tabela, é uma nota e fica de fora`
      : `as linhas ${from} a ${last}, abaixo da tabela, são notas e ficam de fora`,
  )
}

/** Returns the columns without those that have neither a heading nor a value. */
const withoutEmpty = async (
  database: Database,
  source: string,
  { columns, unnamed, heading }: CsvShape,
  notice: (sentence: string) => void,
): Promise<string[]> => {
  const names = unnamed.flatMap((index) => columns[index] ?? [])
  if (names.length === 0) return columns
  const list = names.map((name) => `count(${strippedSql(name)})::DOUBLE`).join(', ')
  const [row = []] = await database.load(`SELECT ${list} FROM ${source}`)
  const empty = new Set(names.filter((_name, index) => Number(row[index]) === 0))
  for (const name of names) if (!empty.has(name) && heading.count > 0) notice(unnamedSentence(name))
  return columns.filter((name) => !empty.has(name))
}

/** Says what to choose for a column that the reader of spreadsheets knows to be of another type. */
const wayOut = ({ known, draft }: Csv, name: string, type: CsvType): string => {
  const own = known?.get(name)?.type
  return draft?.isReplacement && own && own !== type
    ? `. A planilha traz a coluna como ${TYPE_NAMES[own]}, e os dados publicados, como ${TYPE_NAMES[type]}: em Substituir dados, envie este arquivo e escolha ${TYPE_LABELS[own]} em Tipo de ${name}; as trocas seguintes, também as agendadas, usam a escolha`
    : ''
}

/** Days are read as moments if that helps; people see them as days. */
const typeName = ({ days }: Csv, name: string, type: CsvType): string =>
  type === 'timestamp' && days?.has(name)
    ? `${TYPE_NAMES.date}, nem ${TYPE_NAMES.timestamp}`
    : TYPE_NAMES[type]

/** Refuses values that are not of a chosen type. */
const assertTypes = async (csv: Csv, columns: ChosenColumn[]) => {
  for (const { name, writing } of columns) {
    const type = ownValue(csv.types, name)
    const found = type && writing && (await findOther(csv, name, writing))
    if (!found) continue
    const line = (await csv.linesOf([found.record])).get(found.record)
    throw new DefinitionError(
      `linha ${line}: coluna ${name}: ${valueText(found, csv)} não é ${typeName(csv, name, type)}${wayOut(csv, name, type)}`,
    )
  }
}

const remark = async (csv: Csv, { columns, dateEvidence }: Decision, notice: (sentence: string) => void) => {
  const remarks: Remark[] = []
  const reasons = csv.isDraft ? await textReasons(csv, columns) : undefined
  for (const { name, writing, nearly, code, otherMark } of columns) {
    if (code) notice(codeSentence(name, code, csv))
    if (writing?.isDuration) notice(durationSentence(name))
    const found =
      reasons?.get(name) ??
      (nearly && (await remarkNearly(csv, name, nearly))) ??
      (writing?.order && (await remarkOrder(csv, name, writing, dateEvidence))) ??
      (writing && otherMark && (await remarkMark(csv, name, writing, otherMark)))
    if (found) remarks.push(found)
  }
  remarks.push(
    ...(await remarkRounded(csv, columns)),
    ...(await remarkOddities(csv, columns)),
    ...(await remarkShortened(csv, columns)),
  )
  const lines = await csv.linesOf(remarks.flatMap(({ records }) => records))
  for (const { records, sentence } of remarks)
    notice(sentence(...records.map((record) => lines.get(record) ?? 0)))
}

/** Says that the heading looks like values. A file that replaces a table was read by its names. */
const remarkHeading = async (
  { database, quotesData, draft, isInFolder }: Csv,
  table: string,
  shape: CsvShape,
  chosen: ChosenColumn[],
  notice: (sentence: string) => void,
) => {
  if (draft?.isReplacement) return
  const columns = chosen.map(({ name, writing }) => ({
    name,
    index: shape.columns.indexOf(name),
    type: writing?.type ?? 'text',
  }))
  const sentence = await headingValuesSentence({ database, table, columns, quotesData, isInFolder })
  if (sentence) notice(sentence)
}

const createTable = async (csv: Csv, target: string, columns: ChosenColumn[], withRows: boolean) => {
  const { database, source, isDraft } = csv
  const textOf = ({ name, missing }: ChosenColumn) => {
    const text = isDraft ? strippedSql(name) : `nullif(${quote(name)}, '')`
    return missing ? `CASE WHEN NOT (${missing}) THEN ${text} END` : text
  }
  const list = columns.map((column) => {
    const { name, writing } = column
    return `${writing ? convertedSql(name, writing) : textOf(column)} AS ${quote(name)}`
  })
  // Spreadsheets often leave trailing rows of delimiters.
  const isSomething = `coalesce(${columns.map(({ name }) => trimmedSql(name)).join(', ')}) IS NOT NULL`
  return database.createTable(
    target,
    `SELECT ${list.join(', ')} FROM ${source} WHERE ${isSomething} ${withRows ? '' : 'LIMIT 0'}`,
  )
}

const sourceOf = (file: string, { columns, delimiter, body }: CsvShape): string => {
  const names = columns.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ')
  return `read_csv(${literal(escapeGlob(file))}, auto_detect = false, columns = {${names}}, header = ${!body},
    delim = ${literal(delimiter)}, quote = '"', escape = '"', strict_mode = true,
    compression = 'none', max_line_size = 4000000)`
}

/** If DuckDB read fewer or more records than the file has, totals would be wrong. */
const mustBeWhole = async (database: Database, source: string, { records, columns }: CsvShape) => {
  // With one column, an empty line may or may not be a value.
  if (columns.length === 1) return
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${source}`)
  if (row?.[0] !== records)
    throw new DefinitionError(
      `tem ${records} ${records === 1 ? 'linha' : 'linhas'} de dados, e o banco leu ${row?.[0]}`,
    )
}

/** Returns the lines of records, by their numbers. */
const findLines = async (
  file: string,
  scan: ScanOptions,
  records: number[],
): Promise<Map<number, number>> => {
  const lines = new Map<number, number>()
  if (records.length === 0) return lines
  const onLine = (record: number, line: number) => lines.set(record, line)
  await scanCsv(file, { ...scan, records: new Set(records), onLine })
  return lines
}
