/*
 * Numbers in Portuguese, for the report service, the embedded page and the portal. Nothing is
 * imported, which keeps the embedded page small.
 */

/** A number as text: its digits where no double holds them, or NaN or infinity, which JSON has not. */
export type NumberText = Intl.StringNumericLiteral | 'NaN'

export const isNumberText = (text: string): text is NumberText =>
  /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/.test(text)

/**
 * Formats a number for files and fields, which know the hyphen. One that rounds to zero has no sign,
 * and what is not a number is said so.
 */
export const numberText = (format: Intl.NumberFormat, value: number | NumberText): string => {
  const number = Number(value)
  if (value === 'NaN' || !Number.isFinite(number)) return notNumberText(number)
  const text = format.format(value)
  return /[1-9]/.test(text) ? text : text.replace(/[-+]/, '')
}

/** Formats a number for a reader: with the minus sign, not the hyphen that files and programs have. */
export const shownNumber = (format: Intl.NumberFormat, value: number | NumberText): string =>
  numberText(format, value).replace('-', '−')

/** Amounts with their cents. */
export const moneyFormat = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

const allDigits = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 40 })
/** Tells each double from all others. */
const doubleDigits = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 17 })

/** Writes a number for a reader with all its digits, for sentences about a filter or a limit. */
export const exactNumber = (value: number | NumberText): string =>
  shownNumber(typeof value === 'number' ? doubleDigits : allDigits, value)

/** Names the results of a division by zero, which have no digits. */
export const notNumberText = (value: number): string => {
  if (Number.isNaN(value)) return 'não é um número'
  return value > 0 ? 'infinito' : '−infinito'
}
