import { durationSentence, type KnownColumn, type TextForm } from '../data/csv/known-columns.ts'
import { type Cell, type CellKind, DAY_S, type Gap } from './cell-values.ts'
import { columnLetters, type SheetRow } from './sheet-rows.ts'

/** How a column is written: its known type, or as texts whose notation is still to be detected. */
interface ColumnPlan {
  known: KnownColumn | undefined
  /** Cells are written as the sheet shows them. */
  asShown: boolean
  /** This includes numbers with decimals: their comma shows nothing about the texts of the sheet. */
  hasOwnCommas: boolean
  /** This includes dates: their order shows nothing about the texts of the sheet. */
  hasOwnDates: boolean
}

/** What the cells of one column are. */
interface Found {
  counts: Map<CellKind, number>
  /** The row of the first cell of each kind. */
  firsts: Map<CellKind, number>
  isWhole: boolean
  isLong: boolean
  /** A number is shown with decimals. */
  hasDecimals: boolean
  /** A moment is not at midnight. */
  hasTimes: boolean
}

type Place = { count: number; first: string }

/** Integers up to here have all of their digits; spreadsheets keep 15. */
const MAX_DIGITS = 1e15

/** Collects what the cells of a sheet are, row by row. */
export const createColumnKinds = () => {
  const columns = new Map<number, Found>()
  const gaps = new Map<Gap, Place>()
  let hiddenRows = 0
  let rows = 0

  function add(column: number, { kind, value }: Cell, row: number) {
    let found = columns.get(column)
    if (!found) {
      found = {
        counts: new Map(),
        firsts: new Map(),
        isWhole: true,
        isLong: false,
        hasDecimals: false,
        hasTimes: false,
      }
      columns.set(column, found)
    }
    const count = found.counts.get(kind) ?? 0
    if (count === 0) found.firsts.set(kind, row)
    found.counts.set(kind, count + 1)
    if (kind === 'money' || kind === 'foreign' || kind === 'percent')
      found.hasDecimals ||= !isWholeAmount(value, kind)
    if (kind === 'datetime' && value % DAY_S !== 0) found.hasTimes = true
    if (kind !== 'number') return
    if (!Number.isSafeInteger(value)) found.isWhole = false
    if (!Number.isInteger(value)) found.hasDecimals = true
    if (Math.abs(value) >= MAX_DIGITS && Number.isInteger(value)) found.isLong = true
  }

  return {
    add(row: SheetRow) {
      if (row.cells.size > 0) {
        rows++
        if (row.isHidden) hiddenRows++
      }
      for (const [column, cell] of row.cells) add(column, cell, row.number)
      for (const [column, gap] of row.gaps) {
        const place = gaps.get(gap)
        if (place) place.count++
        else gaps.set(gap, { count: 1, first: `${columnLetters(column)}${row.number}` })
      }
    },
    rows: () => rows,
    /** The columns with a value, from 0. */
    columns: () => [...columns.keys()],
    /** `form`: its cells become texts, whatever they are. */
    planOf: (column: number, form: TextForm | undefined): ColumnPlan => planOf(columns.get(column), form),
    /** Whether some cells of a column are neither texts nor codes. */
    hasValues: (column: number): boolean => {
      const found = columns.get(column)
      return found !== undefined && !consistsOf(found, CODES)
    },
    /** Sentences about a column, under its name. */
    noticesOf: (column: number, name: string, isText: boolean): string[] =>
      noticesOf(columns.get(column), column, name, isText),
    /** A sentence about a column that mixes kinds; undefined for others. */
    mixtureOf: (column: number, name: string): string | undefined =>
      mixtureOf(columns.get(column), column, name),
    /** Sentences about cells that are empty, and about hidden rows. */
    notices: (): string[] => [...gapNotices(gaps), ...hiddenNotice(hiddenRows)],
  }
}

const NUMBERS = new Set<CellKind>(['number', 'money', 'foreign', 'percent'])
const MOMENTS = new Set<CellKind>(['date', 'datetime'])
const CODES = new Set<CellKind>(['mask', 'time', 'text'])

const isWholeAmount = (value: number, kind: 'money' | 'foreign' | 'percent'): boolean =>
  Number.isInteger(kind === 'percent' ? Number((value * 100).toPrecision(15)) : value)

const consistsOf = ({ counts }: Found, kinds: ReadonlySet<CellKind>): boolean =>
  [...counts.keys()].every((kind) => kinds.has(kind))

const planOf = (found: Found | undefined, form: TextForm | undefined): ColumnPlan => {
  const plan = (known?: KnownColumn, asShown = false): ColumnPlan => ({
    known,
    asShown,
    hasOwnCommas: false,
    hasOwnDates: false,
  })
  if (!found) return plan()
  const has = (kind: CellKind) => found.counts.has(kind)
  // The text of a cell is the same whatever the other cells of the column are.
  if (form) return plan({ type: 'text' }, form === 'shown')
  if (consistsOf(found, NUMBERS)) {
    if (has('percent'))
      return plan({
        type: 'number',
        ...(found.counts.size === 1 ? { shownAs: 'percent' } : { isPartlyPercent: true }),
      })
    if (has('foreign')) return plan({ type: 'number', shownAs: 'foreign' })
    if (has('money')) return plan({ type: 'number', shownAs: 'money' })
    return plan({ type: found.isWhole ? 'integer' : 'number' })
  }
  if (consistsOf(found, MOMENTS)) {
    // Days beside days at midnight are days.
    const areDays = has('date') && !found.hasTimes
    return plan({ type: areDays ? 'date' : 'timestamp' })
  }
  if (found.counts.size === 1 && has('elapsed')) return plan({ type: 'number' })
  if (found.counts.size === 1 && has('boolean')) return plan({ type: 'boolean' })
  // The notation of codes is not detected: without leading zeros, one would pass for a number.
  if (has('mask') || has('time')) return plan({ type: 'text' }, true)
  return {
    known: undefined,
    asShown: true,
    hasOwnCommas: found.hasDecimals,
    hasOwnDates: has('date') || has('datetime'),
  }
}

const noticesOf = (found: Found | undefined, column: number, name: string, isText: boolean): string[] => {
  if (!found) return []
  const notices: string[] = []
  const only = (kind: CellKind) => found.counts.size === 1 && found.counts.has(kind)
  if (only('elapsed') && !isText) notices.push(durationSentence(name))
  if (only('time')) notices.push(`a coluna ${name} tem horas do dia, que ficam como texto: 08:30`)
  if (consistsOf(found, NUMBERS) && found.counts.has('percent') && found.counts.size > 1 && !isText)
    notices.push(`a coluna ${name} mistura ${placesOf(found, column)}, e fica como número: 8% vira 0,08`)
  if (found.counts.has('foreign') && consistsOf(found, NUMBERS) && !found.counts.has('percent') && !isText)
    notices.push(
      found.counts.has('money')
        ? `a coluna ${name} mistura ${placesOf(found, column)}, e fica como número, sem moeda: as somas juntam moedas diferentes`
        : `a coluna ${name} tem valores em outra moeda que o real, e fica como número, sem moeda`,
    )
  if (found.isLong && consistsOf(found, NUMBERS))
    notices.push(
      `a coluna ${name} tem números com mais de 15 algarismos, que a planilha arredonda: se são códigos, formate a coluna como texto e digite-os de novo`,
    )
  return notices
}

const mixtureOf = (found: Found | undefined, column: number, name: string): string | undefined => {
  if (!found || found.counts.size < 2) return undefined
  if (consistsOf(found, NUMBERS) || consistsOf(found, MOMENTS)) return undefined
  // Texts among codes are codes too.
  if (consistsOf(found, CODES) && !(found.counts.has('mask') && found.counts.has('time'))) return undefined
  return `a coluna ${name} fica como texto, porque mistura ${placesOf(found, column)}`
}

const KIND_NAMES: Record<CellKind, string> = {
  text: 'textos',
  number: 'números',
  money: 'valores em R$',
  foreign: 'valores em outra moeda',
  percent: 'percentuais',
  boolean: 'valores lógicos',
  date: 'datas',
  datetime: 'datas com hora',
  time: 'horas',
  elapsed: 'durações',
  mask: 'códigos',
}

const list = new Intl.ListFormat('pt-BR')

/** 'números (desde B2) e textos (desde B7)' */
const placesOf = ({ firsts }: Found, column: number): string =>
  list.format([...firsts].map(([kind, row]) => `${KIND_NAMES[kind]} (desde ${columnLetters(column)}${row})`))

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}`

const gapNotices = (gaps: Map<Gap, Place>): string[] => {
  const said = (gap: Gap, one: string, many: string, more: string) => {
    const found = gaps.get(gap)
    return found ? [`${counted(found.count, one, many)} (${firstOf(found)})${more}`] : []
  }
  return [
    ...said(
      'error',
      'célula com erro de fórmula ficou vazia',
      'células com erro de fórmula ficaram vazias',
      '',
    ),
    ...said(
      'formula',
      'fórmula sem valor gravado ficou vazia',
      'fórmulas sem valor gravado ficaram vazias',
      ': abra a planilha no Excel e salve-a, para que ele as calcule',
    ),
    ...said(
      'nodate',
      'célula com formato de data e um número que não é uma data ficou vazia',
      'células com formato de data e um número que não é uma data ficaram vazias',
      '',
    ),
  ]
}

const firstOf = ({ count, first }: Place): string => (count === 1 ? first : `a primeira é ${first}`)

const hiddenNotice = (rows: number): string[] =>
  rows > 0
    ? [
        `${counted(rows, 'linha oculta, por um filtro ou à mão, foi lida', 'linhas ocultas, por um filtro ou à mão, foram lidas')} com as outras`,
      ]
    : []
