import type { AlertCondition, AlertOutcome, AlertState } from '@bi-manager/contract'

/** What was read: `valor` is null for an empty cell, and for one that is no number. */
export interface Reading {
  isPresent: boolean
  valor: number | null
}

interface Watched {
  condicao: AlertCondition
  limite: number | null
  percentual: boolean
  estado: AlertState
  /** The last value. */
  valor: number | null
  /** The value with which 'VARIOU' compares. */
  referencia: number | null
}

interface Decision {
  resultado: Extract<AlertOutcome, 'INICIAL' | 'NORMAL' | 'CRUZOU' | 'CONTINUA' | 'SEM_VALOR'>
  estado: AlertState
  /** The value with which the new one was compared. */
  anterior: number | null
  referencia: number | null
}

/**
 * Decides what a new value means. A crossing happens when a condition that was not met is met. With
 * `VARIOU`, each change by the limit is a crossing, and the next change is measured from its value.
 */
export const decideOutcome = (alert: Watched, { isPresent, valor }: Reading): Decision => {
  const { condicao, estado, referencia } = alert
  const anterior = condicao === 'VARIOU' ? referencia : alert.valor
  // An empty cell is neither above nor below: the state stays until there is a value again.
  if (valor === null && condicao !== 'AUSENTE')
    return { resultado: 'SEM_VALOR', estado, anterior, referencia }
  const isMet = isConditionMet(alert, { isPresent, valor })
  const next = isMet ? ('ATINGIDA' as const) : ('NORMAL' as const)
  if (estado === 'AGUARDA') return { resultado: 'INICIAL', estado: next, anterior: null, referencia: valor }
  if (!isMet) return { resultado: 'NORMAL', estado: next, anterior, referencia }
  if (condicao === 'VARIOU') return { resultado: 'CRUZOU', estado: next, anterior, referencia: valor }
  return { resultado: estado === 'ATINGIDA' ? 'CONTINUA' : 'CRUZOU', estado: next, anterior, referencia }
}

const isConditionMet = (alert: Watched, { isPresent, valor }: Reading): boolean => {
  const { condicao, percentual, referencia } = alert
  const limite = alert.limite ?? 0
  if (condicao === 'AUSENTE') return !isPresent
  if (valor === null) return false
  if (condicao === 'ACIMA') return valor > limite
  if (condicao === 'ABAIXO') return valor < limite
  if (referencia === null) return false
  return hasChangedBy(limite, { valor, referencia, percentual })
}

/**
 * Compares decimal digits: as doubles, 1.21 − 1.1 is less than 10% of 1.1. Any change from zero is
 * more than each percentage of it.
 */
function hasChangedBy(
  limite: number,
  { valor, referencia, percentual }: { valor: number; referencia: number; percentual: boolean },
): boolean {
  const [value, before, limit] = [valor, referencia, limite].map(decimalOf) as [Decimal, Decimal, Decimal]
  const places = Math.max(value.places, before.places, limit.places, 0)
  const at = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own)
  const change = magnitude(at(value) - at(before))
  if (!percentual) return change >= at(limit)
  // Both sides have the places twice, and the hundredths once.
  return change > 0n && change * 100n * 10n ** BigInt(places) >= magnitude(at(before)) * at(limit)
}

/** A number as digits × 10^−places. */
interface Decimal {
  digits: bigint
  places: number
}

/** Returns the decimal that a double is written as. @param number a finite number */
function decimalOf(number: number): Decimal {
  const [text = '', exponent = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
