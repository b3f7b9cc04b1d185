import { shownNumber } from '@bi-manager/contract/number-text'
import type { CsvType } from '../../../definitions/definition.ts'
import { type Database, quote } from '../database/database.ts'
import type { ChosenColumn, OrderEvidence } from './csv-choice.ts'
import {
  convertedSql,
  EXACT_DIGITS,
  isOtherNotationSql,
  type Notation,
  notationsOf,
  ODDITIES,
  type Oddity,
} from './csv-notations.ts'
import { strippedSql, trimmedSql } from './field-sql.ts'

/** A value that a sentence names, by the number of its record: 1 is the first after the heading. */
interface Place {
  record: number
  text: string
}
/** A sentence about values, whose lines are known when the file has been read again. */
export interface Remark {
  records: number[]
  sentence: (...lines: number[]) => string
}

export interface Rows {
  database: Database
  /** A relation with one VARCHAR per column. */
  source: string
  /** The records of the file, of which `source` has those without `left`. */
  records: string
  /** SQL that is true for records that are left out. */
  left: string | undefined
  /** Whether sentences may contain values. */
  quotesData: boolean
  /** Whether dates may have the month first. */
  isDraft: boolean
}

export const TYPE_NAMES: Record<CsvType, string> = {
  text: 'um texto',
  integer: 'um número inteiro',
  number: 'um número',
  date: 'uma data',
  timestamp: 'uma data e hora',
  boolean: 'sim ou não',
}
/** As the portal's lists of types name them. */
export const TYPE_LABELS: Record<CsvType, string> = {
  text: 'Texto',
  integer: 'Número inteiro',
  number: 'Número',
  date: 'Data',
  timestamp: 'Data e hora',
  boolean: 'Sim ou não',
}

/** No heading has a control character. */
export const RECORD = quote('\u0001')
/** Returns the rows that are read, with the numbers of their records in the file. */
export const numbered = ({ records, left }: Pick<Rows, 'records' | 'left'>) =>
  `(FROM (SELECT row_number() OVER ()::DOUBLE AS ${RECORD}, * FROM ${records}) ${left ? `WHERE NOT (${left})` : ''})`

/** Returns the first value in another notation. */
export const findOther = async (rows: Rows, name: string, writing: Notation): Promise<Place | undefined> => {
  const [row] = await rows.database.load(
    `SELECT ${RECORD}, ${trimmedSql(name)} FROM ${numbered(rows)}
     WHERE ${isOtherNotationSql(name, writing)} ORDER BY ${RECORD} LIMIT 1`,
  )
  return row && { record: Number(row[0]), text: String(row[1]) }
}

const sixDecimals = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 6 })
/** Returns a number as sentences show it: 3.250 or 3,25. */
export const shownDecimal = (number: unknown): string => shownNumber(sixDecimals, Number(number))

const LONGEST = 40
export const valueText = ({ text }: Place, { quotesData }: Rows): string =>
  quotesData ? `"${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}"` : 'o valor'

/** Says why a column stays text although nearly all of its values have a type. */
export const remarkNearly = async (
  rows: Rows,
  name: string,
  nearly: Notation,
): Promise<Remark | undefined> => {
  if (nearly.order === 'monthFirst' && !rows.isDraft) return remarkMonthFirst(rows, name, nearly)
  const found = await findOther(rows, name, nearly)
  if (!found) return undefined
  const value = valueText(found, rows)
  const why = whyOther(found.text, nearly.type)
  return {
    records: [found.record],
    sentence: (line) => `a coluna ${name} fica como texto: na linha ${line}, ${value} ${why}`,
  }
}

/** Says why a text is no value of a type. @param orDate whether dates are expected too */
export const whyOther = (text: string, type: CsvType, orDate = false): string => {
  if (type === 'integer' || type === 'number') {
    if (new RegExp(`^-?\\d{${EXACT_DIGITS + 1},}([.,]\\d+)?$`).test(text))
      return `tem mais de ${EXACT_DIGITS} algarismos, e um número perderia os últimos`
    if (/^0\d+$/.test(text)) return 'tem zeros à esquerda, que um número perderia'
  }
  return `não é ${TYPE_NAMES[type]}${orDate ? ' nem uma data' : ''}`
}

const isNumber = ({ type }: Notation) => type === 'integer' || type === 'number'

/** Returns the same kind of dates with another order. */
const inOrder = ({ type, reach }: Notation, order: Notation['order']) =>
  notationsOf(reach, { first: ',', bigIntegers: true }).find(
    (one) => one.type === type && one.order === order,
  )

/**
 * Says that a column has the month first; or, of a folder, that one is read with the day first
 * although others of the file have the month first.
 */
export const remarkOrder = async (
  rows: Rows,
  name: string,
  writing: Notation,
  evidence: OrderEvidence,
): Promise<Remark | undefined> => {
  const isMonthFirst = writing.order === 'monthFirst'
  if (!isMonthFirst && (rows.isDraft || evidence === 'none' || evidence === 'dayFirst')) return undefined
  const other = inOrder(writing, isMonthFirst ? 'dayFirst' : 'monthFirst')
  if (!other) return undefined
  // One that fits the other order too has two meanings; in a folder, no other is in question.
  if (!isMonthFirst && (await findOther(rows, name, other))) return undefined
  const [read, unread] = [convertedSql(name, writing), convertedSql(name, other)]
  const [row] = await rows.database.load(
    `SELECT ${RECORD}, ${trimmedSql(name)}, strftime(${read}, '%d/%m/%Y')
     FROM ${numbered(rows)}
     WHERE (${read}) IS NOT NULL AND (${read}) IS DISTINCT FROM (${unread})
     ORDER BY (${unread}) IS NOT NULL, ${RECORD} LIMIT 1`,
  )
  if (!row) return undefined
  const [record, text, day] = row
  const which = isMonthFirst
    ? 'tem o mês antes do dia'
    : 'foi lida com o dia antes do mês, e há outra com o mês antes'
  return {
    records: [Number(record)],
    sentence: (line) =>
      rows.quotesData
        ? `a coluna ${name} ${which}: na linha ${line}, "${text}" é ${day}`
        : `a coluna ${name} ${which}, como na linha ${line}`,
  }
}

/** Says of a column of a folder which decimal mark it was read with, where the other one fits too. */
export const remarkMark = async (
  rows: Rows,
  name: string,
  writing: Notation,
  other: Notation,
): Promise<Remark | undefined> => {
  const [read, unread] = [convertedSql(name, writing), convertedSql(name, other)]
  const [row] = await rows.database.load(
    `SELECT ${RECORD}, ${trimmedSql(name)}, ${read}, ${unread} FROM ${numbered(rows)}
     WHERE (${read}) IS DISTINCT FROM (${unread}) ORDER BY ${RECORD} LIMIT 1`,
  )
  if (!row) return undefined
  const [record, text, chosen, unchosen] = row
  const mark = writing.decimal === ',' ? 'a vírgula' : 'o ponto'
  const place = { record: Number(record), text: String(text) }
  const meaning = rows.quotesData
    ? ` é ${shownDecimal(chosen)}, e não ${shownDecimal(unchosen)}`
    : ' tem dois sentidos'
  return {
    records: [place.record],
    sentence: (line) =>
      `a coluna ${name} aceita as duas marcas decimais, e foi lida com ${mark}: na linha ${line}, ${valueText(place, rows)}${meaning}. Escreva a marca certa em csv.decimal: "," ou "."`,
  }
}

const remarkMonthFirst = async (rows: Rows, name: string, nearly: Notation): Promise<Remark | undefined> => {
  const dayFirst = inOrder(nearly, 'dayFirst')
  const found = dayFirst && (await findOther(rows, name, dayFirst))
  if (!found) return undefined
  const value = valueText(found, rows)
  return {
    records: [found.record],
    sentence: (line) =>
      `a coluna ${name} fica como texto: na linha ${line}, ${value} tem o mês antes do dia. Escreva as datas como 25/03/2026 ou 2026-03-25`,
  }
}

export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 valor ${one}` : `${count.toLocaleString('pt-BR')} valores ${many}`
const oddityTexts: Record<Oddity, (count: number, example: string) => string> = {
  missing: (count, example) =>
    counted(count, `sem dado${example} ficou vazio`, `sem dado${example} ficaram vazios`),
  zero: (count, example) =>
    counted(count, `com um traço${example} é zero`, `com um traço${example} são zero`),
  negative: (count, example) =>
    counted(
      count,
      `entre parênteses ou com o sinal no fim${example} é negativo`,
      `entre parênteses ou com o sinal no fim${example} são negativos`,
    ),
  dash: (count, example) =>
    counted(
      count,
      `com um traço no lugar do sinal de menos${example} é negativo`,
      `com um traço no lugar do sinal de menos${example} são negativos`,
    ),
  spaced: (count, example) =>
    counted(count, `com espaço de milhar${example} é número`, `com espaço de milhar${example} são números`),
  plus: (count, example) =>
    counted(count, `com o sinal +${example} é número`, `com o sinal +${example} são números`),
  letter: (count, example) =>
    counted(
      count,
      `de uma letra${example} é sim (S) ou não (N); se não for, escolha Texto`,
      `de uma letra${example} são sim (S) ou não (N); se não forem, escolha Texto`,
    ),
  day: (count, example) =>
    counted(count, `sem hora${example} é meia-noite`, `sem hora${example} são meia-noite`),
  midnight: (count, example) =>
    counted(count, `à meia-noite${example} é um dia`, `à meia-noite${example} são dias`),
}

/** Only numbers have signs, and spaces between thousands: a moment has one before its time. */
const oddities = (writing: Notation) =>
  Object.entries(ODDITIES).filter(([oddity]) => {
    if (oddity === 'missing') return true
    if (oddity === 'day') return writing.type === 'timestamp'
    if (oddity === 'midnight') return writing.type === 'date'
    return oddity === 'letter' ? writing.type === 'boolean' : isNumber(writing)
  })

/** Counts the marks of missing values and the accounting notations, and names the first of each. */
export const remarkOddities = async (rows: Rows, columns: ChosenColumn[]): Promise<Remark[]> => {
  const asked = columns.flatMap(
    ({ name, writing, missing }): { name: string; oddity: Oddity; test: string }[] =>
      writing && writing.reach !== 'plain'
        ? oddities(writing).map(([oddity, test]) => ({
            name,
            oddity: oddity as Oddity,
            test: test(strippedSql(name)),
          }))
        : missing
          ? [{ name, oddity: 'missing', test: missing }]
          : [],
  )
  if (asked.length === 0) return []
  const list = asked.flatMap(({ name, test }) => [
    `count_if(${test})::DOUBLE`,
    `min(CASE WHEN ${test} THEN ${RECORD} END)`,
    `arg_min(CASE WHEN ${test} THEN ${strippedSql(name)} END, CASE WHEN ${test} THEN ${RECORD} END)`,
  ])
  const [row = []] = await rows.database.load(`SELECT ${list.join(', ')} FROM ${numbered(rows)}`)
  return asked.flatMap(({ name, oddity }, index) => {
    const [count, record, text] = row.slice(index * 3, index * 3 + 3)
    if (!Number(count)) return []
    const example = rows.quotesData ? ` (${valueText({ record: 0, text: String(text) }, rows)})` : ''
    return {
      records: [Number(record)],
      sentence: (line) =>
        `coluna ${name}: ${oddityTexts[oddity](Number(count), example)}, ${Number(count) === 1 ? '' : 'o primeiro '}na linha ${line}`,
    }
  })
}

/** '1,23457E+13': what a spreadsheet shows of a long number, and writes into a CSV. */
const SHORTENED = '-?[0-9]([.,][0-9]+)?E[+][0-9]{2,3}'

/** Counts the numbers of text columns of which a spreadsheet kept only the first digits. */
export const remarkShortened = async (rows: Rows, columns: ChosenColumn[]): Promise<Remark[]> => {
  const texts = columns.flatMap(({ name, writing }) => (writing ? [] : [name]))
  if (texts.length === 0) return []
  const contained = texts.map((name) => `bool_or(contains(${quote(name)}, 'E+'))`)
  const [likely = []] = await rows.database.load(`SELECT ${contained.join(', ')} FROM ${rows.source}`)
  const names = texts.filter((_name, index) => likely[index] === true)
  if (names.length === 0) return []
  const list = names.flatMap((name) => {
    const text = strippedSql(name)
    const test = `regexp_full_match(${text}, '${SHORTENED}')`
    return [
      `count_if(${test})::DOUBLE`,
      `min(CASE WHEN ${test} THEN ${RECORD} END)`,
      `arg_min(CASE WHEN ${test} THEN ${text} END, CASE WHEN ${test} THEN ${RECORD} END)`,
    ]
  })
  const [row = []] = await rows.database.load(`SELECT ${list.join(', ')} FROM ${numbered(rows)}`)
  return names.flatMap((name, index) => {
    const [count, record, text] = row.slice(index * 3, index * 3 + 3)
    if (!Number(count)) return []
    const example = rows.quotesData ? ` (${valueText({ record: 0, text: String(text) }, rows)})` : ''
    const lost = counted(
      Number(count),
      `perdeu algarismos${example} ao ser gravado`,
      `perderam algarismos${example} ao serem gravados`,
    )
    return {
      records: [Number(record)],
      sentence: (line) =>
        `coluna ${name}: ${lost} pela planilha, ${Number(count) === 1 ? '' : 'o primeiro '}na linha ${line}. Na planilha, formate a coluna como número, sem casas decimais, e salve o CSV de novo`,
    }
  })
}
