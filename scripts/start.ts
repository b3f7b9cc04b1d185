import { launch } from './launch.ts'
import { portalAddress, portalProcesses } from './processes.ts'

const code = await launch({
  build: true,
  processes: portalProcesses(process.env),
  onReady: () => console.log(`Pronto: ${portalAddress(process.env)}`),
})
process.exit(code)
