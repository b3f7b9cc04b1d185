import { parseArgs } from 'node:util'
import { rotateSecrets } from '../packages/server/src/operations/keys/rotate-secrets.ts'
import { runCommand } from '../packages/server/src/platform/commands/command.ts'

/** `npm run secrets:rotate` rotates the keys; `-- --check` only lists the keys in use. */
export const main = (): Promise<void> =>
  runCommand(
    'npm run secrets:rotate [-- --check | --discard-lost | --end-sessions]',
    async (config, args) => {
      const { values } = parseArgs({
        args,
        options: {
          check: { type: 'boolean' },
          'discard-lost': { type: 'boolean' },
          'end-sessions': { type: 'boolean' },
        },
      })
      return rotateSecrets(
        config,
        {
          check: values.check ?? false,
          discardLost: values['discard-lost'] ?? false,
          endSessions: values['end-sessions'] ?? false,
        },
        console.log,
      )
    },
  )
