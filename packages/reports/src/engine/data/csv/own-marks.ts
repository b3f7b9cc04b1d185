import { ownValue } from '@bi-manager/contract/own-value'
import type { ChoiceInput, ChosenColumn } from './csv-choice.ts'
import { plainHeading } from './csv-codes.ts'
import { convertedSql } from './csv-notations.ts'
import { hyphenatedSql, isMissingSql, strippedSql } from './field-sql.ts'

/*
 * Columns whose decimal mark says nothing about amounts: coordinates, which nearly all programs write
 * with a point, and codes such as versions and registers, in which a point separates parts.
 */

const COORDINATES = /(^|[^a-z])(lat|lon|lng|latitude|longitude|coord|coordenadas?)([^a-z]|$)/
const CODES =
  /(^|[^a-z])(versao|version|release|build|rg|cpf|cfop|ncm|cnae|cbo|cid|matricula|carteira|carteirinha|protocolo|processo|ip)([^a-z]|$)/

/** Degrees. */
const GREATEST = 180
/** Four decimals of a degree are ten metres. */
const COORDINATE = '-?\\d{1,3}[.,]\\d{4,}'

/**
 * Marks the columns that show no decimal mark for others. Coordinates are read with the mark that gives
 * degrees; codes stay text, if neither a choice nor the published table makes numbers of them.
 */
export const markOwn = async (input: ChoiceInput, columns: ChosenColumn[]): Promise<ChosenColumn[]> => {
  const marked: ChosenColumn[] = []
  for (const column of columns) marked.push(await markedOf(input, column))
  return marked
}

const markedOf = async (input: ChoiceInput, column: ChosenColumn): Promise<ChosenColumn> => {
  const { name, writing, twin, shows } = column
  const heading = plainHeading(name)
  if (input.known?.has(name)) return column
  const isAmount = writing?.type === 'number' && writing.decimal !== undefined && !writing.shownAs
  if (!isAmount && !(shows && !writing)) return column
  if (CODES.test(heading)) {
    const own = { ...column, shows: undefined, hasOwnMark: true }
    const isNumber = ownValue(input.types, name) !== undefined || input.numbers?.has(name)
    if (!writing || isNumber) return own
    const examples = [await exampleOf(input, name)]
    return { ...own, writing: undefined, twin: undefined, code: { isText: true, examples } }
  }
  if (!writing || (!COORDINATES.test(heading) && !(await areCoordinates(input, name)))) return column
  if (!twin) return { ...column, shows: undefined, hasOwnMark: true }
  const isInDegrees = (await greatestOf(input, column)) <= GREATEST
  return { ...column, writing: isInDegrees ? writing : twin, twin: undefined, hasOwnMark: true }
}

const exampleOf = async ({ database, source }: ChoiceInput, name: string): Promise<string> => {
  const text = strippedSql(name)
  const [row] = await database.load(`SELECT min(${text}) FROM ${source} WHERE NOT ${isMissingSql(text)}`)
  return String(row?.[0])
}

const greatestOf = async ({ database, source }: ChoiceInput, { name, writing }: ChosenColumn) => {
  const number = writing ? convertedSql(name, writing) : 'NULL'
  const [row] = await database.load(`SELECT max(abs(${number}))::DOUBLE FROM ${source}`)
  return Number(row?.[0] ?? 0)
}

/** South and west are negative: all of Brazil has a negative longitude. */
const areCoordinates = async ({ database, source }: ChoiceInput, name: string): Promise<boolean> => {
  const text = hyphenatedSql(name)
  const degrees = `TRY_CAST(replace(${text}, ',', '.') AS DOUBLE)`
  const isDegrees = `regexp_full_match(${text}, '${COORDINATE}') AND abs(${degrees}) <= ${GREATEST}`
  // A query for one row ends at the first: most columns have another value at their beginning.
  const hasAny = async (test: string) =>
    (await database.load(`SELECT 1 FROM ${source} WHERE ${test} LIMIT 1`)).length > 0
  const isOther = `${text} IS NOT NULL AND NOT ${isMissingSql(text)} AND NOT coalesce(${isDegrees}, false)`
  return !(await hasAny(isOther)) && (await hasAny(`${isDegrees} AND starts_with(${text}, '-')`))
}
