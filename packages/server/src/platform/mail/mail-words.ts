import { dayText, timeText } from '../lib/local-time.ts'

/** Puts a name on one line, without control and format characters. */
export const oneLine = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 120)

/** Anyone may type any name and e-mail: an address as name would reach strangers as a link. */
const looksLikeAddress = /[/\\:@]|\.\S/

/** Returns a typed name on one line; '' when it looks like an address. */
export const harmlessName = (name: string): string => {
  const shown = oneLine(name)
  return looksLikeAddress.test(shown) ? '' : shown
}

export const greeting = (name: string): string => {
  const shown = harmlessName(name)
  return shown === '' ? 'Olá!' : `Olá, ${shown}!`
}

/** @example '1 dia', '10 minutos' */
export const count = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`

/** @example '31/01/2026 às 20:30 (horário de Brasília)' */
export const inBrasilia = (instant: string): string => {
  const at = new Date(instant)
  return `${dayText(at)} às ${timeText(at)} (horário de Brasília)`
}
