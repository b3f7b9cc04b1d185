import type { FastifyBaseLogger } from 'fastify'
import { ConfigError } from '../../../platform/config/config.ts'
import type { Services } from '../../../platform/http/services.ts'
import { readInstallation } from '../../../platform/installation/test-environment.ts'
import { startRepeating } from '../../../platform/jobs/repeat.ts'
import { readSchedule } from '../../../platform/lib/recurrence.ts'
import { openTarget } from '../targets/open-target.ts'
import { beginRun, endDeadRuns } from './backup-runs.ts'
import { notifyFailure, runBackup } from './run-backup.ts'

const lookEvery = 30_000

type Needs = Pick<Services, 'config' | 'db' | 'secrets' | 'now'>

/**
 * Makes a backup whenever the schedule requires one, also for a time at which no process ran. Of
 * several processes on one database, one makes it. A restored test environment makes none.
 * @throws ConfigError when BACKUP_KEY has a mistyped key
 */
export const startScheduledBackups = async (
  services: Needs,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
) => {
  const { config, db, now } = services
  const { backup } = config
  if (!backup) return { makeDue: async () => {}, stop: async () => {} }
  await assertRecipients(backup.recipients)
  const stopping = new AbortController()
  const { place } = openTarget(backup.place)

  const makeDue = async (): Promise<void> => {
    if ((await readInstallation(db)).ensaio) return
    for (const id of await endDeadRuns(db, now())) {
      log.error({ id }, 'a backup was interrupted')
      await notifyFailure(services, 'O portal parou antes de a cópia terminar.')
    }
    if (!backup.schedule) return
    const due = readSchedule(backup.schedule, backup.timeZone).last(now())
    if (!due) return
    const run = await beginRun(db, { due, place, now: now() })
    if (!run || run === 'inProgress') return
    await runBackup(services, { id: run.id, backup, log, signal: stopping.signal })
  }

  const looking = startRepeating({ name: 'look for a due backup', everyMs: lookEvery, log }, makeDue)
  return {
    /** Makes the due backup, if any. Resolves when it is made or has failed. */
    makeDue,
    /** Stops a backup in progress. */
    stop: async () => {
      stopping.abort()
      await looking.stop()
    },
  }
}

/** Checks the recipients' checksums, which the setting's pattern cannot. */
const assertRecipients = async (recipients: string[]): Promise<void> => {
  // Imported here, so that portals without backups do not load it.
  const { Encrypter } = await import('age-encryption')
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient)
    } catch (cause) {
      throw new ConfigError(
        'Configuração inválida: BACKUP_KEY tem um erro de digitação: copie a chave pública outra vez.',
        { cause },
      )
    }
  }
}
