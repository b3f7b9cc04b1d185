import { logFormatOf } from '@bi-manager/telemetry/logging'
import { demoEnvironment, demoPreparation, demoSeedFile, demoWelcome } from './demo-settings.ts'
import { launch } from './launch.ts'
import { portalProcesses } from './processes.ts'

const code = await launch({
  build: true,
  prepare: [demoPreparation],
  processes: portalProcesses({ ...demoEnvironment, DEMO_SEED: demoSeedFile }),
  format: logFormatOf(demoEnvironment),
  onReady: () => console.log(demoWelcome()),
})
process.exit(code)
