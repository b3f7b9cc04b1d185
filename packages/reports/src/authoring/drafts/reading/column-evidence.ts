import type { CsvType } from '../../../definitions/definition.ts'
import { type Database, quote } from '../../../engine/data/database/database.ts'

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

type ReadColumn = { label: string; type: CsvType | 'other' }

/** Returns the evidence of each column of a table that was read. */
export const readEvidence = async (
  database: Database,
  table: string,
  columns: ReadColumn[],
): Promise<Evidence[]> => {
  const isNumber = ({ type }: ReadColumn) => type === 'integer' || type === 'number'
  const numbers = columns.filter(isNumber).map(({ label }) => label)
  const texts = columns.flatMap(({ label, type }) => (type === 'text' ? [label] : []))
  const found = new Map([
    ...(await evidenceOfNumbers(database, table, numbers)),
    ...(await evidenceOfTexts(database, table, texts)),
  ])
  return columns.map(({ label }) => found.get(label) ?? NO_EVIDENCE)
}

/** @returns a row of values of each column, which `expressions` gives as many for each */
const valuesOf = async (
  database: Database,
  source: string,
  labels: string[],
  expressions: (label: string) => string[],
): Promise<[label: string, values: unknown[]][]> => {
  const asked = labels.map(expressions)
  if (asked.length === 0) return []
  const [row = []] = await database.query(`SELECT ${asked.flat().join(', ')} FROM ${source}`)
  const each = asked[0]?.length ?? 0
  return labels.map((label, index) => [label, row.slice(index * each, (index + 1) * each)])
}

/** Fewer numbers from 1 on may be amounts. */
const FEWEST_COUNTED = 3
/** Fewer numbers from another one on may follow each other by chance. */
const FEWEST_OF_A_RUN = 20

const evidenceOfNumbers = async (
  database: Database,
  table: string,
  labels: string[],
): Promise<[string, Evidence][]> => {
  const values = await valuesOf(database, table, labels, (label) => {
    const column = quote(label)
    // A double writes whole numbers as 202508.0.
    const whole = `TRY_CAST(${column} AS HUGEINT)`
    const digits = `CASE WHEN ${whole} < 0 THEN 0 - ${whole} ELSE ${whole} END`
    return [
      `min(${column})::DOUBLE`,
      `max(${column})::DOUBLE`,
      `count(${column})::DOUBLE`,
      // A decimal near its limits is rounded beyond them.
      `bool_and(${column} % 1 = 0)`,
      `bool_and(${column} % 100 BETWEEN 1 AND 12)`,
      `length(min(TRY(${digits}))::VARCHAR)::DOUBLE`,
      `length(max(TRY(${digits}))::VARCHAR)::DOUBLE`,
    ]
  })
  const evidence = values.map(([label, [first, last, count, ...others]]): [string, Evidence, boolean] => {
    const [allWhole, endsInMonth, shortest, longest] = others
    const [least, greatest, rows] = [first, last, count].map((value) =>
      typeof value === 'number' ? value : Number.NaN,
    ) as [number, number, number]
    const isWhole = allWhole === true
    const isWithin = (from: number, to: number) => isWhole && least >= from && greatest <= to
    const size = Math.max(Math.abs(least), Math.abs(greatest))
    const isLong = rows >= (least === 0 || least === 1 ? FEWEST_COUNTED : FEWEST_OF_A_RUN)
    const isMonth = isWithin(190_001, 209_912) && endsInMonth === true
    return [
      label,
      {
        month: isMonth ? '%Y%m' : undefined,
        yearlessMonth: isWithin(1, 12) ? 'number' : undefined,
        isYear: isWithin(1900, 2100),
        isCalendar: isWithin(1, 53),
        isWhole,
        digits: isWhole && shortest === longest && shortest !== null ? Number(shortest) : undefined,
        isSequence: false,
        isScore: size <= 1000,
        isFraction: size <= 1 && !isWhole,
      },
      isLong && greatest - least + 1 === rows,
    ]
  })
  const runs = evidence.flatMap(([label, , mayBeRun]) => (mayBeRun ? [label] : []))
  const counted = new Set(
    (
      await valuesOf(database, table, runs, (label) => [
        `count(DISTINCT ${quote(label)}) = count(${quote(label)})`,
      ])
    ).flatMap(([label, [isDistinct]]) => (isDistinct === true ? [label] : [])),
  )
  return evidence.map(([label, one]) => [label, { ...one, isSequence: counted.has(label) }])
}

/** Rows in which the columns of texts are looked for that have other texts than digits and months. */
const SAMPLE = 1000

const evidenceOfTexts = async (
  database: Database,
  table: string,
  labels: string[],
): Promise<[string, Evidence][]> => {
  const patterns = ['\\d+', MONTH_NAMES, ...MONTH_FORMATS.map((format) => monthPatterns[format](SHORT_MONTH))]
  const plainText = (label: string) => `lower(strip_accents(trim(${quote(label)})))`
  const first = `(SELECT * FROM ${table} LIMIT ${SAMPLE})`
  const sampled = await valuesOf(database, first, labels, (label) => [
    `bool_or(NOT regexp_full_match(${plainText(label)}, '${patterns.join('|')}'))`,
  ])
  const asked = sampled.flatMap(([label, [hasOther]]) => (hasOther === true ? [] : [label]))
  const values = await valuesOf(database, table, asked, (label) => {
    const column = quote(label)
    const text = `trim(${column})`
    const isWhole = `regexp_full_match(${text}, '\\d+')`
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
      `min(length(${text}))::DOUBLE`,
      `max(length(${text}))::DOUBLE`,
      isWithin(1900, 2100),
      isWithin(1, 53),
      isWithin(1, 12),
      `bool_and(${isWhole})`,
      `bool_and(regexp_full_match(${plainText(label)}, '${MONTH_NAMES}'))`,
      ...MONTH_FORMATS.map(areMonths),
    ]
  })
  return values.map(([label, [shortest, longest, isYear, isCalendar, ...others]]) => {
    const [isMonthNumber, isWhole, isMonthName, ...months] = others
    return [
      label,
      {
        ...NO_EVIDENCE,
        month: MONTH_FORMATS.find((_format, index) => months[index] === true),
        yearlessMonth: isMonthName === true ? 'name' : isMonthNumber === true ? 'number' : undefined,
        isYear: isYear === true,
        isCalendar: isCalendar === true,
        isWhole: isWhole === true,
        digits: isWhole === true && shortest === longest ? Number(shortest) : undefined,
      },
    ]
  })
}
