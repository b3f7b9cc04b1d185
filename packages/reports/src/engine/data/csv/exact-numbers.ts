import type { ChoiceInput, ChosenColumn } from './csv-choice.ts'
import { convertedSql, EXACT_DIGITS, type Notation } from './csv-notations.ts'
import { counted, numbered, RECORD, type Remark, type Rows, valueText } from './csv-remarks.ts'
import { strippedSql } from './field-sql.ts'

/*
 * Numbers with more digits than a DOUBLE gives back. Amounts become a DECIMAL, which has all of
 * their digits; measurements with many decimals are rounded, and a notice counts them.
 */

/** Digits of a DECIMAL. */
const DECIMAL_DIGITS = 38
/** Decimals of amounts. With more, products of two DECIMAL columns would soon exceed 38 digits. */
const MAX_DECIMALS = 8

/** Significant digits of a number: of 0,0120 the digits 12. */
const digitsSql = (text: string) =>
  `trim(regexp_replace(regexp_replace(${text}, '[eE].*', ''), '[^0-9]', '', 'g'), '0')`

/**
 * SQL that is true for a number that its type rounds: the shortest text of a double has other
 * digits. That of up to 15 digits has the same ones, that of 16 and 17 only sometimes.
 */
const isRoundedSql = (name: string, writing: Notation) => {
  const number = convertedSql(name, writing)
  const text = strippedSql(name)
  return `coalesce(length(${text}) > ${EXACT_DIGITS}
    AND ${digitsSql(text)} <> ${digitsSql(`(${number})::VARCHAR`)}, false)`
}

/** Returns the columns with a type that has all digits of their numbers, where there is one. */
export const exactNumbers = async (
  { database, source, known }: Pick<ChoiceInput, 'database' | 'source' | 'known'>,
  columns: ChosenColumn[],
): Promise<ChosenColumn[]> => {
  // Few columns have such long texts.
  const long = columns.flatMap(({ name, writing, isShort }) =>
    writing?.type === 'number' && !writing.isDuration && !isShort && !known?.has(name)
      ? [{ name, writing }]
      : [],
  )
  if (long.length === 0) return columns
  const list = long.flatMap(({ name, writing }) => {
    const mark = writing.decimal ?? ','
    const text = strippedSql(name)
    const part = (index: number) =>
      `regexp_replace(split_part(${text}, '${mark}', ${index}), '[^0-9]', '', 'g')`
    return [
      `bool_or(${isRoundedSql(name, writing)})`,
      `bool_or(regexp_matches(${text}, '\\d[eE]'))`,
      `max(length(ltrim(${part(1)}, '0')))::DOUBLE`,
      `max(length(rtrim(${part(2)}, '0')))::DOUBLE`,
    ]
  })
  const [found = []] = await database.load(`SELECT ${list.join(', ')} FROM ${source}`)
  return columns.map((column) => {
    const at = long.findIndex(({ name }) => name === column.name)
    const { writing } = column
    if (!writing || at < 0 || found[at * 4] !== true) return column
    const [hasExponent, whole, decimals] = found.slice(at * 4 + 1, at * 4 + 4)
    const isDecimal =
      hasExponent !== true &&
      writing.shownAs !== 'percent' &&
      Number(decimals) <= MAX_DECIMALS &&
      Number(whole) + Number(decimals) <= DECIMAL_DIGITS
    if (!isDecimal) return { ...column, isRounded: true }
    const type = `DECIMAL(${DECIMAL_DIGITS}, ${Number(decimals)})`
    const convert = (text: string) => `TRY_CAST(${writing.convert(text, type)} AS ${type})`
    return { ...column, writing: { ...writing, convert } }
  })
}

/** Counts the numbers that are rounded, and names the first of each column. */
export const remarkRounded = async (rows: Rows, columns: ChosenColumn[]): Promise<Remark[]> => {
  const remarks: Remark[] = []
  for (const { name, writing, isRounded } of columns) {
    if (!isRounded || !writing) continue
    const test = isRoundedSql(name, writing)
    const [row = []] = await rows.database.load(
      `SELECT count(*)::DOUBLE, min(${RECORD}), arg_min(${strippedSql(name)}, ${RECORD})
       FROM ${numbered(rows)} WHERE ${test}`,
    )
    const count = Number(row[0])
    if (count === 0) continue
    const example = rows.quotesData ? ` (${valueText({ record: 0, text: String(row[2]) }, rows)})` : ''
    const rounded = counted(
      count,
      `com mais de ${EXACT_DIGITS} algarismos${example} ficou arredondado`,
      `com mais de ${EXACT_DIGITS} algarismos${example} ficaram arredondados`,
    )
    remarks.push({
      records: [Number(row[1])],
      sentence: (line) => `coluna ${name}: ${rounded}, ${count === 1 ? '' : 'o primeiro '}na linha ${line}`,
    })
  }
  return remarks
}
