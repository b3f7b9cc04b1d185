import type { Column } from '../data/catalog.ts'
import { digitsOf } from '../data/columns/exact-cells.ts'

/** A number as text, and the type as which a database compares it. */
type ExactValue = { text: string; type: string }

/**
 * Returns a filter's value for a column of integers or decimals, compared digit by digit. Undefined
 * for all other columns, for a value that this column cannot have, and for a JSON number beyond
 * ±(2^53 − 1), whose last digits are lost.
 * @param value a JSON number, or a text of digits with a decimal point
 */
export const readExact = ({ type }: Column, value: string | number | boolean): ExactValue | undefined => {
  const [, precision, scale] = DECIMAL.exec(type) ?? []
  const range = RANGES[type]
  if (!range && precision === undefined) return undefined
  const text = typeof value === 'number' ? digitsOf(value) : String(value)
  if (text === undefined) return undefined
  const digits = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text)
  // NaN and infinity.
  if (!digits) return undefined
  const [, sign = '', whole = '', decimals = ''] = digits
  const exact = { text: `${sign}${whole || '0'}${decimals && `.${decimals}`}`, type }
  if (!range) {
    const isWithin = decimals.length <= Number(scale) && whole.length <= Number(precision) - Number(scale)
    return isWithin ? exact : undefined
  }
  if (decimals) return undefined
  const integer = BigInt(exact.text)
  return integer >= range[0] && integer <= range[1] ? exact : undefined
}

/** Whether a column has integers or decimals, whose digits are all known. */
export const hasDigits = ({ type }: Column): boolean => RANGES[type] !== undefined || DECIMAL.test(type)

const DECIMAL = /^DECIMAL\((\d+),(\d+)\)$/

type Range = readonly [least: bigint, greatest: bigint]
const signed = (bits: bigint): Range => [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
const unsigned = (bits: bigint): Range => [0n, 2n ** bits - 1n]

const RANGES: Partial<Record<string, Range>> = {
  TINYINT: signed(8n),
  SMALLINT: signed(16n),
  INTEGER: signed(32n),
  BIGINT: signed(64n),
  HUGEINT: signed(128n),
  UTINYINT: unsigned(8n),
  USMALLINT: unsigned(16n),
  UINTEGER: unsigned(32n),
  UBIGINT: unsigned(64n),
  UHUGEINT: unsigned(128n),
}
