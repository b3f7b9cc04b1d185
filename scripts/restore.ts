import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  holdRestored,
  releaseRestored,
} from '../packages/server/src/operations/backup/restore/release-restored.ts'
import { restoreArchive } from '../packages/server/src/operations/backup/restore/restore-archive.ts'
import { restoreBackup } from '../packages/server/src/operations/backup/restore/restore-backup.ts'
import {
  restoreArchivedReports,
  restoreReports,
} from '../packages/server/src/operations/backup/restore/restore-reports.ts'
import { CommandError, runCommand } from '../packages/server/src/platform/commands/command.ts'

const usage =
  'npm run restore -- <cópia> [--identity <chave privada>] [--keys <pasta das chaves>] [--trust-folder] [--production] [--without-reports | --reports <pasta do serviço de relatórios> [--replace]], ou npm run restore -- --hold | --release'

/**
 * `npm run restore -- <copy>` restores into an empty database, embedded or PostgreSQL. The result
 * is a test installation that holds back e-mails, until `--release` or an ADMIN makes it
 * production. With `--reports`, it restores only the report service, into its folder.
 */
export const main = (): Promise<void> =>
  runCommand(usage, async (config, args) => {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        identity: { type: 'string' },
        keys: { type: 'string' },
        'trust-folder': { type: 'boolean' },
        production: { type: 'boolean' },
        'without-reports': { type: 'boolean' },
        reports: { type: 'string' },
        replace: { type: 'boolean' },
        hold: { type: 'boolean' },
        release: { type: 'boolean' },
      },
    })
    const [copy, ...more] = positionals
    if (values.release && !copy) {
      await releaseRestored(config, console.log)
      return true
    }
    if (values.hold && !copy) {
      await holdRestored(config, console.log)
      return true
    }
    const isContradicted = values.reports ? values.production || values['without-reports'] : values.replace
    if (!copy || more.length > 0 || values.release || values.hold || isContradicted)
      throw new CommandError(`Uso: ${usage}`)
    const trust = {
      keysFolder: values.keys === undefined ? undefined : resolve(values.keys),
      trustFolder: values['trust-folder'],
    }
    const options = { ...trust, production: values.production, withoutReports: values['without-reports'] }
    const into = values.reports === undefined ? undefined : resolve(values.reports)
    const ofReports = { ...trust, into: into ?? '', replace: values.replace }
    const found = statSync(copy, { throwIfNoEntry: false })
    if (found ? found.isDirectory() : !values.identity) {
      const folder = resolve(copy)
      if (into) await restoreReports(config, { ...ofReports, folder }, console.log)
      else await restoreBackup(config, { folder, ...options }, console.log)
      return true
    }
    if (!values.identity) {
      throw new CommandError('A cópia é cifrada: diga onde está a chave privada, com --identity <arquivo>.')
    }
    const archive = { copy, keyFile: resolve(values.identity) }
    if (into) await restoreArchivedReports(config, { ...archive, ...ofReports, into }, console.log)
    else await restoreArchive(config, { ...archive, ...options }, console.log)
    return true
  })
