import { type Database, literal } from '../database/database.ts'
import { hyphenatedSql, isMissingSql, strippedSql } from './field-sql.ts'

/*
 * The row of units that reports have below their headings: 'R$ mil', '%', 'un.'. It is no data, and
 * would make each column of numbers a text.
 */

const SCALE = '(?:mil|milhares|milh(?:ão|ões|ao|oes)|bilh(?:ão|ões|ao|oes))'
const CURRENCY = '(?:R\\$|US\\$|€|reais|dólares|euros)'
const MEASURE = `(?:${[
  '%|p\\.?p\\.?|un(?:id(?:ades?)?)?\\.?|qtde?\\.?|quantidade|n[º°]|índice|pontos',
  'm?g|kg|t|ton\\.?|toneladas|m?l|litros|[ckm]?m[²³23]?|ha|[kMG]?Wh?|[°º]C',
  'h|hs|hrs?|horas|min\\.?|minutos|seg\\.?|segundos|dias|meses|anos',
  'hab\\.?|habitantes|pessoas|vidas|beneficiários|casos|óbitos',
].join('|')})`
const AMOUNT = `${CURRENCY}(?: ?${SCALE})?|${SCALE}(?:(?: de)? ?(?:${CURRENCY}|${MEASURE}))?|${MEASURE}`
const UNIT = new RegExp(`^\\(?(?:em )?(?:${AMOUNT})(?: ?/ ?[\\p{L}\\d²³. ]{1,15})?\\)?$`, 'iu')
/** What the row has in columns without a unit. */
const LABEL = /^\(?(?:unidades?(?: de medida)?|unid\.?|medida|ano|mês|data|período)\)?$/i

/** Rows below that have to be numbers. */
const SAMPLE = 20_000
/** Numbers and dates, in whatever notation. */
const NUMERIC = '[-+()R$0-9.,%/: \\x{00A0}\\x{202F}]*[0-9][-+()0-9.,%/: \\x{00A0}\\x{202F}]*'

export interface UnitRow {
  /** SQL that is true for the row. */
  test: string
  /** The units of the columns that have one, by their names. */
  units: ReadonlyMap<string, string>
}

/**
 * Finds the row of units: the first one, if it has units in columns with numbers below, and nothing
 * but labels of them in others.
 */
export const findUnitRow = async (
  database: Database,
  records: string,
  columns: string[],
): Promise<UnitRow | undefined> => {
  const list = columns.map((name) => {
    const text = strippedSql(name)
    return `CASE WHEN NOT ${isMissingSql(text)} THEN ${text} END`
  })
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM (FROM ${records} LIMIT 1)`)
  const texts = columns.flatMap((name, index) => {
    const text = row[index]
    return text === null || text === undefined ? [] : [{ name, text: String(text) }]
  })
  const isUnit = ({ text }: { text: string }) => UNIT.test(text)
  const isLabel = ({ text }: { text: string }) => LABEL.test(text)
  if (!texts.some(isUnit) || !texts.every((one) => isUnit(one) || isLabel(one))) return undefined
  const test = texts.map(({ name, text }) => `${strippedSql(name)} IS NOT DISTINCT FROM ${literal(text)}`)
  const isUnitRow = `(${test.join(' AND ')})`
  const numeric = texts.map(({ name }) => {
    const text = hyphenatedSql(name)
    return `bool_and(regexp_full_match(${text}, '${NUMERIC}') OR ${isMissingSql(text)}) AND count_if(regexp_matches(${text}, '\\d')) > 0`
  })
  const [found = []] = await database.load(
    `SELECT ${numeric.join(', ')} FROM (FROM ${records} LIMIT ${SAMPLE}) WHERE NOT ${isUnitRow}`,
  )
  const units = texts.filter((one, index) => found[index] === true && isUnit(one))
  if (units.length === 0 || !texts.every((one) => units.includes(one) || isLabel(one))) return undefined
  return { test: isUnitRow, units: new Map(units.map(({ name, text }) => [name, text])) }
}

const list = new Intl.ListFormat('pt-BR')
const MAX_NAMED = 8

/** Says that the row is left out. */
export const unitSentence = ({ units }: UnitRow, line: number, quotesData: boolean): string => {
  const texts = [...new Set(units.values())].slice(0, MAX_NAMED)
  const named = quotesData ? ` (${list.format(texts)})` : ''
  return `a linha ${line} tem as unidades das colunas${named} e fica de fora`
}
