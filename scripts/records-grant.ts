import { parseArgs } from 'node:util'
import { grantRecords } from '../packages/server/src/accounts/users/grant-records.ts'
import { CommandError, runCommand } from '../packages/server/src/platform/commands/command.ts'

const usage = 'npm run records:grant -- <e-mail> [--encarregado]'

/**
 * `npm run records:grant -- <e-mail>` gives the only ADMIN access to medical records, optionally as
 * data protection officer.
 */
export const main = (): Promise<void> =>
  runCommand(usage, async (config, args) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { encarregado: { type: 'boolean' } },
    })
    const [email, ...more] = positionals
    if (!email || more.length > 0) throw new CommandError(`Uso: ${usage}`)
    await grantRecords(config, { email, isOfficer: values.encarregado ?? false }, console.log)
    return true
  })
