import { type Subscription, WEEKDAYS } from '@bi-manager/contract'
import { Cron } from 'croner'

type Times = Pick<Subscription, 'frequencia' | 'horario' | 'diaSemana' | 'diaMes' | 'fuso'>

/** Returns the next run after `now`; undefined for one after a refresh. */
export const nextRun = ({ frequencia, horario, diaSemana, diaMes, fuso }: Times, now: Date) => {
  if (frequencia === 'ATUALIZACAO' || !horario) return undefined
  const [hour, minute] = horario.split(':').map(Number)
  const days = {
    DIARIA: '*',
    DIAS_UTEIS: '1-5',
    SEMANAL: String(WEEKDAYS.indexOf(diaSemana ?? 'segunda') + 1),
    MENSAL: '1-5',
  }[frequencia]
  const cron = new Cron(`${minute} ${hour} * * ${days}`, { paused: true, timezone: fuso, mode: '5-part' })
  let next = cron.nextRun(now)
  while (next && frequencia === 'MENSAL' && !isMonthDay(next, { cron, diaMes, fuso }))
    next = cron.nextRun(next)
  if (!next) throw new Error(`no run after ${now.toISOString()} of ${frequencia}`)
  return next
}

/** Whether the working day is the first or the last one of its month. */
const isMonthDay = (
  day: Date,
  { cron, diaMes, fuso }: { cron: Cron; diaMes: Subscription['diaMes']; fuso: string },
): boolean => {
  const monthOf = (instant: Date) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, year: 'numeric', month: '2-digit' }).format(instant)
  const neighbour = diaMes === 'ULTIMO_UTIL' ? cron.nextRun(day) : cron.previousRuns(1, day)[0]
  return !neighbour || monthOf(neighbour) !== monthOf(day)
}
