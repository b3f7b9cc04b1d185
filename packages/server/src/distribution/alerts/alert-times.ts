import type { Alert } from '@bi-manager/contract'
import { Cron } from 'croner'

type Times = Pick<Alert, 'frequencia' | 'horario' | 'fuso'>

/** Returns the next evaluation after `now`; null for one after a refresh. */
export const nextEvaluation = ({ frequencia, horario, fuso }: Times, now: Date): Date | null => {
  if (frequencia === 'ATUALIZACAO') return null
  const [hour, minute] = (horario ?? '00:00').split(':').map(Number)
  const at = frequencia === 'HORA' ? '0 *' : `${minute} ${hour}`
  const pattern = `${at} * * ${frequencia === 'DIAS_UTEIS' ? '1-5' : '*'}`
  return new Cron(pattern, { paused: true, timezone: fuso, mode: '5-part' }).nextRun(now)
}
