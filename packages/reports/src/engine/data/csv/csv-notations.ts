import type { CsvType } from '../../../definitions/definition.ts'
import { shiftedSql } from '../columns/column-scales.ts'
import { literal } from '../database/database.ts'
import { hyphenatedSql, isMissingSql, trimmedSql } from './field-sql.ts'
import { LONG_DASHES } from './number-texts.ts'

export type DecimalMark = ',' | '.'
/** What comes first in dates with slashes: 05/03/2026 is 5 March or 3 May. */
export type DateOrder = 'dayFirst' | 'monthFirst'

/** A notation of values in a CSV column, and the type it converts to. */
export type Notation = {
  type: CsvType
  decimal?: DecimalMark
  order?: DateOrder
  /** How the file shows the number: R$ 1.200,00 or 8%, which is 0.08. */
  shownAs?: 'money' | 'foreign' | 'percent'
  /** A spreadsheet shows some of the numbers as percentages, and others not. */
  isPartlyPercent?: boolean | undefined
  /**
   * `plain`: as programs write values. `accounting`: also marks of missing values, and numbers as
   * accountants write them. `wide`: only for a type that was chosen; not every number is exact.
   */
  reach: 'plain' | 'accounting' | 'wide'
  match: string
  /** @param type the type of amounts: DOUBLE, or a DECIMAL that has all of their digits */
  convert: (text: string, type?: string) => string
  /** Amounts of time, such as 25:30, in hours. */
  isDuration?: true
  /** SQL that is true for values of which a column needs at least one to be in this notation. */
  needs?: (text: string) => string
}

const DAY_BR = '[0-3]?\\d/[01]?\\d/\\d{4}'
const DAY_US = '[01]?\\d/[0-3]?\\d/\\d{4}'
const DAY_ISO = '\\d{4}-\\d{2}-\\d{2}'
const TIME = '[0-2]?\\d:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?'
/** Spreadsheets write a no-break space after the sign of the currency. */
const SPACE = '[ \\x{00A0}]?'
/** Spaces between thousands; typesetters use a narrow one. */
const THOUSANDS = '[ \\x{00A0}\\x{202F}]'

/** Whole digits that a DOUBLE holds exactly, whatever they are. */
export const EXACT_DIGITS = 15

const marksOf = (decimal: DecimalMark) => (decimal === ',' ? [',', '\\.'] : ['\\.', ',']) as [string, string]

/** Whole numbers without a sign and without leading zeros, which make a code of them. */
const wholeOf = (decimal: DecimalMark, reach: Notation['reach']) => {
  const [, group] = marksOf(decimal)
  const [groups, digits] = reach === 'wide' ? ['+', '*'] : ['{1,4}', `{0,${EXACT_DIGITS - 1}}`]
  const plain = `0|[1-9]\\d{0,2}(${group}\\d{3})${groups}|[1-9]\\d${digits}`
  return reach === 'plain' ? plain : `${plain}|[1-9]\\d{0,2}(${THOUSANDS}\\d{3})${groups}`
}

const numberOf = (decimal: DecimalMark, reach: Notation['reach']) => {
  const [mark] = marksOf(decimal)
  const number = `(${wholeOf(decimal, reach)})(${mark}\\d+)?`
  return reach === 'plain' ? number : `(${number}|${mark}\\d+)`
}

/**
 * Numbers that may follow a plus. Without decimals, those of 8 and more digits are telephones, which
 * would lose the plus, also in groups; amounts have points between their thousands.
 */
const afterPlus = (decimal: DecimalMark) => {
  const [mark, group] = marksOf(decimal)
  const short = `0|[1-9]\\d{0,6}|[1-9]\\d{0,2}((${group}\\d{3}){1,2}|${THOUSANDS}\\d{3})`
  return `(${short}|(${wholeOf(decimal, 'accounting')})?${mark}\\d+)`
}

/**
 * A number with an exponent has a fraction or a signed exponent, as every program writes it: '12E3'
 * is a code.
 */
const EXPONENT = '-?(0|[1-9]\\d*)(\\.\\d+[eE][+-]?|[eE][+-])\\d+'

const numberSql = (text: string, decimal: DecimalMark, type = 'DOUBLE') => {
  const digits = `regexp_replace(${text}, '[^0-9,.-]', '', 'g')`
  return decimal === ','
    ? `TRY_CAST(replace(replace(${digits}, '.', ''), ',', '.') AS ${type})`
    : `TRY_CAST(replace(${digits}, ',', '') AS ${type})`
}

/** A minus sign at either end or parentheses are negative; a dash without digits is zero. */
const accountingSql = (text: string, decimal: DecimalMark, type = 'DOUBLE') => {
  const digits = `regexp_replace(${text}, '[^0-9,.]', '', 'g')`
  const number =
    decimal === ','
      ? `TRY_CAST(replace(replace(${digits}, '.', ''), ',', '.') AS ${type})`
      : `TRY_CAST(replace(${digits}, ',', '') AS ${type})`
  return `CASE WHEN NOT regexp_matches(${text}, '[0-9]') THEN 0
    WHEN regexp_matches(${text}, '[-(]') THEN 0 - ${number} ELSE ${number} END`
}

const plainNumbers = (decimal: DecimalMark): Notation[] => {
  const number = numberOf(decimal, 'plain')
  const money = `-?${SPACE}R\\$${SPACE}-?${number}|-?${number}`
  const base = { type: 'number', decimal, reach: 'plain' } as const
  return [
    decimal === ','
      ? {
          ...base,
          match: `-?${number}`,
          convert: (text, type = 'DOUBLE') =>
            `TRY_CAST(replace(replace(${text}, '.', ''), ',', '.') AS ${type})`,
        }
      : {
          ...base,
          match: `-?${number}|${EXPONENT}`,
          convert: (text, type = 'DOUBLE') => `TRY_CAST(replace(${text}, ',', '') AS ${type})`,
        },
    { ...base, shownAs: 'money', match: money, convert: (text, type) => numberSql(text, decimal, type) },
    {
      ...base,
      shownAs: 'percent',
      match: `-?${number}${SPACE}%`,
      convert: (text) => shiftedSql(numberSql(text, decimal), -2),
    },
  ]
}

const accountingNumbers = (decimal: DecimalMark, reach: 'accounting' | 'wide'): Notation[] => {
  const number = numberOf(decimal, reach)
  const signed = (one: string, positive = one) =>
    `-?${SPACE}${one}|\\+${SPACE}${positive}|\\(${SPACE}${one}${SPACE}\\)|${one}${SPACE}-`
  const plain = signed(number, reach === 'wide' ? number : afterPlus(decimal))
  // 'R$ -' is how the accounting format of spreadsheets shows zero, with spaces to align it.
  const reais = `R\\$ *${SPACE} *`
  const money = [
    plain,
    `[+-]?${SPACE}${reais}${number}`,
    `${reais}([+-] *${number}|${number} *-|\\( *${number} *\\)|-)`,
    `\\( *${reais}${number} *\\)`,
  ]
  const base = { type: 'number', decimal, reach } as const
  const exponent = decimal === '.' ? `|${EXPONENT}` : ''
  return [
    {
      ...base,
      match: `${plain}${exponent}`,
      convert: (text, type = 'DOUBLE') =>
        exponent
          ? `CASE WHEN contains(lower(${text}), 'e') THEN TRY_CAST(${text} AS ${type}) ELSE ${accountingSql(text, decimal, type)} END`
          : accountingSql(text, decimal, type),
    },
    {
      ...base,
      shownAs: 'money',
      match: money.join('|'),
      convert: (text, type) => accountingSql(text, decimal, type),
    },
    {
      ...base,
      shownAs: 'percent',
      match: signed(`${number}${SPACE}%`),
      convert: (text) => shiftedSql(accountingSql(text, decimal), -2),
    },
  ]
}

/** Hours and minutes, and seconds. */
const DURATION = '-?\\d{1,6}:[0-5]\\d(:[0-5]\\d)?'
const durationSql = (text: string) => {
  const part = (index: number) =>
    `coalesce(TRY_CAST(split_part(ltrim(${text}, '-'), ':', ${index}) AS DOUBLE), 0)`
  const hours = `(${part(1)} * 3600 + ${part(2)} * 60 + ${part(3)}) / 3600`
  return `CASE WHEN starts_with(${text}, '-') THEN 0 - ${hours} ELSE ${hours} END`
}

/** Values up to 24:00 may all be times of a day, which are no amounts unless a person says so. */
const durations = (reach: 'accounting' | 'wide'): Notation => ({
  type: 'number',
  reach,
  match: DURATION,
  convert: durationSql,
  isDuration: true,
  ...(reach === 'accounting' && {
    needs: (text) => `regexp_full_match(${text}, '${DURATION}') AND abs(${durationSql(text)}) > 24`,
  }),
})

const strptime = (text: string, format: string) => `try_strptime(${text}, '${format}')`

const integers = (reach: Notation['reach'], digits: number): Notation => ({
  type: 'integer',
  reach,
  match: `-?(0|[1-9]\\d{0,${digits - 1}})`,
  convert: (text) => `TRY_CAST(${text} AS BIGINT)`,
})
/** Digits of integers that a BIGINT may hold. */
const BIGINT_DIGITS = 19

const ORDERS = [
  { order: 'dayFirst', day: DAY_BR, format: '%d/%m/%Y' },
  { order: 'monthFirst', day: DAY_US, format: '%m/%d/%Y' },
] as const

/** 24:00 is refused: as the next midnight, it would count for another day than the one that is written. */
const momentSql = (text: string, day: string) =>
  `coalesce(${strptime(text, `${day} %H:%M:%S`)}, ${strptime(text, `${day} %H:%M`)},
    ${strptime(text, `${day} %H:%M:%S.%f`)})`

const daysAndTimes = (reach: Notation['reach']): Notation[] => [
  { type: 'date', reach, match: DAY_ISO, convert: (text) => `TRY_CAST(${text} AS DATE)` },
  ...ORDERS.map(
    ({ order, day, format }): Notation => ({
      type: 'date',
      reach,
      order,
      match: day,
      convert: (text) => `CAST(${strptime(text, format)} AS DATE)`,
    }),
  ),
  {
    type: 'timestamp',
    reach,
    match: `${DAY_ISO}[ T]${TIME}`,
    convert: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  },
  ...ORDERS.map(
    ({ order, day, format }): Notation => ({
      type: 'timestamp',
      reach,
      order,
      match: `${day} ${TIME}`,
      convert: (text) => momentSql(text, format),
    }),
  ),
  {
    type: 'timestamp',
    reach,
    match: `${DAY_ISO}[ T]${TIME}(Z|[+-]\\d{2}(:?\\d{2})?)`,
    convert: (text) => `TRY_CAST(${text} AS TIMESTAMPTZ)`,
  },
]

const MIDNIGHT = '0?0:00(:00(\\.0{1,6})?)?'

/** Days beside days at midnight: some programs add the time to a day, and others do not. */
const daysAtMidnight = (): Notation[] =>
  daysAndTimes('accounting').flatMap((one) => {
    const ofDay = (text: string) => `regexp_extract(${text}, '^[^ T]+')`
    // Times that are all given make moments, also at midnight.
    const needs = (text: string) => `regexp_full_match(${text}, '${one.match}')`
    const match = `${one.match}([ T]${MIDNIGHT})?`
    return one.type === 'date' ? [{ ...one, match, needs, convert: (text) => one.convert(ofDay(text)) }] : []
  })

/** Days in a column of moments: a program leaves out the time of those at midnight. */
const daysOrTimes = (): Notation[] => [
  {
    type: 'timestamp',
    reach: 'accounting',
    match: `${DAY_ISO}([ T]${TIME})?`,
    convert: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  },
  ...ORDERS.map(
    ({ order, day, format }): Notation => ({
      type: 'timestamp',
      reach: 'accounting',
      order,
      match: `${day}( ${TIME})?`,
      convert: (text) => `coalesce(${strptime(text, format)}, ${momentSql(text, format)})`,
    }),
  ),
]

const booleans = (reach: Notation['reach'], yes: string, no: string): Notation => ({
  type: 'boolean',
  reach,
  match: `(?i)${yes}|${no}`,
  convert: (text) => `regexp_full_match(${text}, '(?i)${yes}')`,
})

const PLAIN: Notation[] = [
  booleans('plain', 'true|verdadeiro', 'false|falso'),
  ...plainNumbers(','),
  ...plainNumbers('.'),
  ...daysAndTimes('plain'),
]
const ACCOUNTING: Notation[] = [
  booleans('accounting', 'true|verdadeiro|sim|s', 'false|falso|n[aã]o|n'),
  integers('accounting', EXACT_DIGITS),
  ...accountingNumbers(',', 'accounting'),
  ...accountingNumbers('.', 'accounting'),
  durations('accounting'),
  ...daysAndTimes('accounting'),
  ...daysAtMidnight(),
  ...daysOrTimes(),
]
const WIDE: Notation[] = [
  integers('wide', BIGINT_DIGITS),
  ...accountingNumbers(',', 'wide'),
  ...accountingNumbers('.', 'wide'),
  durations('wide'),
]

/**
 * Returns the notations of a reach in the order to try, narrower ones first.
 * @param first the decimal mark to try first
 * @param only the only decimal mark
 * @param order the only order of dates with slashes
 * @param bigIntegers whether integers that no DOUBLE holds are integers too
 */
export const notationsOf = (
  reach: Notation['reach'],
  {
    first,
    only,
    order,
    bigIntegers,
  }: {
    first: DecimalMark
    only?: DecimalMark | undefined
    order?: DateOrder | undefined
    bigIntegers: boolean
  },
): Notation[] => {
  const plain = [...PLAIN, integers('plain', bigIntegers ? BIGINT_DIGITS : EXACT_DIGITS)]
  return { plain, accounting: ACCOUNTING, wide: WIDE }[reach]
    .filter((one) => !only || !one.decimal || one.decimal === only)
    .filter((one) => !order || !one.order || one.order === order)
    .toSorted((one, other) => Number(other.decimal === first) - Number(one.decimal === first))
    .toSorted(byBreadth)
}
const byBreadth = (one: Notation, other: Notation) => TYPES.indexOf(one.type) - TYPES.indexOf(other.type)
const TYPES: CsvType[] = ['boolean', 'integer', 'number', 'date', 'timestamp']

const fieldSql = (column: string, { reach }: Notation) =>
  reach === 'plain' ? trimmedSql(column) : hyphenatedSql(column)

const textSql = (column: string, notation: Notation) => {
  const text = fieldSql(column, notation)
  return notation.reach === 'plain' ? text : `CASE WHEN NOT ${isMissingSql(text)} THEN ${text} END`
}

const MAY_BE_ACCOUNTING = `(?i)[-+()R$0-9.,%e:/TZ \\x{00A0}\\x{202F}]+|sim|s|n|n[aã]o|true|false|verdadeiro|falso`
/** SQL that counts fields that may fit an accounting notation: most texts do not, at a small cost. */
export const likelySql = (column: string) => {
  const text = hyphenatedSql(column)
  return `count_if(regexp_full_match(${text}, ${literal(MAY_BE_ACCOUNTING)}) OR ${isMissingSql(text)})`
}

/** SQL that counts the fields that a notation has to fit. */
export const filledSql = (column: string, notation: Notation) => `count(${textSql(column, notation)})`

/** SQL of the converted value; NULL when the field is empty or in another notation. */
export const convertedSql = (column: string, notation: Notation) => {
  const text = fieldSql(column, notation)
  return `CASE WHEN regexp_full_match(${text}, ${literal(notation.match)}) THEN ${notation.convert(text)} END`
}

/** SQL that is true for a field that the notation needs; undefined where it needs none. */
export const neededSql = (column: string, notation: Notation) =>
  notation.needs && `coalesce(${notation.needs(fieldSql(column, notation))}, false)`

/** SQL that is true for a non-empty field in another notation. */
export const isOtherNotationSql = (column: string, writing: Notation) =>
  `(${textSql(column, writing)} IS NOT NULL AND (${convertedSql(column, writing)}) IS NULL)`

/** What deserves a sentence in a column of an accounting or wide notation. */
export const ODDITIES = {
  missing: isMissingSql,
  zero: (text: string) => `regexp_full_match(${text}, 'R\\$[ \\x{00A0}]*[-${LONG_DASHES}]')`,
  negative: (text: string) => `regexp_full_match(${text}, '[^(]*\\(.*\\d.*\\)|.*\\d.*[-${LONG_DASHES}]')`,
  dash: (text: string) => `regexp_matches(${text}, '^[^0-9]*[${LONG_DASHES}].*[0-9]')`,
  spaced: (text: string) => `regexp_matches(${text}, '\\d${THOUSANDS}\\d')`,
  plus: (text: string) => `starts_with(${text}, '+')`,
  letter: (text: string) => `regexp_full_match(${text}, '(?i)[sn]')`,
  day: (text: string) => `regexp_full_match(${text}, '\\d+[-/]\\d+[-/]\\d+')`,
  midnight: (text: string) => `contains(${text}, ':')`,
} as const
export type Oddity = keyof typeof ODDITIES
