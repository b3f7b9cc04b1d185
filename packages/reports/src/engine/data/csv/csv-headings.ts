import { isUtf8 } from 'node:buffer'
import { DefinitionError } from '../../../definitions/definition-error.ts'
import {
  groupedNames,
  type HeadingRows,
  madeName,
  numberedNames,
  type RowTexts,
  repeatsOf,
  spreadGroups,
  unclearRepeat,
} from './heading-rows.ts'

/* The names of the columns of a CSV. */

/** Splits a record that has been validated. */
export const splitRecord = (text: string, delimiter: string): string[] => {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (const letter of text) {
    // In a field with quotes, two of them close and open it again.
    if (letter === '"' && (field === '' || field.startsWith('"'))) {
      isQuoted = !isQuoted
      field += letter
    } else if (letter === delimiter && !isQuoted) {
      fields.push(field)
      field = ''
    } else field += letter
  }
  return [...fields, field].map((one) => (one.startsWith('"') ? one.slice(1, -1).replaceAll('""', '"') : one))
}

/** Returns the fields of a record that are not empty; of an unknown encoding, the likely one. */
export const filledFields = (record: Buffer, delimiter: string): Map<number, string> => {
  const text = new TextDecoder(isUtf8(record) ? 'utf-8' : 'windows-1252').decode(record)
  const fields = splitRecord(text, delimiter).map((field) => field.replace(/\s+/g, ' ').trim())
  return new Map(fields.flatMap((field, index) => (field ? [[index, field] as const] : [])))
}

interface Heading {
  encoding: string
  delimiter: string
  rows: HeadingRows
  /** How many fields a record has. */
  width: number
  isBare: boolean
  /** Each row has one more field, which is empty. */
  isWider: boolean
  quotesData: boolean
  /** For each column of a table that is replaced, its possible names in lower case. */
  expected: string[][] | undefined
}

/** Returns the names of all columns: those without one get one, and equal ones a number. */
export const wholeNames = (given: string[]): string[] => {
  const numbered = numberedNames(filledIn(given))
  return given.map((_name, column) => numbered.get(column) ?? madeName(column, numbered))
}

/** Returns the names of a heading of one or two records; of none, empty ones. */
const givenNames = (records: number[][], { encoding, delimiter, width }: Heading): string[] => {
  const decoder = new TextDecoder(encoding)
  const [first, second] = records.map((record) =>
    splitRecord(decoder.decode(Buffer.from(record)), delimiter).map((name) => name.trim()),
  )
  if (!first || !second) return first ?? Array.from({ length: width }, () => '')
  const [upper, lower] = [filledIn(first), filledIn(second)]
  const names = groupedNames(spreadGroups(upper, lower), lower)
  return Array.from({ length: width }, (_, index) => names.get(index) ?? '')
}

const filledIn = (fields: string[]): RowTexts =>
  new Map(fields.flatMap((field, index) => (field ? [[index, field] as const] : [])))

const TAB = 9
const LONGEST_NAME = 120

/**
 * Returns the names of the columns, and the places of those without a name, or with that of another
 * column, in the file.
 * @param records the bytes of the records of the heading
 * @throws DefinitionError
 */
export const columnNames = (records: number[][], heading: Heading) => {
  const { rows, isBare, isWider, quotesData } = heading
  const line = rows.first + Math.max(0, rows.count - 1)
  const given = givenNames(records, heading)
  const unnamed = given.flatMap((name, index) => (name || isBare ? [] : [index]))
  if (isWider) unnamed.push(given.push('') - 1)
  if (unnamed.length === given.length && rows.count > 0)
    throw new DefinitionError(`linha ${line}: nenhuma coluna tem nome; o cabeçalho é outra linha`)
  const names = isBare ? given : wholeNames(given)
  const repeats = repeatsOf(filledIn(given), filledIn(names))
  const unclear = unclearRepeat(repeats, heading.expected)
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const place = `linha ${line}: a coluna ${index + 1}`
    if (!name) throw new DefinitionError(`${place} não tem nome`)
    if (name.length > LONGEST_NAME)
      throw new DefinitionError(`${place} tem um nome com mais de ${LONGEST_NAME} letras`)
    const earlier = unclear?.column === index ? unclear.earlier : seen.get(name.toLowerCase())
    if (earlier !== undefined)
      throw new DefinitionError(
        `${place} repete o nome ${quotesData ? `${given[index]}, ` : ''}da coluna ${earlier + 1} (maiúsculas não distinguem)`,
      )
    if ([...name].some((letter) => letter.charCodeAt(0) < 32 && letter.charCodeAt(0) !== TAB))
      throw new DefinitionError(`${place} tem um caractere de controle no nome`)
    seen.set(name.toLowerCase(), index)
  }
  return { columns: names, unnamed, repeats }
}
