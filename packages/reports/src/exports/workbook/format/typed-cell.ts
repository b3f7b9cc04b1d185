import type { NumberStyle } from './styles.ts'

export type Cell = string | number | boolean | null

/** A cell as the file stores it. Nothing here can become a formula. */
export type TypedCell =
  | { text: string }
  | { number: number; style: NumberStyle }
  | { isTrue: boolean }
  | undefined

export type ReadCell = (cell: Cell) => TypedCell

const DAY_SECONDS = 86_400
/** The serial number of 1 January 1970. */
const EPOCH = 25_569
/** 1 March 1900: spreadsheets count a 29 February 1900, which did not exist. */
const FIRST_DAY = 61

interface Day {
  year: number
  /** Counted from 1. */
  month: number
  day: number
}

/** Returns a day's cell; undefined for one that does not exist or that spreadsheets cannot count. */
export const dayCell = (day: Day, style: 'day' | 'month' = 'day'): TypedCell => {
  const days = serialDay(day)
  return days === undefined ? undefined : { number: days, style }
}

/**
 * Returns the cell of a time of day, in seconds since midnight; undefined as for `dayCell`. The styles
 * `day` and `month` only hide the time.
 */
export const timeCell = (
  day: Day,
  seconds: number,
  style: 'instant' | 'instantWithSeconds' | 'day' | 'month' = 'instant',
): TypedCell => {
  const days = serialDay(day)
  return days === undefined ? undefined : { number: days + seconds / DAY_SECONDS, style }
}

/** Returns the cell of a time of day without a day, in seconds since midnight. */
export const clockCell = (seconds: number): TypedCell => ({ number: seconds / DAY_SECONDS, style: 'clock' })

const serialDay = ({ year, month, day }: Day): number | undefined => {
  const date = new Date(0)
  // `Date.UTC` takes years below 100 as those of the last century.
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const serial = date.getTime() / (DAY_SECONDS * 1000) + EPOCH
  return serial >= FIRST_DAY ? serial : undefined
}

/** Returns the cell of an instant, in Brasília's time. */
export const instantCell = (milliseconds: number): TypedCell => {
  const parts = clock.formatToParts(milliseconds)
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return timeCell(
    { year: part('year'), month: part('month'), day: part('day') },
    part('hour') * 3600 + part('minute') * 60 + part('second'),
  )
}

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
