import { type Capacity, WEEKDAYS, type Weekday } from '@bi-manager/contract'
import { Cron } from 'croner'
import { dayOf } from '../../platform/lib/local-time.ts'

const timezone = 'America/Sao_Paulo'

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
  latest(powersOf(schedule, timesUntil(schedule, now)))

/** Returns the latest change of the size up to `now`; undefined when there is none. */
export const lastSize = (schedule: Schedule, now: Date): SizeDue | undefined =>
  latest(sizesOf(schedule, timesUntil(schedule, now)))

/** Returns the schedule's next moment after `now`, a start before its size; undefined when there is none. */
export const nextDue = (schedule: Schedule, now: Date): Due | undefined => {
  const times = timesOf(schedule, (cron, count) => cron.nextRuns(count, now))
  return [...powersOf(schedule, times), ...sizesOf(schedule, times)].toSorted(
    (one, other) => one.em.getTime() - other.em.getTime(),
  )[0]
}

const latest = <T extends Due>(moments: T[]): T | undefined =>
  moments.toSorted((one, other) => other.em.getTime() - one.em.getTime())[0]

interface Times {
  starts: Date[]
  ends: Date[]
}

const powersOf = ({ tamanhoFim }: Schedule, { starts, ends }: Times): PowerDue[] => [
  ...starts.map((em) => ({ acao: 'INICIAR' as const, em })),
  ...(tamanhoFim ? [] : ends.map((em) => ({ acao: 'PAUSAR' as const, em }))),
]

const sizesOf = ({ tamanhoInicio, tamanhoFim }: Schedule, { starts, ends }: Times): SizeDue[] => {
  const sizeAt = (times: Date[], sku: string | null) =>
    sku ? times.map((em) => ({ acao: 'REDIMENSIONAR' as const, sku, em })) : []
  return [...sizeAt(starts, tamanhoInicio), ...sizeAt(ends, tamanhoFim)]
}

const timesUntil = (schedule: Schedule, now: Date): Times =>
  // The library excludes the reference time itself.
  timesOf(schedule, (cron, count) => cron.previousRuns(count, new Date(now.getTime() + 1_000)))

/** Returns the first start and the first end in the direction of `runs`. */
const timesOf = (
  { diasAgenda, iniciaAs, pausaAs, feriados }: Schedule,
  runs: (cron: Cron, count: number) => Date[],
): Times => {
  if (diasAgenda.length === 0) return { starts: [], ends: [] }
  const isOvernight = iniciaAs !== null && pausaAs !== null && pausaAs < iniciaAs
  const days = diasAgenda.map(cronDay)
  const starts = iniciaAs ? runs(cronOf(iniciaAs, days), 1 + feriados.length) : []
  const ends = pausaAs ? runs(cronOf(pausaAs, isOvernight ? days.map((day) => (day + 1) % 7) : days), 1) : []
  return { starts: starts.filter((em) => !feriados.includes(dayOf(em))).slice(0, 1), ends }
}

/** Sunday is 0. */
const cronDay = (day: Weekday): number => (WEEKDAYS.indexOf(day) + 1) % 7

const cronOf = (time: string, days: number[]): Cron => {
  const [hour, minute] = time.split(':').map(Number)
  return new Cron(`${minute} ${hour} * * ${days.join(',')}`, { paused: true, timezone, mode: '5-part' })
}
