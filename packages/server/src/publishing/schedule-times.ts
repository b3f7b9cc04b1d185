import type { DataSchedule } from '@bi-manager/contract'
import { Cron } from 'croner'

const timezone = 'America/Sao_Paulo'

/** Returns the next run after `now`. */
export const nextRun = (
  { frequencia, horario }: Pick<DataSchedule, 'frequencia' | 'horario'>,
  now: Date,
): Date => {
  const [hour, minute] = horario.split(':').map(Number)
  const pattern = frequencia === 'HORA' ? `${minute} * * * *` : `${minute} ${hour} * * *`
  const next = new Cron(pattern, { paused: true, timezone, mode: '5-part' }).nextRun(now)
  if (!next) throw new Error(`no run after ${now.toISOString()} in ${pattern}`)
  return next
}
