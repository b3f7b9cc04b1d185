import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreBackup } from '../packages/server/src/backup/restore-backup.ts'
import { CommandError, runCommand } from '../packages/server/src/command.ts'

const usage = 'npm run restore -- <pasta> [--keys <pasta das chaves>] [--trust-folder]'

/** `npm run restore -- <folder>`: into an empty database, embedded or PostgreSQL. */
export const main = (): Promise<void> =>
  runCommand(usage, async (config, args) => {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { keys: { type: 'string' }, 'trust-folder': { type: 'boolean' } },
    })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) throw new CommandError(`Uso: ${usage}`)
    const keysFolder = values.keys === undefined ? undefined : resolve(values.keys)
    const trustFolder = values['trust-folder']
    await restoreBackup(config, { folder: resolve(folder), keysFolder, trustFolder }, console.log)
    return true
  })
