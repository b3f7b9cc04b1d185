import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadSecrets } from '../../packages/server/src/platform/config/secrets.ts'
import { password } from '../../packages/server/test/users.ts'
import { endProcess, type Supervised, spawnBound, supervise, until } from './bound-process.ts'
import { stablePort } from './ports.ts'
import { startPostgresPair } from './postgres-pair.ts'
import { reportsHost, startBalancer, startPooler } from './proxies.ts'

const root = join(import.meta.dirname, '..', '..')
const main = (name: 'server' | 'reports') => join(root, 'packages', name, 'src/main.ts')

const appSecret = 'segredo-de-teste-com-mais-de-32-letras'
/** Seals a text like the nodes do, for rows that a test inserts directly. */
export const encrypt = (text: string) => loadSecrets(appSecret, '').encrypt(text)

export const admin = { username: 'admin@demo.local', password: 'Demo-admin-2026' }

interface Options {
  settings?: Record<string, string>
  /** Settings of one node only. */
  settingsOf?: (node: number) => Record<string, string>
  /** Publishes the demo's reports and users first, and starts two report services. */
  hasDemo?: boolean
  /** The data folder shared by all nodes. */
  dataDir?: string
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Starts three nodes behind HAProxy and PgBouncer, with a primary and a synchronous standby, as in
 * the manual's chapter 'Vários nós'.
 */
export const startCluster = async ({
  settings = {},
  settingsOf,
  hasDemo = false,
  ...given
}: Options = {}) => {
  const folder = mkdtempSync('/tmp/bi-manager-nodes-')
  execFile('chmod', ['755', folder])
  const dataDir = given.dataDir ?? join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  const pair = await startPostgresPair()
  const pooler = await startPooler(folder, pair)
  const port = await stablePort()
  const url = `http://127.0.0.1:${port}`
  const reportsUrl = `http://${reportsHost}:${port}`
  const ports = await Promise.all(Array.from({ length: 5 }, stablePort))
  const [first = 0, second = 0, third = 0, ...reportPorts] = ports
  const nodePorts = [first, second, third]

  const environment = (n: number) => ({
    PATH: process.env.PATH,
    // Like run.js does for `npm start`.
    MALLOC_MMAP_THRESHOLD_: '131072',
    HOST: '127.0.0.1',
    PORT: String(nodePorts[n]),
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://bi_portal:${pair.portalPassword}@${pooler.address}/bi_manager?pgbouncer=true`,
    APP_SECRET: appSecret,
    ADMIN_EMAIL: admin.username,
    ADMIN_PASSWORD: password,
    PUBLIC_URL: url,
    TRUST_PROXY: '127.0.0.1',
    REPORTS_URL: reportsUrl,
    RATE_LIMIT_PER_MINUTE: '1000000',
    MIN_FREE_MB: '0',
    LOG_LEVEL: 'warn',
    ...settings,
    ...settingsOf?.(n),
  })
  const spawnNode = (n: number, more: Record<string, string> = {}) =>
    spawnBound(process.execPath, [main('server')], { env: { ...environment(n), ...more } })
  const spawnReports = (n: number) =>
    spawnBound(process.execPath, [main('reports')], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        MALLOC_MMAP_THRESHOLD_: '131072',
        HOST: '127.0.0.1',
        REPORTS_PORT: String(reportPorts[n]),
        REPORTS_DATA_DIR: join(dataDir, 'reports'),
        REPORTS_URL: reportsUrl,
        REPORTS_TRUST_PROXY: '127.0.0.1',
        REPORTS_RATE_LIMIT_PER_MINUTE: '1000000',
        PUBLIC_URL: url,
        LOG_LEVEL: 'warn',
      },
    })

  const address = (of: number) => `127.0.0.1:${of}`
  const balancer = startBalancer(folder, port, {
    nodes: nodePorts.map(address),
    reports: reportPorts.map(address),
  })
  const nodes: Supervised[] = []
  const reports: Supervised[] = []
  const isReady = (origin: string) =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const untilReady = (n: number, limitMs?: number) =>
    until(`node ${n + 1} is ready`, () => isReady(`http://${address(nodePorts[n] ?? 0)}`), limitMs).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${nodes[n]?.output()}`)
      },
    )

  const seed = async () => {
    const seedFile = join(dataDir, 'demo-seed.json')
    const prepare = [join(root, 'scripts/demo-data.ts'), join(dataDir, 'reports'), seedFile]
    await promisify(execFile)(process.execPath, prepare)
    for (const n of [0, 1]) reports.push(supervise(() => spawnReports(n)))
    // One start with the seed file: later starts would wait for the report service, as the demo
    // does.
    const seeding = spawnNode(0, { DEMO_SEED: seedFile, BI_PROVIDER: 'local' })
    await untilReady(0, 120_000)
    await endProcess(seeding, 'SIGINT')
    rmSync(seedFile)
  }

  const stop = async () => {
    for (const one of [...nodes, ...reports]) await one.stop('SIGKILL')
    await balancer.stop('SIGTERM')
    await pooler.stop('SIGTERM')
    await pair.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (hasDemo) await seed()
    for (const n of [0, 1, 2]) nodes.push(supervise(() => spawnNode(n)))
    for (const n of [0, 1, 2]) await untilReady(n, 120_000)
    await until('the balancer answers', () => isReady(url))
  } catch (error) {
    const output = [...nodes, ...reports].map((one) => one.output()).join('\n')
    await stop()
    throw new Error(`The nodes do not start:\n${output}`, { cause: error })
  }
  return {
    /** Through the balancer. */
    url,
    /** The addresses of the nodes, which bypass the balancer. */
    urls: nodePorts.map((one) => `http://${address(one)}`),
    reportsUrl,
    dataDir,
    folder,
    pair,
    pooler,
    balancer,
    nodes,
    reports,
    environment,
    untilReady,
    isReady,
    stop,
  }
}
