import type { CsvType } from '../../definitions/definition.ts'
import { type Database, quote } from '../../engine/data/database/database.ts'

/** How a column writes years and months, in the letters of `strptime`, which reads 1/2026 too. */
const MONTH_FORMATS = ['%Y-%m', '%m/%Y', '%Y%m'] as const
type MonthFormat = (typeof MONTH_FORMATS)[number]

/** What the values of a text or a number say about the column, whatever its heading. */
export type Evidence = {
  /** All values are years and months, such as 2025-08 or 202508. */
  month: MonthFormat | undefined
  /** All values are months without their year: names such as Janeiro and jan, or numbers from 1 to 12. */
  yearlessMonth: 'name' | 'number' | undefined
  /** All values are whole numbers between 1900 and 2100. */
  isYear: boolean
  /** All values are whole numbers from 1 to 53, such as days, months and weeks. */
  isCalendar: boolean
  /** All values are whole numbers. */
  isWhole: boolean
  /** All values have this many digits; undefined where they differ. */
  digits: number | undefined
  /** The numbers are counted, in any order: 1 to n, or a long run from another number on, without a gap. */
  isSequence: boolean
  /** All numbers are between -1000 and 1000, as grades and ratings are. */
  isScore: boolean
  /** No number is above 1, and some have decimals, such as 0.08. */
  isFraction: boolean
}

/** Of a column whose values say nothing. */
export const NO_EVIDENCE: Evidence = {
  month: undefined,
  yearlessMonth: undefined,
  isYear: false,
  isCalendar: false,
  isWhole: false,
  digits: undefined,
  isSequence: false,
  isScore: false,
  isFraction: false,
}
const YEAR = '(19|20)\\d{2}'
const monthPatterns: Record<MonthFormat, (month: string) => string> = {
  '%Y-%m': (month) => `${YEAR}-${month}`,
  '%m/%Y': (month) => `${month}/${YEAR}`,
  '%Y%m': (month) => `${YEAR}${month}`,
}
const MONTH = '(0[1-9]|1[0-2])'
const SHORT_MONTH = '(0?[1-9]|1[0-2])'
/** No half of a year, quarter or pair of months has such a number. */
const LATE_MONTH = '(0?[7-9]|1[0-2])'
const MONTH_HEADING = /(^|[^\p{L}])(m[eê]s|ano ?m[eê]s|compet[eê]ncia|cmpt)([^\p{L}]|$)/iu

const MONTH_NAMES =
  '(jan(eiro)?|fev(ereiro)?|mar(co)?|abr(il)?|maio?|jun(ho)?|jul(ho)?|ago(sto)?|set(embro)?|out(ubro)?|nov(embro)?|dez(embro)?)[.]?'

/** Returns the evidence of each column of a table that was read. */
export const readEvidence = async (
  database: Database,
  table: string,
  columns: { label: string; type: CsvType | 'other' }[],
): Promise<Evidence[]> => {
  const asked = columns.map(({ label, type }) => expressionsOf(label, type))
  const list = asked.flat()
  const [row = []] = list.length > 0 ? await database.query(`SELECT ${list.join(', ')} FROM ${table}`) : []
  const found = [...row]
  return asked.map((expressions) => {
    if (expressions.length === 0) return NO_EVIDENCE
    const [shortest, longest, isYear, isCalendar, isWhole, ...others] = found.splice(0, expressions.length)
    const [isSequence, isScore, isFraction, isMonthName, isMonthNumber, ...months] = others
    const isFixed = isWhole === true && shortest === longest && shortest !== null
    return {
      month: MONTH_FORMATS.find((_format, index) => months[index] === true),
      yearlessMonth: isMonthName === true ? 'name' : isMonthNumber === true ? 'number' : undefined,
      isYear: isYear === true,
      isCalendar: isCalendar === true,
      isWhole: isWhole === true,
      digits: isFixed ? Number(shortest) : undefined,
      isSequence: isSequence === true,
      isScore: isScore === true,
      isFraction: isFraction === true,
    }
  })
}

/** Fewer numbers from 1 on may be amounts. */
const FEWEST_COUNTED = 3
/** Fewer numbers from another one on may follow each other by chance. */
const FEWEST_OF_A_RUN = 20

const sequenceSql = (column: string): string => {
  // In the column's own type, the difference may overflow.
  const [first, last] = [`min(${column})::DOUBLE`, `max(${column})::DOUBLE`]
  const isRun = `${last} - ${first} + 1 = count(DISTINCT ${column}) AND count(DISTINCT ${column}) = count(${column})`
  const isLong = `count(${column}) >= CASE WHEN ${first} IN (0, 1) THEN ${FEWEST_COUNTED} ELSE ${FEWEST_OF_A_RUN} END`
  return `${isRun} AND ${isLong}`
}

const expressionsOf = (label: string, type: CsvType | 'other'): string[] => {
  if (type !== 'text' && type !== 'integer' && type !== 'number') return []
  const column = quote(label)
  const isText = type === 'text'
  // A double writes whole numbers as 202508.0.
  const text = isText ? `trim(${column})` : `TRY_CAST(${column} AS HUGEINT)::VARCHAR`
  const digits = `length(ltrim(${text}, '-'))::DOUBLE`
  const isWhole = isText
    ? `regexp_full_match(trim(${column}), '\\d+')`
    : // A decimal near its limits is rounded beyond them.
      `${column} % 1 = 0`
  const isWithin = (least: number, greatest: number) =>
    `bool_and(coalesce(TRY_CAST(${column} AS DOUBLE) BETWEEN ${least} AND ${greatest} AND ${isWhole}, ${column} IS NULL))`
  const fits = (format: MonthFormat, month: string) =>
    `regexp_full_match(${text}, '${monthPatterns[format](month)}')`
  const areMonths = (format: MonthFormat) => {
    const all = `bool_and(${fits(format, MONTH)})`
    if (format === '%Y%m') return all
    // 1/2026 and 2026-1 may also be the first half of the year.
    const isNamed = MONTH_HEADING.test(label) ? 'true' : `bool_or(${fits(format, LATE_MONTH)})`
    return `${all} OR (bool_and(${fits(format, SHORT_MONTH)}) AND ${isNamed})`
  }
  return [
    `min(${digits})`,
    `max(${digits})`,
    isWithin(1900, 2100),
    isWithin(1, 53),
    `bool_and(${isWhole})`,
    isText ? 'false' : sequenceSql(column),
    isText ? 'false' : `max(abs(${column}::DOUBLE)) <= 1000`,
    isText ? 'false' : `max(abs(${column}::DOUBLE)) <= 1 AND bool_or(abs(${column}::DOUBLE) % 1 <> 0)`,
    isText ? `bool_and(regexp_full_match(lower(strip_accents(trim(${column}))), '${MONTH_NAMES}'))` : 'false',
    isWithin(1, 12),
    ...MONTH_FORMATS.map(areMonths),
  ]
}
