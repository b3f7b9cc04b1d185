import { SAFE_DIGITS } from './column-kind.ts'

/** Returns an integer as a number; beyond ±(2^53 − 1), its digits. */
export const exactInteger = (value: bigint): number | string => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

const SAFE = 10 ** SAFE_DIGITS
/** Greater powers of ten are no exact doubles. */
const EXACT_POWER = 22

/**
 * Returns a decimal, given in units of its last place, as a number; with more than 15 digits, these
 * digits without zeros after the decimal point.
 */
export const exactDecimal = ({ value, scale }: { value: bigint; scale: number }): number | string => {
  const units = Number(value)
  if (Math.abs(units) < SAFE && scale <= EXACT_POWER) return units / 10 ** scale
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const decimals = digits.slice(digits.length - scale).replace(/0+$/, '')
  const text = `${value < 0n ? '-' : ''}${whole}${decimals && `.${decimals}`}`
  return `${whole}${decimals}`.replace(/^0+/, '').length <= SAFE_DIGITS ? Number(text) : text
}

const plain = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 40 })

/** Returns the digits of a JSON number; undefined beyond ±(2^53 − 1), where the last ones are lost. */
export const digitsOf = (value: number): string | undefined =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER ? plain.format(value) : undefined
