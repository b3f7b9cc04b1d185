import { type Capacity, WEEKDAYS, type Weekday } from '@bi-manager/contract'
import { cronTimes, dailyPattern } from '../../platform/lib/recurrence.ts'

export type Schedule = Pick<
  Capacity,
  'diasAgenda' | 'iniciaAs' | 'pausaAs' | 'feriados' | 'tamanhoInicio' | 'tamanhoFim'
>

interface PowerDue {
  acao: 'INICIAR' | 'PAUSAR'
  em: Date
}

interface SizeDue {
  acao: 'REDIMENSIONAR'
  sku: string
  em: Date
}

export type Due = PowerDue | SizeDue

/** Returns the latest start or pause up to `now`; undefined when there is none. */
export const lastDue = (schedule: Schedule, now: Date): PowerDue | undefined =>
  byTime(momentsOf(schedule, 'last', now).filter((due) => due.acao !== 'REDIMENSIONAR')).at(-1)

/** Returns the latest change of the size up to `now`; undefined when there is none. */
export const lastSize = (schedule: Schedule, now: Date): SizeDue | undefined =>
  byTime(momentsOf(schedule, 'last', now).filter((due) => due.acao === 'REDIMENSIONAR')).at(-1)

/** Returns the schedule's next moment after `now`, a start before its size; undefined when there is none. */
export const nextDue = (schedule: Schedule, now: Date): Due | undefined =>
  byTime(momentsOf(schedule, 'next', now))[0]

const byTime = <T extends Due>(moments: T[]): T[] =>
  moments.toSorted((one, other) => one.em.getTime() - other.em.getTime())

/** Returns the next or the last moment of each kind. */
const momentsOf = (schedule: Schedule, direction: 'next' | 'last', now: Date): Due[] => {
  const { diasAgenda, iniciaAs, pausaAs, feriados, tamanhoInicio, tamanhoFim } = schedule
  const timeOf = (time: string | null, days: Weekday[], holidays: string[]) =>
    time && days.length > 0 ? cronTimes(dailyPattern(time, days), { holidays })[direction](now) : undefined
  const sizeAt = (em: Date | undefined, sku: string | null) =>
    em && sku ? [{ acao: 'REDIMENSIONAR' as const, sku, em }] : []
  const isOvernight = iniciaAs !== null && pausaAs !== null && pausaAs < iniciaAs
  const start = timeOf(iniciaAs, diasAgenda, feriados)
  const end = timeOf(pausaAs, isOvernight ? diasAgenda.map(dayAfter) : diasAgenda, [])
  return [
    ...(start ? [{ acao: 'INICIAR' as const, em: start }] : []),
    ...(end && !tamanhoFim ? [{ acao: 'PAUSAR' as const, em: end }] : []),
    ...sizeAt(start, tamanhoInicio),
    ...sizeAt(end, tamanhoFim),
  ]
}

const dayAfter = (day: Weekday): Weekday => WEEKDAYS[WEEKDAYS.indexOf(day) + 1] ?? WEEKDAYS[0]
