import type { FormatKind, NumberFormat } from './number-formats.ts'

/** What a cell is, after its type and its number format. `elapsed` and `mask`: see `FormatKind`. */
export type CellKind = FormatKind

/**
 * A text, a code as it is shown, or a number: an amount, 1 for true, hours of a duration, or seconds
 * (of a day, or since 1899-12-30).
 */
export type Cell =
  | { kind: 'text' | 'mask'; value: string }
  /** `format`: how the sheet shows a day or a moment. */
  | { kind: NumericKind; value: number; format?: NumberFormat }
type NumericKind = Exclude<CellKind, 'text' | 'mask'>

/** Why a cell that the file has is empty for the reader. */
export type Gap = 'error' | 'formula' | 'nodate'

export const DAY_S = 86_400
/** The serial number of 9999-12-31, the last day of a spreadsheet. */
const LAST_DAY = 2_958_465
/** Below this serial number, in 1927, a value that is shown as a time is an amount of time. */
const FIRST_MOMENT = 10_000
/** Days between the two ways to count them. */
const DAYS_1904 = 1_462
/** 1899-12-30, from which spreadsheets count days, in milliseconds of `Date`. */
const EPOCH_MS = Date.UTC(1899, 11, 30)

/** Returns what a number means with its format; a gap when the sheet could show no date of it. */
export const numberCell = (value: number, format: NumberFormat, is1904: boolean): Cell | Gap => {
  const { kind } = format
  if (kind === 'number' || kind === 'money' || kind === 'foreign' || kind === 'percent')
    return { kind, value }
  if (kind === 'boolean') return { kind, value: value === 0 ? 0 : 1 }
  // A number that was typed before its cell became text; only whole ones are codes.
  if (kind === 'text')
    return Number.isInteger(value) ? { kind, value: String(value) } : { kind: 'number', value }
  if (kind === 'mask') {
    const shown = format.maskOf?.(value)
    return shown === undefined ? { kind: 'number', value } : { kind, value: shown }
  }
  // A duration is a number of hours. A day is 1, so an hour has no exact number: 8:00 is 0.333….
  if (kind === 'elapsed') return { kind, value: Math.round(value * DAY_S * 1_000) / 3_600_000 }
  if (kind === 'time' && value >= 0 && value < FIRST_MOMENT)
    return { kind, value: Math.round(value * DAY_S) % DAY_S }
  return momentCell(value, format, is1904)
}

const momentCell = (value: number, format: NumberFormat, is1904: boolean): Cell | Gap => {
  const { kind, hasFraction } = format
  // A sheet that counts from 1904 has a day 0; the others show 00/01/1900.
  const serial = is1904 ? value + DAYS_1904 : value
  if (!(value >= 0 && serial >= 1 && serial < LAST_DAY + 1)) return 'nodate'
  // Rounded, never cut: 08:00 is stored as 0.3333333333.
  const seconds = hasFraction ? Math.round(serial * DAY_S * 1_000) / 1_000 : Math.round(serial * DAY_S)
  // Lotus 1-2-3 took 1900 for a leap year, and spreadsheets still count its 29 February.
  if (Math.floor(seconds / DAY_S) === 60) return { kind: 'text', value: '29/02/1900' }
  const counted = seconds < 60 * DAY_S ? seconds + DAY_S : seconds
  return { kind: kind === 'date' && counted % DAY_S === 0 ? 'date' : 'datetime', value: counted, format }
}

const ISO = /^(\d{4}-\d{2}-\d{2})?(?:T?(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?:Z|[+-]\d{2}:?\d{2})?$/

/**
 * Returns what a cell of the type `d` means: a text such as 2026-03-05T14:30:00. It is a local time,
 * even with a zone, since other cells of a sheet have none.
 */
export const isoTextCell = (text: string, format: NumberFormat): Cell | Gap => {
  const [, day, time] = ISO.exec(text.trim()) ?? []
  const at = new Date(`${day ?? '1899-12-30'}T${time ?? '00:00'}Z`)
  if ((!day && !time) || Number.isNaN(at.getTime())) return 'nodate'
  // `Date` makes 3 March of 31 February, and the next day of 24:00.
  if (day && !at.toISOString().startsWith(day)) return 'nodate'
  const seconds = Math.round((at.getTime() - EPOCH_MS) / 1_000)
  if (!day) return { kind: 'time', value: seconds % DAY_S }
  const isDay = seconds % DAY_S === 0 && (!time || format.kind !== 'datetime')
  return { kind: isDay ? 'date' : 'datetime', value: seconds, format }
}

/** Writes a cell in the notation of columns whose type is known: 1234.5, 2026-03-05, 08:00, true. */
export const canonicalText = ({ kind, value }: Cell): string => {
  if (kind === 'boolean') return value ? 'true' : 'false'
  if (kind === 'date') return dayOf(value)
  if (kind === 'datetime') return `${dayOf(value)} ${clockOf(value)}`
  return kind === 'time' ? timeText(value) : String(value)
}

/**
 * Writes a cell of a column that mixes kinds, as Brazilian spreadsheets show it. A number has all of
 * its digits: rounded by its format, it would be another one.
 */
export const shownText = ({ kind, value }: Cell): string => {
  switch (kind) {
    case 'text':
    case 'mask':
      return value
    case 'number':
    case 'foreign':
      return plainPt(value)
    case 'money':
      return `R$ ${plainPt(value)}`
    case 'percent':
      // 0.07 × 100 is 7.000000000000001.
      return `${plainPt(Number((value * 100).toPrecision(15)))}%`
    case 'boolean':
      return value ? 'VERDADEIRO' : 'FALSO'
    case 'time':
      return timeText(value)
    case 'elapsed':
      return elapsedText(value)
    default: {
      const day = dayOf(value).split('-').toReversed().join('/')
      return kind === 'date' ? day : `${day} ${clockOf(value)}`
    }
  }
}

/** Writes a cell of a heading, where a day is shown by its number format: 'jan/26'. */
export const headingText = (cell: Cell): string => {
  const { kind, value } = cell
  const isMoment = kind === 'date' || kind === 'datetime'
  const shown = isMoment ? cell.format?.momentText?.(new Date(EPOCH_MS + value * 1_000)) : undefined
  return shown || shownText(cell)
}

const plainPt = (value: number): string => String(value).replace('.', ',')

const days = new Map<number, string>()

/** Returns the day of a moment, as 2026-03-05. */
const dayOf = (seconds: number): string => {
  const day = Math.floor(seconds / DAY_S)
  let text = days.get(day)
  if (text === undefined) {
    text = new Date(EPOCH_MS + day * DAY_S * 1_000).toISOString().slice(0, 10)
    days.set(day, text)
  }
  return text
}

/** Returns the time of a moment, as 08:00:00 or 08:00:00.250. */
const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const rest = Math.round((seconds - whole) * 1_000)
  const time = `${timeOf(whole % DAY_S)}:${two(whole % 60)}`
  return rest ? `${time}.${String(rest).padStart(3, '0')}` : time
}

/** A time of day has no seconds without any, whatever its format: equal times are equal texts. */
const timeText = (seconds: number): string =>
  seconds % 60 ? `${timeOf(seconds)}:${two(seconds % 60)}` : timeOf(seconds)

const timeOf = (seconds: number): string =>
  `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}`

const elapsedText = (hours: number): string => {
  const seconds = Math.round(Math.abs(hours) * 3_600)
  const text = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}`
  return `${hours < 0 ? '-' : ''}${text}${seconds % 60 ? `:${two(seconds % 60)}` : ''}`
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))
