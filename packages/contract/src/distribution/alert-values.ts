import { dateText, dateTextOf, formattedDate } from '../reports/filter-text.ts'
import {
  exactNumber,
  isNumberText,
  moneyFormat,
  type NumberText,
  shownNumber,
} from '../reports/number-text.ts'
import type { Alert, AlertCell, AlertForm } from './alerts.ts'

const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 2 })
/** A typed percentage was divided by 100, which may have changed the last digits of the double. */
const exactPercent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumSignificantDigits: 15 })
const exactMoney = new Intl.NumberFormat('pt-BR', {
  style: 'currency',
  currency: 'BRL',
  minimumFractionDigits: 2,
  maximumFractionDigits: 20,
})
/** A year has no separator, and a key keeps its digits. */
const digits = new Intl.NumberFormat('pt-BR', { useGrouping: false, maximumSignificantDigits: 17 })
/** For texts of digits, which no double holds. */
const allDigits = new Intl.NumberFormat('pt-BR', { useGrouping: false, maximumFractionDigits: 40 })
const allDigitsPercent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 40 })

/** Returns the value of an alert as the report's column shows it, on screens and in messages. */
export const alertValueText = (value: number, formato: string | null): string => {
  if (formato === 'percentual') return shownNumber(percent, value)
  if (formato === 'inteiro') return shownNumber(whole, value)
  return shownNumber(formato?.startsWith('moeda') ? moneyFormat : plain, value)
}

/**
 * Returns the limit of an alert with the digits that were typed, since a rounded one would be another
 * condition: '10%' for a variation in per cent.
 */
export const alertLimitText = ({
  limite,
  percentual,
  formato,
}: Pick<Alert, 'limite' | 'percentual' | 'formato'>): string => {
  const value = limite ?? 0
  if (percentual) return `${exactNumber(value)}%`
  if (formato === 'percentual') return shownNumber(exactPercent, value)
  return formato?.startsWith('moeda') ? shownNumber(exactMoney, value) : exactNumber(value)
}

/**
 * Returns a cell of the row that an alert watches, with all its digits: it tells the row from others.
 * @param form undefined for alerts of earlier versions
 */
export const alertCellText = (cell: AlertCell, form?: AlertForm): string => {
  if (cell === null || cell === '') return 'vazio'
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não'
  const { tipo, formato } = form ?? { tipo: null, formato: null }
  if (typeof cell === 'number') return exactCell(cell, formato)
  if (tipo === 'integer' || tipo === 'number') return isNumberText(cell) ? exactCell(cell, formato) : cell
  // An author may declare that a text is a date.
  if (formato === 'mes' || formato === 'data') return formattedDate(cell, formato)
  if (formato === 'texto') return cell
  return tipo === 'timestamp' ? momentText(cell) : dateTextOf(cell, tipo ?? undefined)
}

const exactCell = (cell: number | NumberText, formato: string | null): string => {
  const isDouble = typeof cell === 'number'
  if (formato === 'percentual') return shownNumber(isDouble ? exactPercent : allDigitsPercent, cell)
  if (formato?.startsWith('moeda')) return shownNumber(exactMoney, cell)
  return shownNumber(isDouble ? digits : allDigits, cell)
}

/** Another row of the column has a time of day, so that of midnight is written too. */
const momentText = (cell: string): string =>
  /T00:00:00$/.test(cell) ? `${dateText(cell)} 00:00` : dateText(cell)
