import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { holdRestored, releaseRestored } from '../packages/server/src/backup/release-restored.ts'
import { restoreArchive } from '../packages/server/src/backup/restore-archive.ts'
import { restoreBackup } from '../packages/server/src/backup/restore-backup.ts'
import { CommandError, runCommand } from '../packages/server/src/commands/command.ts'

const usage =
  'npm run restore -- <cópia> [--identity <chave privada>] [--keys <pasta das chaves>] [--trust-folder] [--production], ou npm run restore -- --hold | --release'

/**
 * `npm run restore -- <copy>` restores into an empty database, embedded or PostgreSQL. The result
 * is a test installation that holds back e-mails, until `--release` or an ADMIN makes it
 * production.
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
    if (!copy || more.length > 0 || values.release || values.hold) throw new CommandError(`Uso: ${usage}`)
    const options = {
      keysFolder: values.keys === undefined ? undefined : resolve(values.keys),
      trustFolder: values['trust-folder'],
      production: values.production,
    }
    const found = statSync(copy, { throwIfNoEntry: false })
    if (found ? found.isDirectory() : !values.identity) {
      await restoreBackup(config, { folder: resolve(copy), ...options }, console.log)
      return true
    }
    if (!values.identity) {
      throw new CommandError('A cópia é cifrada: diga onde está a chave privada, com --identity <arquivo>.')
    }
    await restoreArchive(config, { copy, keyFile: resolve(values.identity), ...options }, console.log)
    return true
  })
