import { logFormatOf } from '@bi-manager/telemetry/logging'
import { demoEnvironment, demoPreparation, demoSeedFile, demoWelcome } from './launch/demo-settings.ts'
import { launch } from './launch/launch.ts'
import { portalProcesses } from './launch/processes.ts'

const code = await launch({
  build: true,
  prepare: [demoPreparation],
  processes: portalProcesses({ ...demoEnvironment, DEMO_SEED: demoSeedFile }),
  format: logFormatOf(demoEnvironment),
  onReady: () => console.log(demoWelcome()),
})
process.exit(code)
