import { isUtf8 } from 'node:buffer'
import { DefinitionError } from '../../../definitions/definition-error.ts'
import { groupedNames, type HeadingRows, type RowTexts, spreadGroups } from './heading-rows.ts'

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
}

/** Returns a name for each column without one; equal names ignore case. */
export const withMadeNames = (given: string[]): string[] => {
  const taken = new Set(given.map((name) => name.toLowerCase()))
  return given.map((name, index) => {
    if (name) return name
    let made = `Coluna ${index + 1}`
    for (let count = 2; taken.has(made.toLowerCase()); count++) made = `Coluna ${index + 1} (${count})`
    return made
  })
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
 * Returns the names of the columns, and the places of those without a name in the file.
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
  const names = isBare ? given : withMadeNames(given)
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const place = `linha ${line}: a coluna ${index + 1}`
    if (!name) throw new DefinitionError(`${place} não tem nome`)
    if (name.length > LONGEST_NAME)
      throw new DefinitionError(`${place} tem um nome com mais de ${LONGEST_NAME} letras`)
    const earlier = seen.get(name.toLowerCase())
    if (earlier !== undefined)
      throw new DefinitionError(
        `${place} repete o nome ${quotesData ? `${name}, ` : ''}da coluna ${earlier + 1} (maiúsculas não distinguem)`,
      )
    if ([...name].some((letter) => letter.charCodeAt(0) < 32 && letter.charCodeAt(0) !== TAB))
      throw new DefinitionError(`${place} tem um caractere de controle no nome`)
    seen.set(name.toLowerCase(), index)
  }
  return { columns: names, unnamed }
}
