import type { SystemStatus } from '@bi-manager/contract'
import type { Services } from '../../platform/http/services.ts'
import { readInstallation } from '../../platform/installation/test-environment.ts'
import { dayText } from '../../platform/lib/local-time.ts'
import { readSchedule } from '../../platform/lib/recurrence.ts'
import { lastBackup } from '../backup/runs/backup-runs.ts'
import { type Item, spanText } from './item.ts'
import { findRecordedBackup } from './system-status.repository.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now'>
type Runs = Awaited<ReturnType<typeof lastBackup>>

const hour = 3_600_000
/** Applies to backups made by the operator's command only. */
const commandOverdueAfter = 7 * 24 * hour
/** A scheduled backup takes time, and is tried three times. */
const grace = 6 * hour

/** Returns when the newest backup was made, by the schedule or by the command. */
export const findNewestBackup = async (
  { db }: Pick<Needs, 'db'>,
  { good }: Runs,
): Promise<Date | undefined> => {
  const recorded = await findRecordedBackup(db)
  const times = [recorded, good?.terminadaEm].flatMap((made) => made?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.max(...times)) : undefined
}

/** Returns whether a due backup is missing; without BACKUP_SCHEDULE, one is due each week. */
export const isBackupOverdue = ({ config, now }: Needs, newest: Date): boolean => {
  const { schedule, timeZone = 'UTC' } = config.backup ?? {}
  if (!schedule) return now().getTime() - newest.getTime() > commandOverdueAfter
  const due = readSchedule(schedule, timeZone).last(new Date(now().getTime() - grace))
  return due !== undefined && newest < due
}

/** Returns whether the last run failed and no backup of the command has followed. */
const hasFailed = ({ last }: Runs, newest: Date | undefined): boolean =>
  last !== undefined && last.resultado !== 'boa' && (!newest || (last.terminadaEm ?? newest) > newest)

/** Returns the values for the metrics. A test environment has no backups and no problems. */
export const readBackups = async (needs: Needs) => {
  const { runs, ensaio, newest } = await read(needs)
  const problems = {
    failed: hasFailed(runs, newest),
    overdue: !newest || isBackupOverdue(needs, newest),
  }
  return { newest, problems: ensaio ? undefined : problems }
}

const read = async (needs: Needs) => {
  const [runs, { ensaio }] = await Promise.all([lastBackup(needs.db), readInstallation(needs.db)])
  return { runs, ensaio, newest: await findNewestBackup(needs, runs) }
}

export const backupItem = async (needs: Needs): Promise<SystemStatus['copiaSeguranca']> => {
  const { runs, ensaio, newest } = await read(needs)
  return {
    ...(ensaio ? testItem : evaluate(needs, runs, newest)),
    ultimaEm: newest?.toISOString() ?? null,
    destino: runs.good?.destino ?? null,
    verificada: runs.good?.verificada ?? null,
    emAndamentoDesde: runs.running?.iniciadaEm.toISOString() ?? null,
  }
}

const testItem = {
  estado: 'desconhecido',
  frase: 'Este ambiente foi restaurado como ensaio: nele não se fazem cópias de segurança.',
} as const

const evaluate = (needs: Needs, runs: Runs, newest: Date | undefined): Item => {
  if (hasFailed(runs, newest)) {
    const frase = `A última tentativa de cópia de segurança falhou: ${runs.last?.erro ?? ''}`
    return { estado: 'falha', frase }
  }
  if (!newest) {
    const frase = 'Nenhuma cópia de segurança foi feita: agende-as com BACKUP_SCHEDULE.'
    return { estado: 'atencao', frase }
  }
  if (!isBackupOverdue(needs, newest)) {
    return { estado: 'ok', frase: `A última cópia de segurança é de ${dayText(newest)}.` }
  }
  const age = spanText(needs.now().getTime() - newest.getTime())
  const frase = `A última cópia de segurança foi feita há ${age}: faça outra e confira o agendamento.`
  return { estado: 'atencao', frase }
}
