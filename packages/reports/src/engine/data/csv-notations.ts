import type { CsvType } from '../definitions/definition.ts'
import { literal, quote } from './database.ts'

/** A notation of values in a CSV column, and the type it converts to. */
export type Notation = {
  type: CsvType
  decimal?: ',' | '.'
  /** How the file shows the number: R$ 1.200,00 or 8%, which is 0.08. */
  shownAs?: 'money' | 'percent'
  match: string
  convert: (text: string) => string
}

const DAY_BR = '[0-3]?\\d/[01]?\\d/\\d{4}'
const DAY_ISO = '\\d{4}-\\d{2}-\\d{2}'
const TIME = '[0-2]?\\d:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?'
const COMMA_NUMBER = '(0|[1-9]\\d{0,2}(\\.\\d{3})+|[1-9]\\d*)(,\\d+)?'
const POINT_NUMBER = '(0|[1-9]\\d{0,2}(,\\d{3})+|[1-9]\\d*)(\\.\\d+)?'
/** Spreadsheets write a no-break space after the sign of the currency. */
const SPACE = '[ \\x{00A0}]?'
const moneyOf = (number: string) => `-?${SPACE}R\\$${SPACE}-?${number}|-?${number}`
const numberSql = (text: string, decimal: ',' | '.') => {
  const digits = `regexp_replace(${text}, '[^0-9,.-]', '', 'g')`
  return decimal === ','
    ? `TRY_CAST(replace(replace(${digits}, '.', ''), ',', '.') AS DOUBLE)`
    : `TRY_CAST(replace(${digits}, ',', '') AS DOUBLE)`
}
const shownNotations = (decimal: ',' | '.', number: string): Notation[] => [
  {
    type: 'number',
    decimal,
    shownAs: 'money',
    match: moneyOf(number),
    convert: (text) => numberSql(text, decimal),
  },
  {
    type: 'number',
    decimal,
    shownAs: 'percent',
    match: `-?${number}${SPACE}%`,
    convert: (text) => `${numberSql(text, decimal)} / 100`,
  },
]

const strptime = (text: string, format: string) => `try_strptime(${text}, '${format}')`

/** All notations, narrower ones first. A number with leading zeros is a code, and stays text. */
const NOTATIONS: readonly Notation[] = [
  {
    type: 'boolean',
    match: '(?i)true|false|verdadeiro|falso',
    convert: (text) => `lower(${text}) IN ('true', 'verdadeiro')`,
  },
  {
    type: 'integer',
    match: '-?(0|[1-9]\\d{0,18})',
    convert: (text) => `TRY_CAST(${text} AS BIGINT)`,
  },
  {
    type: 'number',
    decimal: ',',
    match: `-?${COMMA_NUMBER}`,
    convert: (text) => `TRY_CAST(replace(replace(${text}, '.', ''), ',', '.') AS DOUBLE)`,
  },
  {
    type: 'number',
    decimal: '.',
    match: `-?${POINT_NUMBER}([eE][+-]?\\d+)?`,
    convert: (text) => `TRY_CAST(replace(${text}, ',', '') AS DOUBLE)`,
  },
  ...shownNotations(',', COMMA_NUMBER),
  ...shownNotations('.', POINT_NUMBER),
  { type: 'date', match: DAY_ISO, convert: (text) => `TRY_CAST(${text} AS DATE)` },
  { type: 'date', match: DAY_BR, convert: (text) => `CAST(${strptime(text, '%d/%m/%Y')} AS DATE)` },
  {
    type: 'timestamp',
    match: `${DAY_ISO}[ T]${TIME}`,
    convert: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  },
  {
    type: 'timestamp',
    match: `${DAY_BR} ${TIME}`,
    convert: (text) =>
      `coalesce(${strptime(text, '%d/%m/%Y %H:%M:%S')}, ${strptime(text, '%d/%m/%Y %H:%M')},
        ${strptime(text, '%d/%m/%Y %H:%M:%S.%f')})`,
  },
  {
    type: 'timestamp',
    match: `${DAY_ISO}[ T]${TIME}(Z|[+-]\\d{2}(:?\\d{2})?)`,
    convert: (text) => `TRY_CAST(${text} AS TIMESTAMPTZ)`,
  },
]

/** Returns the notations in the order to try; the delimiter decides the first decimal mark. */
export function notationsToTry(delimiter: string, decimal?: ',' | '.'): Notation[] {
  const allowed = NOTATIONS.filter((one) => !decimal || !one.decimal || one.decimal === decimal)
  const first = delimiter === ',' ? '.' : ','
  return allowed
    .sort((one, other) => Number(other.decimal === first) - Number(one.decimal === first))
    .sort(byBreadth)
}
const byBreadth = (one: Notation, other: Notation) => TYPES.indexOf(one.type) - TYPES.indexOf(other.type)
const TYPES: CsvType[] = ['boolean', 'integer', 'number', 'date', 'timestamp']

/** SQL of the field without surrounding spaces; NULL when empty. */
export const trimmedSql = (column: string) => `nullif(trim(${quote(column)}), '')`

/** SQL of the converted value; NULL when the field is empty or in another notation. */
export const convertedSql = (column: string, { match, convert }: Notation) => {
  const text = trimmedSql(column)
  return `CASE WHEN regexp_full_match(${text}, ${literal(match)}) THEN ${convert(text)} END`
}

/** SQL that is true for a non-empty field in another notation. */
export const isOtherNotationSql = (column: string, writing: Notation) =>
  `(${trimmedSql(column)} IS NOT NULL AND (${convertedSql(column, writing)}) IS NULL)`
