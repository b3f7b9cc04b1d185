import { parseArgs } from 'node:util'
import { verifyAudit } from '../packages/server/src/operations/audit/verify-audit.ts'
import { runCommand } from '../packages/server/src/platform/commands/command.ts'

/**
 * `npm run audit:verify` checks the audit chain; `-- <ordem>:<elo>` also checks that a recorded end
 * of the chain still exists.
 */
export const main = (): Promise<void> =>
  runCommand('npm run audit:verify [-- <ordem>:<elo>]', async (config, args) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    return verifyAudit(config, positionals[0], console.log)
  })
