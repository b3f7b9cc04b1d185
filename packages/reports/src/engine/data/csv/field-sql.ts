import { literal, quote } from '../database/database.ts'
import { LONG_DASHES } from './number-texts.ts'

/* SQL of the text of a field, and of whether it is a mark of a missing value. */

/** Marks of missing values, in small letters: of tables of IBGE and DATASUS, and of spreadsheets. */
const DASHES = ['-', ...LONG_DASHES]
const SIGNS = ['...', '…', 'n/a', 'n/d']
/** They may be texts: the code of Namibia, the initials of a name. */
const WORDS = ['na', 'nd', 'nan', 'null']
const ERRORS = '#n/d #n/a #div/0! #valor! #value! #ref! #nome? #name? #núm! #num! #nulo! #null!'.split(' ')
// DuckDB makes a join of each long IN list, which takes some megabytes per column. Most values are longer.
const isAnyOf = (marks: string[]) => {
  const longest = Math.max(...marks.map((mark) => Buffer.byteLength(mark)))
  return (text: string) =>
    `CASE WHEN strlen(${text}) > ${longest} THEN false ELSE list_contains([${marks.map(literal).join(', ')}], lower(${text})) END`
}
export const isMissingSql = isAnyOf([...DASHES, ...SIGNS, ...WORDS, ...ERRORS])
/** SQL that is true for a mark of a missing value which is no text either. */
export const isMissingTextSql = isAnyOf([...DASHES, ...SIGNS, ...ERRORS])
/** The same of a column with plus signs, such as that of a blood group: a dash is a minus. */
export const isMissingSignSql = isAnyOf([...SIGNS, ...ERRORS])

/** SQL of the field without surrounding spaces; NULL when empty. */
export const trimmedSql = (column: string) => `nullif(trim(${quote(column)}), '')`
const WHITE_SPACE = '[ \\t\\r\\n\\x{00A0}\\x{202F}]'
/**
 * The same, also without other white space, as spreadsheets are read. Few values have any at their ends,
 * and to look for it takes a third of the time of `trim` with these characters.
 */
export const strippedSql = (column: string) => {
  const text = quote(column)
  return `nullif(CASE WHEN regexp_matches(${text}, '^${WHITE_SPACE}|${WHITE_SPACE}$') THEN trim(${text}, ' \u00A0\u202F\t\r\n') ELSE ${text} END, '')`
}

/**
 * The same, with a hyphen for a dash before the digits: people write −5 and –5 for -5. A dash behind them, as
 * in '10–', may mean '10 and more'.
 */
export const hyphenatedSql = (column: string) =>
  `regexp_replace(${strippedSql(column)}, '^([^0-9]*)[${LONG_DASHES}]', '\\1-')`
