import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBackup } from '../packages/server/src/backup/write-backup.ts'
import { CommandError, runCommand } from '../packages/server/src/command.ts'

const usage = 'npm run backup -- <pasta>'

/** `npm run backup -- <folder>`: database, files, and keys apart. */
export const main = (): Promise<void> =>
  runCommand(usage, async (config, args) => {
    const [folder, ...more] = parseArgs({ args, allowPositionals: true }).positionals
    if (!folder || more.length > 0) throw new CommandError(`Uso: ${usage}`)
    await writeBackup(config, resolve(folder), console.log)
    return true
  })
