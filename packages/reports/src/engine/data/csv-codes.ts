import { ownValue } from '@bi-manager/contract/own-value'
import type { ChoiceInput, ChosenColumn, Code } from './csv-choice.ts'
import { isMissingSql, type Notation, strippedSql } from './csv-notations.ts'
import type { Database } from './database.ts'

/*
 * Codes with points, as a chart of accounts has them: 1.1, 1.2, 1.10. They are written like numbers,
 * but 1.1 and 1.10 are two accounts and one number, and they say nothing about decimal marks.
 */

/** One or two digits on each side, without a leading zero: no value such as 0.5, 1.05 or 100.2. */
const PARTS = '[1-9]\\d?(\\.[1-9]\\d?)?'
/** A code of three and more parts, which is no number with points between its thousands. */
const DEEP = '\\d+(\\.\\d+){2,}'
const THOUSANDS = '[1-9]\\d{0,2}(\\.\\d{3})+'
/** Codes count from 1: at least this share of the numbers up to the last one is there. */
const DENSE = 0.25
/** Headings of codes, in small letters and without accents. */
const CODE_HEADING =
  '^(cd|cod|codigo|conta|item|classificacao|rubrica|elemento|natureza|capitulo|secao|clausula|nivel)([^a-z]|$)'

/**
 * Marks the columns that have codes with points. They show no decimal mark; where the heading says
 * so, or where two of them would become one number and nothing else shows the point, they stay text.
 */
export async function markCodes(input: ChoiceInput, columns: ChosenColumn[]): Promise<ChosenColumn[]> {
  const asked = columns.filter(
    ({ name, writing, twin, shows }) =>
      !input.known?.has(name) && !twin && (isPlain(writing) || (!writing && shows === '.')),
  )
  const shapes = await shapesOf(input, asked)
  const codes = new Map<string, Numbering>()
  for (const { name, writing } of asked) {
    const shape = shapes.get(name)
    if (writing && !shape?.hasParts) continue
    if (!writing && !shape?.isDeep) continue
    const found = writing ? await numberingOf(input, name) : { isDense: true, examples: [] }
    if (found.isDense || (isNamedCode(name) && found.examples.length > 1)) codes.set(name, found)
  }
  if (codes.size === 0) return columns
  const hasPoint = columns.some(({ name, shows }) => shows === '.' && !codes.has(name))
  return columns.map((column) => {
    const { name, writing } = column
    const found = codes.get(name)
    if (!found) return column
    const silent = { ...column, shows: undefined }
    if (!writing) return silent
    const isOne = found.examples.length > 1
    // A published column keeps its type, and a notice names what becomes one number.
    const isText = !ownValue(input.types, name) && (isNamedCode(name) || (isOne && !hasPoint))
    if (!isText) return isOne ? { ...silent, code: { isText, examples: found.examples } } : silent
    return { ...silent, writing: undefined, code: { isText, examples: found.examples } }
  })
}

const isPlain = (writing: Notation | undefined): boolean =>
  writing?.type === 'number' && writing.decimal === '.' && writing.shownAs === undefined

const isNamedCode = (name: string): boolean =>
  new RegExp(CODE_HEADING).test(
    name
      .normalize('NFD')
      .replace(/\p{Diacritic}/gu, '')
      .trim()
      .toLowerCase(),
  )

/** Looks at all columns at once: the values of most are no codes. */
async function shapesOf({ database, source }: ChoiceInput, columns: ChosenColumn[]) {
  if (columns.length === 0) return new Map<string, { hasParts: boolean; isDeep: boolean }>()
  const list = columns.flatMap(({ name }) => {
    const text = strippedSql(name)
    const fits = (pattern: string) => `regexp_full_match(${text}, '${pattern}')`
    return [
      `bool_and(CASE WHEN NOT ${isMissingSql(text)} THEN ${fits(PARTS)} END)`,
      `bool_or(${fits(DEEP)} AND NOT ${fits(THOUSANDS)})`,
    ]
  })
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${source}`)
  return new Map(
    columns.map(({ name }, index) => [
      name,
      { hasParts: row[index * 2] === true, isDeep: row[index * 2 + 1] === true },
    ]),
  )
}

interface Numbering {
  isDense: boolean
  examples: string[]
}

/** Returns whether the numbers after the points count from 1, and texts that are one number. */
async function numberingOf(
  { database, source }: { database: Database; source: string },
  name: string,
): Promise<Numbering> {
  const text = strippedSql(name)
  const [row = []] = await database.load(
    `WITH texts AS (
       SELECT DISTINCT ${text} AS one FROM ${source} WHERE ${text} IS NOT NULL AND NOT ${isMissingSql(text)}
     ), ends AS (
       SELECT count(*) AS count, max(CAST(split_part(one, '.', 2) AS INTEGER)) AS last
       FROM texts WHERE contains(one, '.') GROUP BY split_part(one, '.', 1)
     ), equals AS (
       SELECT min(one) AS one, max(one) AS other FROM texts
       GROUP BY CAST(one AS DOUBLE) HAVING count(*) > 1 ORDER BY 1 LIMIT 1
     )
     SELECT (SELECT sum(count)::DOUBLE / sum(last) FROM ends), (SELECT min(one) FROM texts),
       (SELECT one FROM equals), (SELECT other FROM equals)`,
  )
  const [share, first, one, other] = row
  const examples = other === null || other === undefined ? [first] : [one, other]
  return { isDense: Number(share ?? 0) >= DENSE, examples: examples.map(String) }
}

/** Says what a column with codes became, and what to choose instead. */
export function codeSentence(name: string, { isText, examples }: Code, quotesData: boolean): string {
  const quoted = examples.map((one) => `"${one}"`).join(' e ')
  const isOne = examples.length > 1
  if (!isText)
    return `a coluna ${name} tem textos diferentes que são o mesmo número${quotesData ? `: ${quoted}` : ''}. Se são códigos, escolha Texto`
  const why = isOne ? 'seriam um só número' : 'parece um código'
  return `a coluna ${name} fica como texto${quotesData ? `: ${quoted} ${why}` : ', porque parece ter códigos'}. Se são valores, escolha Número`
}
