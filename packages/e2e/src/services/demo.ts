import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { copyEmbedded } from '@bi-manager/server/test/database/embedded-template'
import { freePorts } from '../../../../scripts/machines/ports.ts'

const command = fileURLToPath(new URL('../../../../scripts/run.js', import.meta.url))

const demoData = fileURLToPath(new URL('../../../../scripts/demo-data.ts', import.meta.url))

export interface Demo {
  portal: string
  reports: string
  dataDir: string
  /** Returns all output so far. */
  output: () => string
  /** Stops the processes; the folder stays. */
  end: () => Promise<void>
  /** Stops the processes and deletes the folder. */
  stop: () => Promise<void>
}

/**
 * Starts what `npm run demo` starts, on free ports and
 * in an empty folder, and waits until it is ready.
 * @param demoData the folder of a stopped demo to copy: generating database and reports takes
 * longer
 *   than most journeys
 */
export const startDemo = (settings: Record<string, string> = {}, demoData?: string): Promise<Demo> =>
  start('demo', settings, async (dataDir) => {
    // For the many small files of a database, Node's copying takes ten times as long.
    if (demoData) await promisify(execFile)('cp', ['-r', `${demoData}/.`, dataDir])
  })

/**
 * Starts what `npm start` starts, with an empty database and the local report service. The demo's
 * reports are published in its folder but not registered in the portal.
 */
export const startEmpty = (settings: Record<string, string> = {}, demoData?: string): Promise<Demo> =>
  start('start', { REPORTS_ENABLED: 'true', BI_PROVIDER: 'local', ...settings }, (dataDir) =>
    demoData ? copyReports(demoData, join(dataDir, 'reports')) : publishReports(dataDir),
  )

/** Starts what `npm start` starts, in an empty folder: no person, no report. */
export const startFresh = (settings: Record<string, string> = {}): Promise<Demo> =>
  start('start', { REPORTS_ENABLED: 'true', BI_PROVIDER: 'local', ...settings }, async () => {})

/** Starts the demo's portal with a report service that the caller starts. */
export const startWithReportsAt = (reportsUrl: string, demoData: string): Promise<Demo> =>
  start(
    'start',
    { REPORTS_ENABLED: 'false', BI_PROVIDER: 'local', REPORTS_URL: reportsUrl },
    async (dataDir) => void (await promisify(execFile)('cp', ['-r', `${demoData}/.`, dataDir])),
  )

/** Starts only the portal, with an empty database: fast, for journeys without reports. */
export const startPortal = (settings: Record<string, string>): Promise<Demo> =>
  start('start', { REPORTS_ENABLED: 'false', ...settings }, (dataDir) =>
    copyEmbedded(join(dataDir, 'database')),
  )

const start = async (
  what: 'demo' | 'start',
  settings: Record<string, string>,
  prepare: (dataDir: string) => Promise<void>,
): Promise<Demo> => {
  const dataDir = await mkdtemp(join(tmpdir(), `bi-manager-${what}-`))
  await prepare(dataDir)
  const [port, reportsPort] = await freePorts(2)
  const child = spawn(process.execPath, [command, what], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      REPORTS_PORT: String(reportsPort),
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '100000',
      DRAIN_SECONDS: '0',
      // For a run of the journeys on PostgreSQL, which all demos of the run share.
      ...(process.env.E2E_DATABASE_URL ? { DATABASE_URL: process.env.E2E_DATABASE_URL } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  await untilSaid(child, () => output, 'Pronto:')
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return {
    portal: `http://localhost:${port}`,
    reports: settings.REPORTS_URL ?? `http://localhost:${reportsPort}`,
    dataDir,
    output: () => output,
    end,
    stop: async () => {
      await end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Copies the reports without the credentials, which each installation generates. */
export const copyReports = (demoData: string, to: string): Promise<void> =>
  cp(join(demoData, 'reports'), to, {
    recursive: true,
    filter: (path) => basename(path) !== 'service.json',
  })

/** Publishes the demo's definitions and data without credentials, as an author would. */
const publishReports = async (dataDir: string): Promise<void> => {
  const [reports, seedFile] = [join(dataDir, 'reports'), join(dataDir, 'seed.json')]
  await promisify(execFile)(process.execPath, [demoData, reports, seedFile])
  await rm(seedFile)
  await rm(join(reports, 'service.json'))
}

const untilSaid = async (child: ChildProcess, output: () => string, text: string): Promise<void> => {
  for (let waited = 0; waited < 240_000; waited += 100) {
    if (output().includes(text)) return
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the demo exited: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGTERM')
  throw new Error(`the demo did not become ready: ${output()}`)
}
