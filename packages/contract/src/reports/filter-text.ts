import { ownValue } from '../calls/own-value.ts'
import { exactNumber, isNumberText, shownNumber } from './number-text.ts'

/*
 * Power BI's filters in words, for the report service and for the spreadsheets that the browser
 * writes. Little is imported, which keeps the embedded page small.
 */

type Value = string | number | boolean | null

interface BasicFilter {
  /** 'In', 'NotIn' or 'All'. */
  operator: string
  values: readonly Value[]
}

interface AdvancedFilter {
  logicalOperator: string
  conditions: readonly { operator: string; value?: Value | undefined }[]
}

/** Numbers as in powerbi-models: RelativeDateOperators and RelativeDateFilterTimeUnit. */
interface PeriodFilter {
  operator: number
  timeUnitType: number
  timeUnitsCount?: number | undefined
  includeToday?: boolean | undefined
}

/** The filters that have a short sentence. */
type WordedFilter = BasicFilter | AdvancedFilter | PeriodFilter

/**
 * Describes a filter in Portuguese: 'é BRADESCO ou CNU', 'maior que 10 e menor que 20'. From more
 * than `most` values, all but three are counted.
 */
export const describeFilter = (
  filter: WordedFilter,
  text: (value: Value) => string = cellText,
  most = MAX_VALUES,
): string => {
  if ('values' in filter) {
    if (filter.operator === 'All' || filter.values.length === 0) return 'todos'
    const verb = filter.operator === 'NotIn' ? 'não é' : 'é'
    return `${verb} ${joined(filter.values.map(text), filter.operator === 'NotIn' ? 'nem' : 'ou', most)}`
  }
  if ('timeUnitType' in filter) return periodText(filter)
  const conditions = filter.conditions
    .filter(({ operator }) => operator !== 'None')
    .map(({ operator, value }) =>
      (ownValue(conditionText, operator) ?? operator).replace('…', () => text(value ?? null)),
    )
  return conditions.length ? conditions.join(filter.logicalOperator === 'Or' ? ' ou ' : ' e ') : 'todos'
}

/** 'nos últimos 7 dias, com hoje', 'neste mês'. */
const periodText = (filter: PeriodFilter): string => {
  const { operator, timeUnitType, timeUnitsCount: count = 1, includeToday } = filter
  const [one = '', many = '', isFeminine = false] = unitTexts[timeUnitType] ?? []
  const ending = isFeminine ? 'a' : 'o'
  if (operator === 1) return `nest${isFeminine ? 'a' : 'e'} ${one}`
  const which = operator === 0 ? 'últim' : 'próxim'
  const calendar = calendarUnits.has(timeUnitType) ? ` complet${ending}` : ''
  const today = includeToday && !calendar && timeUnitType < MINUTES ? ', com hoje' : ''
  return count === 1
    ? `n${ending} ${which}${ending} ${one}${calendar}${today}`
    : `n${ending}s ${which}${ending}s ${count} ${many}${calendar && `${calendar}s`}${today}`
}

const week: UnitText = ['semana', 'semanas', true]
const month: UnitText = ['mês', 'meses']
const year: UnitText = ['ano', 'anos']
/** The number of the unit 'minutes'. */
const MINUTES = 7
/** Units of whole calendar periods: not the last seven days, but the last week from Sunday on. */
const calendarUnits: ReadonlySet<number> = new Set([2, 4, 6])

type UnitText = [one: string, many: string, isFeminine?: boolean]
/** The texts of time units, in the order of their numbers. */
const unitTexts: UnitText[] = [
  ['dia', 'dias'],
  week,
  week,
  month,
  month,
  year,
  year,
  ['minuto', 'minutos'],
  ['hora', 'horas', true],
]

/** What is known of the column of a value, as in the report service's `ColumnKind`. */
type Kind = string | undefined

/** Returns a filter's value in words: a year has no thousands separator. */
export const filterValueText = (value: Value, kind?: Kind): string =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 10_000
    ? shownNumber(withoutPoints, value)
    : cellText(value, kind)

const withoutPoints = new Intl.NumberFormat('pt-BR', { useGrouping: false })

/** Writes a value as its kind says; one of an unknown kind is a moment if it looks like a whole one. */
export const cellText = (value: Value, kind?: Kind): string => {
  if (value === null) return '(em branco)'
  // A list of values has both.
  if (value === '') return '(texto vazio)'
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'number') return exactNumber(value)
  // Digits that no double holds are texts, and so are NaN and infinity.
  if (kind === 'integer' || kind === 'number') return isNumberText(value) ? exactNumber(value) : value
  return dateTextOf(value, kind)
}

/**
 * Writes a day or a moment by the kind of its column. Of an unknown kind, only a whole moment is
 * one: Power BI writes days as instants, and a day alone may be a text.
 */
export const dateTextOf = (value: string, kind: Kind): string => {
  if (kind === undefined) return value.includes('T') ? dateText(value) : value
  return kind === 'date' || kind === 'timestamp' ? dateText(value) : value
}

const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

/** A month, a day or a moment, as answers write them: 0001-12-31 (BC) is a day of the year before 1. */
const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})( \(BC\))?(?:[T ](\d{2}:\d{2})(:\d{2})?.*)?)?$/

/** Writes a date in the format of its column; every other text stays as it is. */
export const formattedDate = (
  value: string,
  format: 'data' | 'mes' | 'dataHora' | 'dataHoraSegundos',
): string => {
  const date = DATE.exec(value)
  if (!date) return value
  const [, given = '', month = '', day, isBefore, clock = '00:00', seconds = ':00'] = date
  const year = isBefore ? `${given} a.C.` : given
  // A year that is missing or mistyped is not one of our time: 0024 is not 24.
  if (format === 'mes' || !day)
    return `${months[Number(month) - 1] ?? month}/${isBefore || given < '1000' ? year : year.slice(2)}`
  const written = `${day}/${month}/${year}`
  if (format === 'data') return written
  return `${written} ${clock}${format === 'dataHora' ? '' : seconds}`
}

/** Writes a whole day, with its time of day if it has one; every other text stays as it is. */
export const dateText = (value: string): string => {
  const date = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2})(:\d{2})?[\d.]*Z?)?$/.exec(value)
  if (!date) return value
  const [, year, month, day, clock = '00:00', seconds = ':00'] = date
  const written = `${day}/${month}/${year}`
  if (seconds !== ':00') return `${written} ${clock}${seconds}`
  return clock === '00:00' ? written : `${written} ${clock}`
}

const conditionText: Record<string, string> = {
  None: '',
  LessThan: 'menor que …',
  LessThanOrEqual: 'no máximo …',
  GreaterThan: 'maior que …',
  GreaterThanOrEqual: 'no mínimo …',
  Contains: 'contém “…”',
  DoesNotContain: 'não contém “…”',
  StartsWith: 'começa com “…”',
  DoesNotStartWith: 'não começa com “…”',
  Is: 'é …',
  IsNot: 'não é …',
  IsBlank: 'está em branco',
  IsNotBlank: 'não está em branco',
  IsEmptyString: 'é texto vazio',
  IsNotEmptyString: 'não é texto vazio',
}

const MAX_VALUES = 4

const joined = (words: string[], last: string, most: number): string => {
  const shown = words.length > most ? [...words.slice(0, 3), `mais ${words.length - 3}`] : words
  if (shown.length < 2) return shown.join('')
  return `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}`
}
