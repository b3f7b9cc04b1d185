import { PORTAL_ZONE, type Recurrence, WEEKDAYS, type Weekday } from '@bi-manager/contract'
import { Cron } from 'croner'
import { dayOf } from './local-time.ts'

/*
 * When something runs. A time that a day lacks, because clocks go forward, is the first one after the
 * gap; of a time that a day has twice, only the first counts.
 */

interface CronOptions {
  /** An IANA name. */
  zone?: string | undefined
  /** Days (yyyy-mm-dd) that are left out, in the portal's zone only. */
  holidays?: readonly string[]
}

/** Returns the times of a cron expression of five fields. */
export const cronTimes = (pattern: string, { zone = PORTAL_ZONE, holidays = [] }: CronOptions = {}) => {
  const cron = new Cron(pattern, { paused: true, timezone: zone, mode: '5-part' })
  const atMost = 1 + holidays.length
  const first = (times: Date[]) => times.find((time) => !holidays.includes(dayOf(time)))
  return {
    next: (now: Date): Date | undefined => first(cron.nextRuns(atMost, now)),
    /** Returns the last time at or before `now`. */
    last: (now: Date): Date | undefined =>
      // The library excludes the reference time itself.
      first(cron.previousRuns(atMost, new Date(now.getTime() + 1))),
  }
}

/** Returns the cron expression of a time of day on weekdays. */
export const dailyPattern = (time: string, days: readonly Weekday[] = WEEKDAYS): string => {
  const [hour, minute] = time.split(':').map(Number)
  return `${minute} ${hour} * * ${days.map((day) => WEEKDAYS.indexOf(day) + 1)}`
}

type Timed = Recurrence & { frequencia: Exclude<Recurrence['frequencia'], 'ATUALIZACAO'> }

/** Returns the next run after `now`; null for one after a refresh of the data. */
export function nextRun(recurrence: Timed, now: Date): Date
export function nextRun(recurrence: Recurrence, now: Date): Date | null
export function nextRun({ frequencia, horario, diaSemana, diaMes, fuso }: Recurrence, now: Date) {
  if (frequencia === 'ATUALIZACAO') return null
  const [hour, minute] = (horario ?? '00:00').split(':').map(Number)
  const days = {
    HORA: '* * *',
    DIA: '* * *',
    DIARIA: '* * *',
    DIAS_UTEIS: '* * 1-5',
    SEMANAL: `* * ${WEEKDAYS.indexOf(diaSemana ?? 'segunda') + 1}`,
    // W: the working day nearest to the 1st, in its month; LW: the last one.
    MENSAL: diaMes === 'ULTIMO_UTIL' ? 'LW * *' : '1W * *',
  }[frequencia]
  const pattern = `${minute} ${frequencia === 'HORA' ? '*' : hour} ${days}`
  const next = cronTimes(pattern, { zone: fuso }).next(now)
  if (!next) throw new Error(`no run after ${now.toISOString()} in ${pattern}`)
  return next
}

/**
 * Reads BACKUP_SCHEDULE: a time of day (`03:00`) or a cron expression of five fields (`0 3 * * 1-5`).
 * @throws Error when the text or the time zone is invalid
 */
export const readSchedule = (text: string, zone: string) => {
  const isTime = /^([01]?\d|2[0-3]):[0-5]\d$/.test(text)
  const times = cronTimes(isTime ? dailyPattern(text) : text, { zone })
  // An unknown time zone fails only at the first use.
  if (!times.next(new Date())) throw new Error('The schedule is never due.')
  return times
}
