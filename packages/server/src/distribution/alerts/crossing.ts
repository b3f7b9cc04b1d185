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

export interface Decision {
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
export const decide = (alert: Watched, { isPresent, valor }: Reading): Decision => {
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
  const change = Math.abs(valor - referencia)
  // Any change from zero is more than each percentage of it.
  return percentual ? change > 0 && change >= (Math.abs(referencia) * limite) / 100 : change >= limite
}
