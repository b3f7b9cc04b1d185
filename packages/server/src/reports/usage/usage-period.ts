import type { USAGE_DAYS } from '@bi-manager/contract'
import { dayOf } from '../../platform/lib/local-time.ts'

/** A period up to today, in ISO days of America/Sao_Paulo. */
export interface Period {
  de: string
  ate: string
  /** The first day of the first whole month of the period; days before it are summed singly. */
  mesesDesde: string
  /** Whether the period is made of months. */
  porMes: boolean
}

/** Returns the last days up to today; for 365, the current month and the eleven before it. */
export const periodOf = (now: Date, dias: (typeof USAGE_DAYS)[number]): Period => {
  const ate = dayOf(now)
  const porMes = dias === 365
  const [year = 0, month = 0, day = 0] = ate.split('-').map(Number)
  const de = porMes ? isoDay(year, month - 12, 1) : isoDay(year, month - 1, day - dias + 1)
  const [firstYear = 0, firstMonth = 0, firstDay = 0] = de.split('-').map(Number)
  const mesesDesde = firstDay === 1 ? de : isoDay(firstYear, firstMonth, 1)
  return { de, ate, mesesDesde, porMes }
}

/** Returns the day before today by so many days. */
export const daysBefore = (now: Date, days: number): string => {
  const [year = 0, month = 0, day = 0] = dayOf(now).split('-').map(Number)
  return isoDay(year, month - 1, day - days)
}

/** @param month from 0, as Date counts; months and days outside their range carry over */
const isoDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
