import { withoutAccents } from '@bi-manager/contract/fold-text'
import { ownValue } from '@bi-manager/contract/own-value'
import type { ChoiceInput, ChosenColumn, Code } from './csv-choice.ts'
import { convertedSql, type Notation } from './csv-notations.ts'
import { isMissingSql, strippedSql } from './field-sql.ts'

/*
 * Codes with points, as a chart of accounts has them: 1.1, 1.2, 1.10. They are written like numbers,
 * but 1.1 and 1.10 are two accounts and one number, and they say nothing about decimal marks.
 */

/** One or two digits on each side, and no zero before the point: no value such as 0.5 or 100.2. */
const PARTS = '[1-9]\\d?(\\.\\d{1,2})?'
/** Codes of any number of parts, each of which counts from 1: no day such as 12.05.2026. */
const COUNTED = '[1-9]\\d?(\\.[1-9]\\d?)*'
/** A code of three and more parts, which is no number with points between its thousands. */
const DEEP = '\\d+(\\.\\d+){2,}'
const DAY = '\\d{1,2}\\.\\d{1,2}\\.\\d{4}'
const THOUSANDS = '[1-9]\\d{0,2}(\\.\\d{3})+'
/** What is written with digits and marks only. */
const NUMERIC = '[-+.,\\d]+'
/** Codes count from 1: at least this share of the numbers up to the last one is there. */
const DENSE = 0.25
/** The share from which a column may have codes although no two of them are one number. */
const MAY_BE_DENSE = 0.5
/** Headings of codes, in small letters and without accents. */
const CODE_HEADING = '^(cd|cod|codigo)([^a-z]|$)'
/** Headings of codes or of values: of accounts or bills, of levels of a plan or of a river. */
const MAYBE_CODE_HEADING =
  '^(conta|item|classificacao|rubrica|elemento|natureza|capitulo|secao|clausula|nivel)([^a-z]|$)'

/**
 * Marks the columns that have codes with points. They stay text, and show no decimal mark, where the
 * heading says so, or where two of them would become one number and nothing else shows the point.
 * Columns that are numbers in the published table or by a choice have values: they show their mark,
 * and a notice names what becomes one number.
 */
export const markCodes = async (input: ChoiceInput, columns: ChosenColumn[]): Promise<ChosenColumn[]> => {
  const asked = columns.filter(
    ({ name, writing, twin, shows, hasOwnMark }) =>
      !input.known?.has(name) &&
      !twin &&
      !hasOwnMark &&
      (isNumber(writing, name) || (!writing && shows === '.')),
  )
  const shapes = await shapesOf(input, asked)
  const found = new Map<string, Finding>()
  for (const { name, writing } of asked) {
    const shape = shapes.get(name) ?? NO_SHAPE
    if (!shape.hasParts && !shape.isCounted && !shape.isDeep && !isAnyCodeHeading(name)) continue
    const { share, same, example } = await numberingOf(input, name, writing)
    const isNamed = isAnyCodeHeading(name)
    const isCoded = same.length > 0 && (isNamed || (shape.hasParts && share >= DENSE))
    const mayBe = shape.isCounted && (isNamed || share >= MAY_BE_DENSE)
    const use = writing ? useOf(input, name, { shape, isCoded, mayBe }) : useOfTexts(shape, mayBe)
    found.set(name, { use, isCoded, examples: isCoded ? same : [example] })
  }
  const hasPoint = columns.some(({ name, shows }) => {
    const { use } = found.get(name) ?? { use: 'values' }
    return shows === '.' && use === 'values'
  })
  return columns.map((column) => {
    const { use, examples, isCoded } = found.get(column.name) ?? NO_FINDING
    if (use === 'unclear') return { ...column, shows: undefined, mayShow: column.shows }
    const isText = use === 'text' || (use === 'codes' && !hasPoint)
    const shown = use === 'values' ? column : { ...column, shows: undefined }
    if (!column.writing) return shown
    if (isText) return { ...shown, writing: undefined, code: { isText, examples } }
    return isCoded ? { ...shown, code: { isText, examples } } : shown
  })
}

/**
 * Notes, in a published folder, the codes that become one number: by the heading alone, so that a
 * start of the service does not count the values of each column. They stay numbers, on which the SQL
 * of the folder may rely. A type of the definition is an answer.
 */
export const noteCodes = async (input: ChoiceInput, columns: ChosenColumn[]): Promise<ChosenColumn[]> => {
  const noted: ChosenColumn[] = []
  for (const column of columns) {
    const { name, writing } = column
    const isAsked = isNumber(writing, name) && isAnyCodeHeading(name) && !ownValue(input.types, name)
    const { same } = isAsked ? await numberingOf(input, name, writing) : NO_NUMBERING
    noted.push(same.length > 0 ? { ...column, code: { isText: false, examples: same } } : column)
  }
  return noted
}

/**
 * `text`: codes, whatever other columns show. `codes`: codes, unless another column shows the point.
 * `unclear`: codes or values, all of which are different numbers.
 */
type Use = 'text' | 'codes' | 'unclear' | 'values'

interface Finding {
  use: Use
  examples: string[]
  isCoded: boolean
}
const NO_FINDING: Finding = { use: 'values', examples: [], isCoded: false }

interface Signs {
  shape: Shape
  /** Two of its texts are one number, as codes have them. */
  isCoded: boolean
  /** It may have codes, all of which are different numbers. */
  mayBe: boolean
}

const useOf = ({ types, numbers }: ChoiceInput, name: string, { shape, isCoded, mayBe }: Signs): Use => {
  if (ownValue(types, name) || numbers?.has(name)) return 'values'
  if (isCodeHeading(name) && (shape.hasParts || isCoded)) return 'text'
  if (isCoded) return isAnyCodeHeading(name) ? 'text' : 'codes'
  return mayBe ? 'unclear' : 'values'
}

/** Words, or codes of three and more parts, make the column text. */
const useOfTexts = ({ isDeep }: Shape, mayBe: boolean): Use =>
  isDeep ? 'text' : mayBe ? 'unclear' : 'values'

/** A code has a comma only under a heading that says so: 1,5 and 1,50 are values. */
const isNumber = (writing: Notation | undefined, name: string): boolean =>
  writing?.type === 'number' &&
  writing.shownAs === undefined &&
  (writing.decimal === '.' || (writing.decimal === ',' && isCodeHeading(name)))

/** Returns a heading in small letters without marks. */
export const plainHeading = (name: string): string => withoutAccents(name).trim().toLowerCase()

const isCodeHeading = (name: string): boolean => new RegExp(CODE_HEADING).test(plainHeading(name))

export const isAnyCodeHeading = (name: string): boolean =>
  isCodeHeading(name) || new RegExp(MAYBE_CODE_HEADING).test(plainHeading(name))

interface Shape {
  /** All of its values look like numbers or codes of one or two parts. */
  hasParts: boolean
  /** All that it has in digits counts from 1 in each part. */
  isCounted: boolean
  /** It has codes of three and more parts. */
  isDeep: boolean
}
const NO_SHAPE: Shape = { hasParts: false, isCounted: false, isDeep: false }

/** Looks at all columns at once: the values of most are no codes. */
const shapesOf = async ({ database, source }: ChoiceInput, columns: ChosenColumn[]) => {
  if (columns.length === 0) return new Map<string, Shape>()
  const list = columns.flatMap(({ name, writing }) => {
    const text = strippedSql(name)
    const fits = (pattern: string) => `regexp_full_match(${text}, '${pattern}')`
    const all = (pattern: string, isAsked: string) =>
      `bool_and(CASE WHEN ${isAsked} THEN ${fits(pattern)} END)`
    const isFilled = `NOT ${isMissingSql(text)}`
    return [
      all(PARTS, isFilled),
      // Words among them make a column text, and say nothing about the others.
      all(COUNTED, writing ? isFilled : fits(NUMERIC)),
      `bool_or(${fits(DEEP)} AND NOT ${fits(THOUSANDS)} AND NOT ${fits(DAY)})`,
    ]
  })
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${source}`)
  return new Map(
    columns.map(({ name }, index): [string, Shape] => {
      const [hasParts, isCounted, isDeep] = row.slice(index * 3, index * 3 + 3)
      return [name, { hasParts: hasParts === true, isCounted: isCounted === true, isDeep: isDeep === true }]
    }),
  )
}

interface Numbering {
  /** The share of the numbers after the points that is there, counted from 1. */
  share: number
  /** Two texts that are one number. */
  same: string[]
  example: string
}

const NO_NUMBERING: Numbering = { share: 0, same: [], example: '' }

const numberingOf = async (
  { database, source }: ChoiceInput,
  name: string,
  writing: Notation | undefined,
): Promise<Numbering> => {
  const text = strippedSql(name)
  const number = writing ? convertedSql(name, writing) : 'NULL'
  const [row = []] = await database.load(
    `WITH texts AS (
       SELECT DISTINCT ${text} AS one, ${number} AS number, regexp_full_match(${text}, '${PARTS}') AS has_parts
       FROM ${source} WHERE ${text} IS NOT NULL AND NOT ${isMissingSql(text)}
     ), ends AS (
       SELECT DISTINCT split_part(one, '.', 1) AS whole, TRY_CAST(split_part(one, '.', 2) AS INTEGER) AS part
       FROM texts WHERE has_parts AND contains(one, '.')
     ), shares AS (
       SELECT count_if(part > 0) AS count, max(part) AS last FROM ends GROUP BY whole
     ), equals AS (
       SELECT min(one) AS one, max(one) AS other FROM texts
       WHERE number IS NOT NULL GROUP BY number HAVING count(*) > 1 ORDER BY 1 LIMIT 1
     )
     SELECT (SELECT sum(count)::DOUBLE / nullif(sum(last), 0) FROM shares), (SELECT min(one) FROM texts),
       (SELECT one FROM equals), (SELECT other FROM equals)`,
  )
  const [share, example, one, other] = row
  const same = other === null || other === undefined ? [] : [String(one), String(other)]
  return { share: Number(share ?? 0), same, example: String(example) }
}

/** Says what a column with codes became, and what to choose instead. */
export const codeSentence = (
  name: string,
  { isText, examples }: Code,
  { quotesData, isInFolder }: { quotesData: boolean; isInFolder: boolean },
): string => {
  const way = (label: string, type: string) =>
    isInFolder ? `escreva "${type}" em csv.types` : `escolha ${label}`
  const quoted = examples.map((one) => `"${one}"`).join(' e ')
  const isOne = examples.length > 1
  if (!isText)
    return `a coluna ${name} tem textos diferentes que são o mesmo número${quotesData ? `: ${quoted}` : ''}. Se são códigos, ${way('Texto', 'text')}`
  const why = isOne ? 'seriam um só número' : 'parece um código'
  return `a coluna ${name} fica como texto${quotesData ? `: ${quoted} ${why}` : ', porque parece ter códigos'}. Se são valores, ${way('Número', 'number')}`
}
