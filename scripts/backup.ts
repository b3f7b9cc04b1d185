import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBackup } from '../packages/server/src/operations/backup/contents/write-backup.ts'
import { backUpNow } from '../packages/server/src/operations/backup/runs/backup-now.ts'
import { CommandError, runCommand } from '../packages/server/src/platform/commands/command.ts'

const usage = 'npm run backup [-- <pasta>]'

/**
 * `npm run backup` writes an encrypted backup to BACKUP_TARGET. With a folder: database, files and
 * keys separately, in clear text.
 */
export const main = (): Promise<void> =>
  runCommand(usage, async (config, args) => {
    const [folder, ...more] = parseArgs({ args, allowPositionals: true }).positionals
    if (more.length > 0) throw new CommandError(`Uso: ${usage}`)
    if (!folder) return backUpNow(config, console.log)
    const { relatorios } = await writeBackup(config, resolve(folder), console.log)
    return relatorios !== null
  })
