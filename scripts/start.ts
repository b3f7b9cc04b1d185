import { withoutCarriageReturns } from '@bi-manager/telemetry/environment'
import { logFormatOf } from '@bi-manager/telemetry/logging'
import { launch } from './launch/launch.ts'
import { drainMs, portalAddress, portalProcesses } from './launch/processes.ts'

const env = withoutCarriageReturns(process.env)
const code = await launch({
  build: true,
  processes: portalProcesses(process.env),
  // A migration of large tables takes minutes. If killed, it would start over at each start.
  readyWithin: 30 * 60_000,
  stopWithin: drainMs(env) + 15_000,
  format: logFormatOf(env),
  onReady: (log) => log.info(`Pronto: ${portalAddress(env)}`),
})
process.exit(code)
