import { CommandError, withDatabase } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import { loadSecrets } from '../../../platform/config/secrets.ts'
import { migrate } from '../../../platform/db/migrations/migrate.ts'
import { RELEASE_HINT, readInstallation } from '../../../platform/installation/test-environment.ts'
import { countText } from '../../../platform/lib/count-text.ts'
import { assertKeyFile } from '../../keys/assert-key-file.ts'
import { reportsText } from '../contents/report-files.ts'
import { openTarget } from '../targets/open-target.ts'
import { beginRun, endDeadRuns } from './backup-runs.ts'
import { runBackup } from './run-backup.ts'

/** A test restore may have production's settings: it would delete old backups of production. */
const HELD = `Este ambiente é um ensaio de restauração: nele não se fazem cópias em BACKUP_TARGET. Para uma cópia à mão, diga a pasta dela. ${RELEASE_HINT}`

/**
 * Makes an encrypted backup in BACKUP_TARGET now.
 * @param tell receives one Portuguese sentence per call
 * @returns whether it was made, with all that it must have
 * @throws CommandError when it is not configured, another one is in progress, or the environment is
 * a test
 */
export const backUpNow = async (config: Config, tell: (sentence: string) => void): Promise<boolean> => {
  const { backup } = config
  if (!backup) throw new CommandError('Diga a pasta da cópia, ou configure BACKUP_TARGET e BACKUP_KEY.')
  return withDatabase(config, tell, async (db) => {
    const now = () => new Date()
    await migrate(db, { allowNewer: true })
    if ((await readInstallation(db)).ensaio) throw new CommandError(HELD)
    await assertKeyFile(db, config)
    await endDeadRuns(db, now())
    const { place } = openTarget(backup.place)
    const run = await beginRun(db, { due: null, place, now: now() })
    if (!run || run === 'inProgress') throw new CommandError('Outra cópia de segurança está em andamento.')
    let reason = ''
    const log = {
      info: () => {},
      error: ({ erro }: { erro?: string }) => {
        reason = erro ?? ''
      },
    }
    const services = { config, db, secrets: loadSecrets(config.appSecret, config.dataDir), now }
    const made = await runBackup(services, { id: run.id, backup, log })
    if (!made) {
      tell(`A cópia não foi feita. ${reason}`)
      return false
    }
    const rows = made.tabelas.reduce((sum, { linhas }) => sum + linhas, 0)
    tell(
      `Cópia feita em ${place}: ${made.name}, ${countText(made.tabelas.length, 'tabela', 'tabelas')}, ${countText(rows, 'linha', 'linhas')}.`,
    )
    tell(
      made.verified
        ? `Ela foi lida de volta, decifrada e restaurada em um banco provisório${made.relatorios ? `, com ${reportsText(made.relatorios)}` : ''}.`
        : 'Ela foi lida de volta, mas não foi restaurada para conferência.',
    )
    if (made.notice) tell(made.notice)
    if (made.incomplete) tell(made.incomplete)
    return !made.incomplete
  })
}
