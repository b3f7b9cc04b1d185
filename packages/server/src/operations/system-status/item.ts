import type { SystemState } from '@bi-manager/contract'

export interface Item {
  estado: SystemState
  frase: string
}

const order = ['ok', 'atencao', 'falha'] as const

/** Returns `desconhecido` only when no other state is known. */
export const worstOf = (items: readonly Pick<Item, 'estado'>[]): SystemState => {
  const ranks = items.flatMap(({ estado }) => (estado === 'desconhecido' ? [] : order.indexOf(estado)))
  if (ranks.length === 0) return items.length === 0 ? 'ok' : 'desconhecido'
  return order[Math.max(...ranks)] ?? 'ok'
}

/** Sorts items that need action first. */
export const byUrgency = (a: Item, b: Item): number => urgency.indexOf(a.estado) - urgency.indexOf(b.estado)
const urgency: SystemState[] = ['falha', 'atencao', 'desconhecido', 'ok']

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Returns '3 minutos', '1 hora', '2 dias': whole units of a duration in milliseconds. */
export const spanText = (milliseconds: number): string => {
  const [size, one, many] =
    milliseconds < hour
      ? ([minute, 'minuto', 'minutos'] as const)
      : milliseconds < day
        ? ([hour, 'hora', 'horas'] as const)
        : ([day, 'dia', 'dias'] as const)
  const n = Math.floor(milliseconds / size)
  return `${n} ${n === 1 ? one : many}`
}
