import { type Capacity, WEEKDAYS } from '@bi-manager/contract'
import { Cron } from 'croner'
import { dayOf } from '../lib/local-time.ts'

const timezone = 'America/Sao_Paulo'

export type Schedule = Pick<Capacity, 'diasAgenda' | 'iniciaAs' | 'pausaAs' | 'feriados'>

export interface Due {
  acao: 'INICIAR' | 'PAUSAR'
  em: Date
}

/** Returns the schedule's latest moment up to `now`; undefined when there is none. */
export const lastDue = (schedule: Schedule, now: Date): Due | undefined =>
  // The library excludes the reference time itself.
  latest(momentsOf(schedule, (cron, count) => cron.previousRuns(count, new Date(now.getTime() + 1_000))))

/** Returns the schedule's next moment after `now`; undefined when there is none. */
export const nextDue = (schedule: Schedule, now: Date): Due | undefined =>
  momentsOf(schedule, (cron, count) => cron.nextRuns(count, now)).toSorted(
    (one, other) => one.em.getTime() - other.em.getTime(),
  )[0]

const latest = (moments: Due[]): Due | undefined =>
  moments.toSorted((one, other) => other.em.getTime() - one.em.getTime())[0]

/** Returns some moments of each action, in the direction of `runs`. */
const momentsOf = (
  { diasAgenda, iniciaAs, pausaAs, feriados }: Schedule,
  runs: (cron: Cron, count: number) => Date[],
): Due[] => {
  if (diasAgenda.length === 0) return []
  const isOvernight = iniciaAs !== null && pausaAs !== null && pausaAs < iniciaAs
  const days = diasAgenda.map(cronDay)
  const starts = iniciaAs ? runs(cronOf(iniciaAs, days), 1 + feriados.length) : []
  const pauses = pausaAs
    ? runs(cronOf(pausaAs, isOvernight ? days.map((day) => (day + 1) % 7) : days), 1)
    : []
  return [
    ...starts
      .filter((em) => !feriados.includes(dayOf(em)))
      .slice(0, 1)
      .map((em) => ({ acao: 'INICIAR' as const, em })),
    ...pauses.map((em) => ({ acao: 'PAUSAR' as const, em })),
  ]
}

/** Sunday is 0. */
const cronDay = (day: (typeof WEEKDAYS)[number]): number => (WEEKDAYS.indexOf(day) + 1) % 7

const cronOf = (time: string, days: number[]): Cron => {
  const [hour, minute] = time.split(':').map(Number)
  return new Cron(`${minute} ${hour} * * ${days.join(',')}`, { paused: true, timezone, mode: '5-part' })
}
