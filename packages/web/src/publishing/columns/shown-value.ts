import { type DataColumn, isNumberText, moneyFormat, shownNumber } from '@bi-manager/contract'
import { textOfDay } from '../../ui/day-field/day-text.ts'

const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 6 })
const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 4 })

/** Characters of a text; the sample shows what a column holds, not its longest value. */
const LONGEST = 120

/** Whether some moment of the sample has seconds: then all show them, as in a report. */
export const hasSeconds = (values: (string | null | undefined)[]): boolean =>
  values.some((value) => value && !/^(.{16}:00)?$/.test(value.slice(0, 19)))

/**
 * Returns a value of the sample as a Brazilian reader writes it.
 * @param withSeconds whether moments show their seconds
 */
export const shownValue = (value: string, column: DataColumn | undefined, withSeconds = false): string => {
  if (column?.tipo === 'DATA') return textOfDay(value)
  if (column?.tipo === 'DATA_HORA')
    return `${textOfDay(value.slice(0, 10))} ${value.slice(11, withSeconds ? 19 : 16)}`
  if (column?.tipo === 'LOGICO') return value === 'true' ? 'Sim' : 'Não'
  if (column?.tipo !== 'NUMERO') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  const shown = { MOEDA: moneyFormat, PERCENTUAL: percent }
  const format = column.notacao ? shown[column.notacao] : number
  return shownNumber(format, isNumberText(value) ? value : Number(value))
}
