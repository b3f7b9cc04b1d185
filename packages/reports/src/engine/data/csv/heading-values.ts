import type { CsvType } from '../../../definitions/definition.ts'
import { type Database, quote } from '../database/database.ts'
import { looksLikeNumber } from './number-texts.ts'

/* Notices names of columns that look like the values below them: the file may have no heading. */

interface TypedColumn {
  name: string
  /** The place of the column, from 0. */
  index: number
  type: CsvType
}

const DATE = /^\d{1,4}[/-]\d{1,2}[/-]\d{1,4}( \d{1,2}:\d{2}(:\d{2})?)?$/
const isValue: Record<Exclude<CsvType, 'text'>, (name: string) => boolean> = {
  integer: looksLikeNumber,
  number: looksLikeNumber,
  date: (name) => DATE.test(name),
  timestamp: (name) => DATE.test(name),
  boolean: (name) => /^(true|false|verdadeiro|falso|sim|não|nao|s|n)$/i.test(name),
}

const kindNames: Record<Exclude<CsvType, 'text'>, string> = {
  integer: 'números',
  number: 'números',
  date: 'datas',
  timestamp: 'datas',
  boolean: 'valores de sim ou não',
}

/** A year or a month as a number: usual names of columns with amounts. */
const PERIOD = /^(19|20)\d\d(0[1-9]|1[0-2])?$/

interface Input {
  database: Database
  table: string
  columns: TypedColumn[]
  /** Whether the sentence may contain names. */
  quotesData: boolean
  isInFolder: boolean
}

/** Returns a sentence when each name of a column with a type is a value of that type. */
export const headingValuesSentence = async ({
  database,
  table,
  columns,
  quotesData,
  isInFolder,
}: Input): Promise<string | undefined> => {
  const typed = columns.flatMap(({ name, index, type }) => (type === 'text' ? [] : [{ name, index, type }]))
  if (!typed.every(({ name, type }) => isValue[type](name.trim()))) return undefined
  const shown = await withoutPeriods(database, table, typed)
  const [first] = shown
  if (!first) return undefined
  const which = quotesData ? `"${first.name}"` : String(first.index + 1)
  const way = isInFolder
    ? 'acrescente uma primeira linha com os nomes das colunas'
    : 'diga isso em Linha do cabeçalho'
  return `o cabeçalho parece ser a primeira linha de dados: a coluna ${which} tem ${kindNames[first.type]}. Se o arquivo não tem cabeçalho, ${way}; assim a linha conta`
}

/** Returns the columns without those that a year or a month names, unless they have years or months too. */
const withoutPeriods = async <Column extends TypedColumn>(
  database: Database,
  table: string,
  columns: Column[],
): Promise<Column[]> => {
  const periods = columns.filter(({ name }) => PERIOD.test(name.trim()))
  if (periods.length === 0) return columns
  const list = periods.map(({ name }) => {
    const text = `${quote(name)}::VARCHAR`
    return `bool_and(length(${text}) = ${name.trim().length} AND regexp_full_match(${text}, '(19|20)\\d+'))`
  })
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${table}`)
  const left = new Set(periods.filter((_column, index) => row[index] !== true))
  return columns.filter((column) => !left.has(column))
}
