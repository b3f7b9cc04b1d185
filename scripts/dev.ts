import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { logFormatOf } from '@bi-manager/telemetry/logging'
import { demoEnvironment, demoPreparation, demoSeedFile, demoWelcome } from './launch/demo-settings.ts'
import { type LaunchedProcess, launch, type Restart, untilReady } from './launch/launch.ts'
import { localAddress, portalAddress, portalProcesses, reportsAddress } from './launch/processes.ts'

/*
 * Starts the demo for development. Two Vite servers have the addresses that a browser opens: they
 * transform the pages at each request and proxy the calls to the portal and the report service,
 * which are restarted when their files change. `node --watch` cannot do that: it makes each worker
 * and child process send messages to its parent, which takes them for answers. Today the first
 * sign-in after a restart would fail.
 */

const packages = join(import.meta.dirname, '../packages')

/** The folders whose files a process loads. */
const sources: Record<string, string[]> = {
  portal: ['server/src', 'server/migrations', 'contract/src', 'telemetry/src'],
  'serviço de relatórios': ['reports/src', 'contract/src', 'telemetry/src'],
}
const isNoSource = (path: string) =>
  /\.(test|long)\.tsx?$/.test(path) || path.includes(join('reports/src/embed-page', sep))

const longestWaitMs = 20_000
/** An editor or Git writes several files at once. */
const gatherMs = 50

const env: Record<string, string | undefined> = demoEnvironment
const [port, reportsPort] = [Number(env.PORT || 3000), Number(env.REPORTS_PORT || 3001)]
/** The servers listen ten ports above the addresses that a browser opens. */
const behind = { PORT: String(port + 10), REPORTS_PORT: String(reportsPort + 10) }
const processes = portalProcesses({
  ...env,
  ...behind,
  PUBLIC_URL: portalAddress(env),
  REPORTS_URL: reportsAddress(env),
  DEMO_SEED: demoSeedFile,
})
const [portal, reports] = processes as [LaunchedProcess, LaunchedProcess]

const never = new AbortController().signal
const readiness = new Map(processes.map((item) => [item, untilReady(item, 600_000, never)]))
const waitFor = (item: LaunchedProcess) => () => Promise.race([readiness.get(item), sleep(longestWaitMs)])

const { startPages } = await import('./launch/dev-pages.ts')
const pages = await startPages(
  { port, server: localAddress(env.HOST, behind.PORT, 0), ready: waitFor(portal) },
  { port: reportsPort, server: localAddress(env.HOST, behind.REPORTS_PORT, 0), ready: waitFor(reports) },
  portalAddress(env),
)

const code = await launch({
  build: false,
  prepare: [demoPreparation],
  processes,
  format: logFormatOf(env),
  onReady: (_log, restart) => {
    restartOnChange(restart)
    console.log(demoWelcome())
  },
})
process.exit(code)

function restartOnChange(restart: Restart): void {
  for (const item of processes) {
    const folders = (sources[item.name] ?? []).map((folder) => join(packages, folder))
    let timer: NodeJS.Timeout | undefined
    const start = () => {
      const ready = restart(item)
      readiness.set(item, ready)
      void ready.then(pages.reload, (error: Error) => console.error(error.message))
    }
    pages.watch(folders, (path) => {
      if (isNoSource(path)) return
      clearTimeout(timer)
      timer = setTimeout(start, gatherMs)
    })
  }
}
