import { DefinitionError } from '../../../definitions/definition-error.ts'
import { headingText } from '../../../definitions/heading-text.ts'
import { type Database, literal, quote } from '../../../engine/data/database/database.ts'
import { escapeGlob } from '../../../engine/data/database/plain-file.ts'
import type { ReplacedTable } from './read-draft-csv.ts'

/*
 * Codes such as CEP, CPF and DDD begin with zeros, which programs drop that take them for numbers. In
 * rows that replace published codes, they get the form of the published ones again.
 */

/** A code, and its form: each 9 is a digit. */
const CODE = '[0-9]+([-./ ][0-9]+)*'
const ZERO = '0[0-9]'
/** Days, months and years, which are no codes. */
const DAY = '9{1,2}[-./]9{1,2}[-./](99|9999)|9{4}[-./]9{1,2}([-./]9{1,2})?|9{1,2}[-./]9{4}'
/** Share of the published texts that have one form. */
const MOST = 0.95
/** Published rows of which the form is taken. */
const SAMPLE = 100_000
/** Codes with zeros to expect, from which a file without any has lost them. */
const EXPECTED = 5

interface Column {
  name: string
  label: string
  type: string
}
/** `form` is undefined where the codes have several; `zeros` is the share of those that begin with one. */
interface Codes {
  form: string | undefined
  zeros: number
}

/**
 * Gives the codes of a table that was read the form of the published ones, in place, and says so.
 * @throws DefinitionError when published codes of several lengths have zeros, and the new ones have none
 */
export const restoreZeros = async (
  database: Database,
  table: string,
  columns: Column[],
  { replaced, quotesData }: { replaced: ReplacedTable; quotesData: boolean },
): Promise<string[]> => {
  const sentences: string[] = []
  for (const column of columns.filter(({ type }) => type === 'text')) {
    const codes = await publishedCodes(database, replaced, column.name)
    if (!codes) continue
    if (codes.form === undefined) await assertZeros(database, table, column, codes)
    else sentences.push(...(await restore(database, table, { column, form: codes.form, quotesData })))
  }
  return sentences
}

/** Returns what the published codes of a column are; undefined where it has no codes with zeros. */
const publishedCodes = async (
  database: Database,
  { parquet, spellings, columns }: ReplacedTable,
  name: string,
): Promise<Codes | undefined> => {
  if (!columns.some(([one]) => one === name.toLowerCase())) return undefined
  const texts = spellings.get(name)
  if (parquet === undefined && !texts) return undefined
  const source =
    parquet === undefined
      ? `(SELECT unnest([${(texts ?? []).map(literal).join(', ')}]::VARCHAR[]) AS text)`
      : `(SELECT ${quote(name)}::VARCHAR AS text FROM read_parquet(${literal(escapeGlob(parquet))}) WHERE ${quote(name)} IS NOT NULL LIMIT ${SAMPLE})`
  const rows = await database.load(
    `SELECT CASE WHEN regexp_full_match(text, '${CODE}') THEN regexp_replace(text, '[0-9]', '9', 'g') END AS form,
       count(*)::DOUBLE, count_if(regexp_matches(text, '^${ZERO}'))::DOUBLE
     FROM ${source} GROUP BY ALL ORDER BY 2 DESC, 1`,
  )
  const all = rows.reduce((sum, [, count]) => sum + Number(count), 0)
  const isDay = new RegExp(`^(${DAY})$`)
  const codes = rows.filter(([form]) => form !== null && !isDay.test(String(form)))
  const zeros = codes.reduce((sum, [, , count]) => sum + Number(count), 0)
  const [first] = codes
  if (!first || zeros === 0) return undefined
  if (Number(first[1]) >= all * MOST)
    return Number(first[2]) > 0 ? { form: String(first[0]), zeros: zeros / all } : undefined
  const areCodes = codes.reduce((sum, [, count]) => sum + Number(count), 0) >= all * MOST
  return areCodes ? { form: undefined, zeros: zeros / all } : undefined
}

const assertZeros = async (database: Database, table: string, { label }: Column, { zeros }: Codes) => {
  const text = quote(label)
  const [row] = await database.load(
    `SELECT count_if(regexp_full_match(${text}, '${CODE}'))::DOUBLE, count_if(regexp_matches(${text}, '^${ZERO}'))::DOUBLE FROM ${table}`,
  )
  if (Number(row?.[1]) > 0 || Number(row?.[0]) * zeros < EXPECTED) return
  throw new DefinitionError(
    `a coluna ${headingText(label)} perdeu os zeros à esquerda, que os publicados têm: no programa que grava o arquivo, formate a coluna como texto`,
  )
}

const restore = async (
  database: Database,
  table: string,
  { column: { label }, form, quotesData }: { column: Column; form: string; quotesData: boolean },
): Promise<string[]> => {
  const text = `trim(${quote(label)})`
  const parts = form.split(/[-./ ]/)
  const [first = ''] = parts
  const digits = parts.join('').length
  const shorter = first.length > 1 ? `[0-9]{1,${first.length - 1}}` : ''
  const rest = form.slice(first.length).replaceAll('.', '\\.').replaceAll('9', '[0-9]')
  // 1310100 and 1310-100 for 01310-100; as a double, a program writes 1310100.0.
  const bare = `regexp_full_match(${text}, '[0-9]{1,${digits}}(\\.0)?')`
  const cut = `regexp_full_match(${text}, '${shorter}${rest}')`
  const number = `regexp_replace(regexp_replace(${text}, '\\.0$', ''), '[^0-9]', '', 'g')`
  const isShort = `length(${number}) < ${digits}`
  const lost = shorter ? `((${bare} AND ${isShort}) OR ${cut})` : `(${bare} AND ${isShort})`
  const padded = `lpad(${number}, ${digits}, '0')`
  const restored = restoredSql(form, padded)
  // One without its signs has lost nothing: it follows the others.
  const isOther = parts.length > 1 ? `(${lost} OR ${bare})` : lost
  const [row = []] = await database.load(
    `SELECT count_if(${lost})::DOUBLE, count_if(${isOther})::DOUBLE, min(${quote(label)}) FILTER (${lost}),
       arg_min(${restored}, ${quote(label)}) FILTER (${lost}) FROM ${table}`,
  )
  const [losses, others, before, after] = row
  if (!Number(losses)) return []
  await database.load(`UPDATE ${table} SET ${quote(label)} = ${restored} WHERE ${isOther}`)
  const count = Number(others)
  const signs = count > Number(losses) ? ' ou sem os sinais' : ''
  const [values, became] =
    count === 1 ? ['1 valor', 'ficou'] : [`${count.toLocaleString('pt-BR')} valores`, 'ficaram']
  const example = quotesData ? `, como ${before},` : ''
  const result = quotesData ? `: ${after}` : ''
  return [
    `na coluna ${headingText(label)}, ${values} sem zeros à esquerda${signs}${example} ${became} como os publicados${result}`,
  ]
}

/** SQL of the digits with the signs of the form. */
const restoredSql = (form: string, padded: string): string => {
  let at = 0
  const pieces = (form.match(/9+|[^9]/g) ?? []).map((piece) => {
    if (!piece.startsWith('9')) return literal(piece)
    at += piece.length
    return `substr(${padded}, ${at - piece.length + 1}, ${piece.length})`
  })
  return pieces.join(' || ')
}
