import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBackupKey } from '../packages/server/src/operations/backup/archive/backup-key.ts'
import { CommandError, runCommand } from '../packages/server/src/platform/commands/command.ts'

const usage = 'npm run backup:key -- <arquivo>'

/** `npm run backup:key -- <file>` creates a key pair for backups; the file gets the private key. */
export const main = (): Promise<void> =>
  runCommand(usage, async (_config, args) => {
    const [file, ...more] = parseArgs({ args, allowPositionals: true }).positionals
    if (!file || more.length > 0) throw new CommandError(`Uso: ${usage}`)
    const recipient = await writeBackupKey(resolve(file))
    console.log(`BACKUP_KEY=${recipient}`)
    console.log(
      `A chave privada está em ${resolve(file)}: guarde-a fora deste servidor, em dois lugares, e apague-a daqui. Sem ela as cópias não se abrem.`,
    )
    return true
  })
