import type { Cell } from '../../wire/embed-contract.ts'
import { isInstantType } from '../data/columns/column-kind.ts'
import { startOfDay } from './wall-clock.ts'

/** A time after midnight; years before 1 have a mark before it, and days of them are not searched. */
const LATE = /^(\d{4}-\d\d-\d\d)T(?!00:00:00$)\d\d:\d\d:\d\d(\.\d+)?$/
const MIDNIGHT = /T00:00:00$/

/**
 * Writes the instants of a column at midnight where each is the first of its day: in São Paulo,
 * summer time left out midnight, and that day began at one o'clock. Columns of `date_trunc` have days.
 */
export const withWholeDays = (
  rows: Cell[][],
  columns: readonly { type: string }[],
  timeZone: string,
): Cell[][] => {
  const late = columns.flatMap(({ type }, at) =>
    isInstantType(type) && isOfDays(rows, at, timeZone) ? [at] : [],
  )
  if (late.length === 0) return rows
  return rows.map((row) =>
    row.map((cell, at) =>
      typeof cell === 'string' && late.includes(at) ? cell.replace(/T.*$/, 'T00:00:00') : cell,
    ),
  )
}

/** Whether all instants are the first of their days, some of them after midnight. */
const isOfDays = (rows: Cell[][], at: number, timeZone: string): boolean => {
  let hasLate = false
  for (const row of rows) {
    const cell = row[at] ?? null
    if (cell === null || (typeof cell === 'string' && MIDNIGHT.test(cell))) continue
    const day = typeof cell === 'string' ? LATE.exec(cell)?.[1] : undefined
    if (day === undefined || startOfDay(day, timeZone) !== cell) return false
    hasLate = true
  }
  return hasLate
}
