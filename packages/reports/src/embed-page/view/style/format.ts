import { formattedDate } from '@bi-manager/contract/filter-text'
import {
  isNumberText,
  moneyFormat,
  type NumberText,
  notNumberText,
  shownNumber,
} from '@bi-manager/contract/number-text'
import type { Cell } from '../../../wire/embed-contract.ts'
import { isNotNumber, isNumeric, type ShownFormat } from './column-format.ts'

/**
 * Formats a cell in Brazilian Portuguese, in the format of its column (column-format.ts). Without a
 * format, numbers get up to two decimals.
 */
export const formatCell = (value: Cell | undefined, format?: ShownFormat): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (isNotNumber(value)) return notNumberText(value)
  if (format === 'texto') return String(value)
  if (typeof value === 'string' && !isExact(value, format)) return formatText(value, format)
  if (format === 'moedaCurta' || format === 'curto')
    return shownNumber(shortFormat(Number(value), format), value)
  return shownNumber((format && numberFormats[format]) ?? plain, value)
}

/** Formats a value as it is stored: a number has all decimals, unless its format says how many. */
export const formatStored = (value: Cell | undefined, format?: ShownFormat): string => {
  const exact = format ? storedFormats[format] : stored
  const isNumber = isNumeric(value) || (typeof value === 'string' && value !== '' && isExact(value, format))
  return exact && isNumber ? shownNumber(exact, value) : formatCell(value, format)
}

/** Whether a text is a number whose digits no double holds: these have no format of texts or dates. */
const isExact = (text: string, format: ShownFormat | undefined): text is NumberText =>
  (format === undefined || format === 'curto' || format === 'moedaCurta' || format in numberFormats) &&
  isNumberText(text)

/** Returns the number that is written with this format; undefined for a text and for what is not a number. */
const numberIn = (value: Cell, format: ShownFormat | undefined): number | undefined =>
  isNumeric(value) || (typeof value === 'string' && isExact(value, format) && isNumeric(Number(value)))
    ? Number(value)
    : undefined

/** Formats a cell in full where visuals show a short form: for tooltips and tables. */
export const formatInFull = (value: Cell | undefined, format?: ShownFormat): string =>
  formatCell(value, inFull(format))

/** Returns the full format: 'R$ 4,1 mi' becomes R$ 4.147.605,89. */
export const inFull = <Format extends ShownFormat>(format?: Format): Format | 'moeda' | undefined =>
  format === 'moedaCurta' ? 'moeda' : format === 'curto' ? undefined : format

/** Formats a cell, short enough for an axis. */
export const formatAxis = (cell: Cell, format?: ShownFormat): string => {
  const value = numberIn(cell, format)
  if (value === undefined) return formatCell(cell, format)
  if (isMoney(format)) return isPrice(value) ? shownNumber(moneyFormat, value) : shownNumber(axisMoney, value)
  if (format === 'percentual') return shownNumber(axisPercent, value)
  if (Math.abs(value) >= 1000) return shownNumber(axisNumber, value)
  return shownNumber(Math.abs(value) >= 10 ? oneDecimal : plain, value)
}

/** Formats a value at its bar: short, in full up to 9.999, with equal decimals in a chart. */
export const formatLabel = (cell: Cell, format?: ShownFormat): string => {
  const value = numberIn(cell, format)
  if (format === 'percentual' || value === undefined) return formatCell(cell, format)
  if (isMoney(format)) return formatCell(cell, 'moedaCurta')
  const size = Math.abs(value)
  if (size < 1000) return isFixed(format) ? formatCell(value, format) : formatAxis(value, format)
  return formatCell(value, size < 10_000 && format !== 'curto' ? 'inteiro' : 'curto')
}

/**
 * Formats the change from `previous` to `value`: in percentage points for percentages, otherwise
 * relative. Undefined when `previous` is zero.
 */
export const formatChange = (value: number, previous: number, format?: ShownFormat): string | undefined => {
  if (format === 'percentual') return `${shownNumber(points, (value - previous) * 100)} p.p.`
  if (previous === 0) return undefined
  return shownNumber(signedPercent, (value - previous) / Math.abs(previous))
}

export const isMoney = (format?: ShownFormat) => format?.startsWith('moeda') === true

/** Formats with a fixed number of decimals. */
const isFixed = (format?: ShownFormat) => format === 'decimal1' || format === 'decimal2'

/** Returns whether an amount has cents that are shown: below 1000 nothing else could be cut. */
const isPrice = (value: number) => Math.abs(value) < 1000 && !Number.isInteger(value)

/** Two or three digits: R$ 5,0 mi and R$ 32,1 mi, but R$ 421 mil. */
const shortFormat = (value: number, format: 'moedaCurta' | 'curto'): Intl.NumberFormat => {
  const money = format === 'moedaCurta'
  const size = Math.abs(value)
  if (size < 1000) return money ? (isPrice(value) ? moneyFormat : axisMoney) : oneDecimal
  const figures = size / 1000 ** Math.floor(Math.log10(size) / 3)
  // From 99.95 on, rounding to one decimal would give 100,0.
  if (figures >= 99.95) return money ? wholeMoney : wholeNumber
  return money ? shortMoney : shortNumber
}

const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('pt-BR', options)
const money = { style: 'currency', currency: 'BRL' } as const
const compact = { notation: 'compact', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const whole = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 0 } as const
const plain = number({ maximumFractionDigits: 2 })
const [shortMoney, wholeMoney] = [number({ ...money, ...compact }), number({ ...money, ...whole })]
const [shortNumber, wholeNumber] = [number(compact), number(whole)]
const axisMoney = number({ ...money, ...compact, minimumFractionDigits: 0 })
const axisNumber = number({ ...compact, minimumFractionDigits: 0 })
const oneDecimal = number({ maximumFractionDigits: 1 })
const axisPercent = number({ style: 'percent', maximumFractionDigits: 1 })
const points = number({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const signedPercent = number({
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

const numberFormats: Partial<Record<ShownFormat, Intl.NumberFormat>> = {
  inteiro: number({ maximumFractionDigits: 0 }),
  decimal: number({ minimumFractionDigits: 1, maximumFractionDigits: 2 }),
  decimal1: number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  decimal2: number({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  moeda: moneyFormat,
  moedaInteira: number({ ...money, minimumFractionDigits: 0, maximumFractionDigits: 0 }),
  percentual: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
}

/** Digits that Intl writes at most; a double has fewer decimals that matter, and a DECIMAL has 38. */
const allDecimals = { maximumFractionDigits: 38 } as const
const stored = number(allDecimals)
const storedFormats: Partial<Record<ShownFormat, Intl.NumberFormat>> = {
  moeda: number({ ...money, ...allDecimals, minimumFractionDigits: 2 }),
  percentual: number({ style: 'percent', ...allDecimals, minimumFractionDigits: 1 }),
}

const formatText = (value: string, format?: ShownFormat): string =>
  format === 'data' || format === 'mes' || format === 'dataHora' || format === 'dataHoraSegundos'
    ? formattedDate(value, format)
    : value
