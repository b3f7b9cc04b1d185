import { type Chance, weighted } from './random.ts'

/** Days since 1970-01-01, as Parquet stores dates. */
type Day = number

/** `index` 0 is January 2024; `number` is 1 to 12; `days` is their count. */
export type Month = (typeof MONTHS)[number]

const FIRST_YEAR = 2024
const MONTH_COUNT = 34

/** Two full years and the current one, January 2024 to October 2026. */
export const MONTHS = Array.from({ length: MONTH_COUNT }, (_, index) => {
  const year = FIRST_YEAR + Math.floor(index / 12)
  const number = (index % 12) + 1
  const firstDay = dayOf(year, number, 1)
  return { index, year, number, firstDay, days: dayOf(year, number + 1, 1) - firstDay }
})

export function dayOf(year: number, month: number, day: number): Day {
  return Math.floor(Date.UTC(year, month - 1, day) / 86_400_000)
}

/** Returns the day of the week; 0 is Sunday. */
function weekday(day: Day): number {
  return (day + 4) % 7
}

/** Returns a function that draws a day of the month; `weights` are for Sunday to Saturday. */
export function dayPicker(month: Month, weights: readonly number[]): (source: Chance) => Day {
  return weighted(
    Array.from({ length: month.days }, (_, offset) => {
      const day = month.firstDay + offset
      return [day, weights[weekday(day)] ?? 1] as const
    }),
  )
}

/** Returns a seasonal factor, 1 on average and `1 + swing` in the month `peak` (1 to 12). */
export function season(month: Month, peak: number, swing: number): number {
  return 1 + swing * Math.cos((2 * Math.PI * (month.number - peak)) / 12)
}
