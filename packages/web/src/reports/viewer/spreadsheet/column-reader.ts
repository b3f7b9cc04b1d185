import {
  dayCell,
  type NumberStyle,
  type ReadCell,
  type TypedCell,
  timeCell,
} from '@bi-manager/contract/workbook'

/** Reads a text in one notation, such as 1.234,56; undefined when it is not written in it. */
type Reading = (text: string) => TypedCell

/**
 * Returns the reader of a column of Power BI's CSV, which does not name its notation. A column is typed
 * when at least one notation fits all its texts, and all fitting ones give the same values: 1.234,56
 * fits one; 1.234 may be two numbers, and 12/05/2026 two days. Every other column is text.
 */
export const columnReader = (column: readonly string[]): ReadCell => {
  const texts = [...new Set(column.map((text) => text.trim()).filter((text) => text !== ''))]
  const fitting = readings.flatMap((reading) => {
    const cells = valuesBy(reading, texts)
    return cells ? [{ reading, said: JSON.stringify(cells) }] : []
  })
  const [first, ...others] = fitting
  const isClear = texts.length > 0 && others.every(({ said }) => said === first?.said)
  return (cell) => {
    const text = String(cell ?? '')
    if (text === '') return undefined
    return (isClear ? first?.reading(text.trim()) : undefined) ?? { text }
  }
}

const valuesBy = (reading: Reading, texts: readonly string[]): TypedCell[] | undefined => {
  const cells: TypedCell[] = []
  for (const text of texts) {
    const cell = reading(text)
    if (!cell) return undefined
    cells.push(cell)
  }
  return cells
}

/** Most digits of a number without separators (longer ones are codes), and with them (precision). */
const [PLAIN_DIGITS, MAX_DIGITS] = [11, 15]

/** A sign and the currency before the digits, a percent sign behind them. */
const AROUND = /^(-?)(R\$\s*)?(-?)(\d[\d.,]*?)(\s*%)?$/

const numberWith = (group: ',' | '.', point: ',' | '.'): Reading => {
  const plain = new RegExp(`^(0|[1-9]\\d*)(?:\\${point}(\\d+))?$`)
  const grouped = new RegExp(`^([1-9]\\d{0,2}(?:\\${group}\\d{3})+)(?:\\${point}(\\d+))?$`)
  return (text) => {
    const [, sign, currency, inner, digits = '', percent] = AROUND.exec(text) ?? []
    if ((sign && inner) || (currency && percent)) return undefined
    const isPlain = plain.test(digits)
    const [, whole = '', decimals] = (isPlain ? plain : grouped).exec(digits) ?? []
    const units = whole.replaceAll(group, '')
    if (!units || units.length > (isPlain ? PLAIN_DIGITS : MAX_DIGITS)) return undefined
    // The exponent moves the decimal mark; dividing by 100 would change the last digit.
    const size = Number(`${units}.${decimals ?? '0'}${percent ? 'e-2' : ''}`)
    const number = sign || inner ? -size : size
    if (percent) return { number, style: 'percent' }
    if (currency) return { number, style: decimals === undefined ? 'wholeMoney' : 'money' }
    return { number, style: numberStyle(isPlain, decimals) }
  }
}

const numberStyle = (isPlain: boolean, decimals = ''): NumberStyle => {
  if (decimals.length === 2) return 'twoDecimals'
  if (isPlain) return 'general'
  return decimals === '' ? 'whole' : 'decimal'
}

const TIME = '(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.0+)?)?(?: ([AP])M)?)?'

const dateAs = (day: string, order: readonly ('year' | 'month' | 'day')[]): Reading => {
  const pattern = new RegExp(`^${day}${TIME}$`, 'i')
  return (text) => {
    const match = pattern.exec(text)
    if (!match) return undefined
    const part = (name: (typeof order)[number]) => Number(match[order.indexOf(name) + 1])
    const date = { year: part('year'), month: part('month'), day: part('day') }
    const [hour, minute, second = '0', half] = match.slice(4)
    if (hour === undefined) return dayCell(date)
    const isOfClock = half ? Number(hour) >= 1 && Number(hour) <= 12 : Number(hour) < 24
    if (!isOfClock || Number(minute) > 59 || Number(second) > 59) return undefined
    const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : Number(hour)
    const seconds = hours * 3600 + Number(minute) * 60 + Number(second)
    // Power BI has no type for a day alone: midnight is one.
    return seconds === 0 ? dayCell(date) : timeCell(date, seconds)
  }
}

const truth: Reading = (text) => (/^(true|false)$/i.test(text) ? { isTrue: /^t/i.test(text) } : undefined)

const readings: readonly Reading[] = [
  numberWith(',', '.'),
  numberWith('.', ','),
  dateAs('(\\d{4})-(\\d{2})-(\\d{2})', ['year', 'month', 'day']),
  dateAs('(\\d{1,2})/(\\d{1,2})/(\\d{4})', ['day', 'month', 'year']),
  dateAs('(\\d{1,2})/(\\d{1,2})/(\\d{4})', ['month', 'day', 'year']),
  truth,
]
