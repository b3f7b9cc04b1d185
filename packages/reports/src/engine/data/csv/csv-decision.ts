import { literal } from '../database/database.ts'
import {
  type ChoiceInput,
  type ChosenColumn,
  chooseTypes,
  type Evidence,
  evidenceOf,
  type OrderEvidence,
  oddColumns,
  orderEvidenceOf,
  possibleEvidenceOf,
  withoutEqualTwins,
} from './csv-choice.ts'
import { isAnyCodeHeading, markCodes, noteCodes } from './csv-codes.ts'
import { convertedSql, type DateOrder, type DecimalMark } from './csv-notations.ts'
import { shownDecimal } from './csv-remarks.ts'
import { trimmedSql } from './field-sql.ts'
import { markOwn } from './own-marks.ts'

/* Decides the decimal mark and the order of dates for all columns of a file. */

/** Rows from which types are guessed; if later rows contradict, all rows are read. */
const SAMPLE = 20_000

/** How earlier data of the same table were read, and what they showed. */
export interface KeptNotations {
  mark?: { decimal: DecimalMark; evidence: Evidence } | undefined
  dates?: KeptDates | undefined
}

export interface KeptDates {
  order: DateOrder
  evidence: OrderEvidence
}

/** What a person chose for the file, and what is known of the table's earlier data. */
export interface Deciding {
  /** The decimal mark of columns that both marks fit. */
  decimal?: DecimalMark | undefined
  /** The order of dates that both orders fit. */
  dateOrder?: DateOrder | undefined
  /** `as before`: nothing is known, and the delimiter decides, as it did when the table was published. */
  kept?: KeptNotations | 'as before' | undefined
  /** The rows replace those of a published table. */
  isReplacement?: boolean | undefined
  /** The rows are of a published folder, whose definition is where a person chooses. */
  isInFolder?: boolean | undefined
}

/** Why the rows cannot be used before the author has chosen, and a value with two meanings. */
export interface Doubts {
  mark: string | undefined
  dates: string | undefined
}

export interface Decision {
  columns: ChosenColumn[]
  /** The decimal mark; null when no number has one, or when nothing decides it. */
  decimal: DecimalMark | null
  evidence: Evidence
  /** The order of dates with slashes; null when there are none, or when nothing decides it. */
  dateOrder: DateOrder | null
  dateEvidence: OrderEvidence
  doubts: Doubts
}

interface Rows extends ChoiceInput {
  quotesData: boolean
}

const NO_DOUBTS: Doubts = { mark: undefined, dates: undefined }

/** Chooses types from a sample, and from all rows for columns that the sample does not decide. */
export const decideColumns = async (rows: Rows, deciding: Deciding | undefined): Promise<Decision> => {
  const sample = { ...rows, source: `(FROM ${rows.source} LIMIT ${SAMPLE})` }
  const sampled = await chooseTypes(sample)
  const { odd, short } = await oddColumns(rows, sampled)
  const withLength = (column: ChosenColumn) => ({ ...column, isShort: short.has(column.name) })
  const found = odd.size > 0 ? await chooseTypes(rows, sampled, odd) : sampled
  if (!deciding)
    return {
      columns: (await readAsPublished(rows, found)).map(withLength),
      decimal: null,
      evidence: 'none',
      dateOrder: null,
      dateEvidence: orderEvidenceOf(found),
      doubts: NO_DOUBTS,
    }
  const isOpen = (columns: ChosenColumn[]) => columns.some(({ twin }) => twin)
  // A mark or an order may be shown after the sample.
  const whole = isOpen(found) ? await withoutEqualTwins(rows, await chooseTypes(rows)) : found
  const read = await markCodes(rows, await markOwn(rows, whole))
  const evidence = possibleEvidenceOf(read)
  const dateEvidence = orderEvidenceOf(read)
  const mark = markFor(read, evidence, deciding)
  const order = orderFor(read, dateEvidence, deciding)
  const columns = read.map((column) => {
    const { writing, twin } = column
    const isTwins = twin && (twin.order ? twin.order === order : twin.decimal === mark)
    return isTwins ? { ...column, writing: twin, twin: writing } : column
  })
  const open = columns.find(({ twin }) => twin?.decimal)
  const shown = columns.find(
    ({ writing, hasOwnMark }) => writing?.decimal && writing.type === 'number' && !hasOwnMark,
  )
  const dated = columns.find(({ writing }) => writing?.order)
  return {
    columns: columns.map(withLength),
    evidence,
    // The mark of earlier data says nothing about numbers without one.
    decimal: open || shown ? (mark ?? (open ? null : (shown?.writing?.decimal ?? null))) : null,
    dateOrder: dated ? (order ?? null) : null,
    dateEvidence,
    doubts: {
      mark: open && !mark ? await markDoubt(rows, open, deciding) : undefined,
      dates: dated && !order ? await orderDoubt(rows, columns, deciding) : undefined,
    },
  }
}

/**
 * Reads the columns of a published folder as they always were: by the delimiter. Notes the numbers
 * that the other decimal mark fits too, if no other column shows the mark, and the texts under a
 * heading of codes that become one number.
 */
const readAsPublished = async (rows: Rows, found: ChosenColumn[]): Promise<ChosenColumn[]> => {
  // By the heading alone: a start of the service does not count values.
  const evidence = evidenceOf(found.filter(({ name }) => !isAnyCodeHeading(name)))
  const isOpen = ({ writing, twin }: ChosenColumn) =>
    twin?.decimal !== undefined &&
    writing?.decimal !== evidence &&
    // Amounts in reais have two decimals, so three digits after a point are thousands.
    !(writing?.shownAs === 'money' && writing.decimal === ',' && evidence === 'none')
  const open = found.map((column) => (isOpen(column) ? column : { ...column, twin: undefined }))
  const compared = await withoutEqualTwins(rows, open)
  const noted = compared.map(({ twin, ...column }) => ({ ...column, otherMark: twin }))
  return noteCodes(rows, noted)
}

/** Returns the decimal mark of columns that both marks fit; undefined when nothing decides it. */
const markFor = (
  columns: ChosenColumn[],
  possible: Evidence,
  { decimal, kept }: Deciding,
): DecimalMark | undefined => {
  if (decimal) return decimal
  const open = columns.filter(({ twin }) => twin?.decimal)
  // Codes decide no mark.
  const evidence = evidenceOf(columns)
  if (kept === 'as before') return open[0]?.writing?.decimal
  const { mark } = kept ?? {}
  if (mark) {
    // Data that shows another mark than the data before, or both, may come from another program.
    const isAsBefore = possible === 'none' || possible === mark.evidence
    return isAsBefore || [possible, evidence].includes(mark.decimal) ? mark.decimal : undefined
  }
  if (evidence === 'both') return undefined
  if (evidence !== 'none') return evidence
  // Amounts in reais have two decimals, so three digits after a mark are thousands.
  return open.some(({ writing }) => writing?.shownAs === 'money') ? ',' : undefined
}

/**
 * Returns the order of dates that both orders fit; undefined when a person must decide. Without
 * any evidence the day is first, as everywhere in Brazil, and the page says so.
 */
const orderFor = (
  columns: ChosenColumn[],
  evidence: OrderEvidence,
  { dateOrder, kept }: Deciding,
): DateOrder | undefined => {
  if (dateOrder) return dateOrder
  const isOpen = columns.some(({ twin }) => twin?.order)
  const dates = kept === 'as before' ? undefined : kept?.dates
  if (dates) {
    const isAsBefore = evidence === 'none' || evidence === dates.order || evidence === dates.evidence
    return isAsBefore ? dates.order : undefined
  }
  // Earlier versions read the day first, whatever the other columns showed.
  if (kept && isOpen) return evidence === 'none' || evidence === 'dayFirst' ? 'dayFirst' : undefined
  return evidence === 'none' ? 'dayFirst' : evidence === 'both' ? undefined : evidence
}

/** A schedule shows no choice: its sentence says where a person answers once. */
const wayOut = (choice: string, answer: string, { quotesData }: Rows, { isReplacement }: Deciding) =>
  isReplacement && !quotesData
    ? `Envie este arquivo uma vez em Substituir dados e diga ${answer}; as trocas seguintes, também as agendadas, usam a resposta`
    : choice

const markDoubt = async (rows: Rows, { name, writing, twin }: ChosenColumn, deciding: Deciding) => {
  const { database, source, quotesData } = rows
  if (!writing || !twin) return undefined
  const [comma, point] = writing.decimal === ',' ? [writing, twin] : [twin, writing]
  const text = trimmedSql(name)
  const [row] = await database.load(
    `SELECT ${text}, ${convertedSql(name, comma)}, ${convertedSql(name, point)} FROM ${source}
     WHERE (${convertedSql(name, comma)}) <> (${convertedSql(name, point)}) LIMIT 1`,
  )
  const [value, withComma, withPoint] = row ?? []
  const example =
    quotesData && row ? `: "${value}" é ${shownDecimal(withComma)} ou ${shownDecimal(withPoint)}` : ''
  const choose = wayOut(
    `Escolha a vírgula decimal ou o ponto decimal${deciding.isInFolder ? ', em csv.decimal' : ''}`,
    'se vale a vírgula decimal ou o ponto decimal',
    rows,
    deciding,
  )
  return `a coluna ${name} pode ser lida de duas formas${example}. ${choose}`
}

const ORDER_NAMES: Record<DateOrder, string> = {
  dayFirst: 'o dia antes do mês',
  monthFirst: 'o mês antes do dia',
}

/** Returns nothing where each column shows its own order, and no earlier data had another. */
const orderDoubt = async (rows: Rows, columns: ChosenColumn[], deciding: Deciding) => {
  const { kept } = deciding
  const choose = wayOut(
    deciding.isInFolder
      ? 'Escreva as datas de todas as colunas na mesma ordem, ou como 2026-03-25'
      : 'Escolha, em Ordem das datas, o que vem antes',
    'se nas datas vem antes o dia ou o mês',
    rows,
    deciding,
  )
  const dates = kept === 'as before' ? undefined : kept?.dates
  const before = dates?.order ?? 'dayFirst'
  const other = columns.find(({ showsOrder }) => showsOrder && showsOrder !== before)
  const why = other?.showsOrder ? `a coluna ${other.name} tem ${ORDER_NAMES[other.showsOrder]}` : ''
  const open = columns.find(({ twin }) => twin?.order)
  if (!open && !dates) return undefined
  if (!open) return `${why}, e os dados publicados, ${ORDER_NAMES[before]}. ${choose}`
  const example = await orderExample(rows, open)
  return `${why && `${why}, e `}a coluna ${open.name} tem datas que podem ser lidas das duas formas${example}. ${choose}`
}

const orderExample = async (
  { database, source, quotesData }: Rows,
  { name, writing, twin }: ChosenColumn,
) => {
  if (!writing || !twin || !quotesData) return ''
  const [day, month] = writing.order === 'dayFirst' ? [writing, twin] : [twin, writing]
  const written = (sql: string) => `strftime(${sql}, ${literal('%d/%m/%Y')})`
  const [row] = await database.load(
    `SELECT ${trimmedSql(name)}, ${written(convertedSql(name, day))}, ${written(convertedSql(name, month))}
     FROM ${source} WHERE (${convertedSql(name, day)}) <> (${convertedSql(name, month)}) LIMIT 1`,
  )
  return row ? `: "${row[0]}" é ${longDay(row[1])} ou ${longDay(row[2])}` : ''
}

const longDay = (text: unknown): string => {
  const [day, month, year] = String(text).split('/').map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day ?? 1)
  return date.toLocaleDateString('pt-BR', { timeZone: 'UTC', dateStyle: 'long' })
}
