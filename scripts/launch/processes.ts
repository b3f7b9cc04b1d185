import { join } from 'node:path'
import { withoutCarriageReturns } from '@bi-manager/telemetry/environment'
import type { LaunchedProcess } from './launch.ts'

type Environment = Record<string, string | undefined>

/**
 * Limits the space for new objects, MB: V8's default of 16 keeps 60 MB more resident, in all threads
 * together.
 */
const node = ['--max-semi-space-size=8']

const packages = join(import.meta.dirname, '../..', 'packages')

/** Returns the portal, and the report service if enabled. They report invalid settings. */
export const portalProcesses = (given: Environment): LaunchedProcess[] => {
  const env = withoutCarriageReturns(given)
  return [portalProcess(env, given), ...reportsProcesses(env, given)]
}

/** @param given as it is: an earlier version may have encrypted with a secret that ends in a CR */
const portalProcess = (env: Environment, given: Environment): LaunchedProcess => ({
  name: 'portal',
  args: [...node, join(packages, 'server/src/main.ts')],
  env: given,
  readyUrl: `${localAddress(env.HOST, env.PORT, 3000)}/readyz`,
})

const reportsProcesses = (env: Environment, given: Environment): LaunchedProcess[] =>
  env.REPORTS_ENABLED === 'true' || env.REPORTS_ENABLED === '1'
    ? [
        {
          name: 'serviço de relatórios',
          args: [...node, join(packages, 'reports/src/main.ts')],
          env: {
            ...onlyReports(env),
            // Passes values that the portal derives from settings the report service does not get.
            PUBLIC_URL: portalAddress(env),
            REPORTS_URL: reportsAddress(env),
            REPORTS_DATA_DIR: reportsFolder(given),
          },
          readyUrl: `${localAddress(env.HOST, env.REPORTS_PORT, 3001)}/readyz`,
          hasLowPriority: true,
        },
      ]
    : []

/** Keeps only settings of the report service, without the portal's secrets. */
const onlyReports = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      /^(PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|NODE_\w+|MALLOC_\w+|HOST|METRICS_HOST|OTEL_(?!SERVICE_NAME)\w+|LOG_\w+|DRAIN_SECONDS|REPORTS_\w+)$/.test(
        name,
      ),
    ),
  )

/** The address for users. An invalid one is returned as is: the portal reports it. */
export const portalAddress = (env: Environment) =>
  env.PUBLIC_URL || `http://localhost:${portOf(env.PORT, 3000)}`

export const reportsAddress = (env: Environment) =>
  env.REPORTS_URL || `http://localhost:${portOf(env.REPORTS_PORT, 3001)}`

/** Returns the data folder of the report service: REPORTS_DATA_DIR, or one in DATA_DIR. */
export const reportsFolder = (given: Environment): string => {
  const { DATA_DIR, REPORTS_DATA_DIR } = withoutCarriageReturns(given)
  const own = REPORTS_DATA_DIR?.trim() ? given.REPORTS_DATA_DIR : undefined
  // Its own as it is given: the service refuses a folder whose name ends with a carriage return.
  return own ?? join(DATA_DIR?.trim() ? DATA_DIR : './data', 'reports')
}

/** Returns the address of a local server; loopback if it listens on all interfaces. */
export function localAddress(host: string | undefined, port: string | undefined, standard: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = !host || everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portOf(port, standard)}`
}

/** Milliseconds that the services drain after SIGTERM. They report an invalid value themselves. */
export const drainMs = ({ DRAIN_SECONDS = '5' }: Environment): number =>
  /^\d{1,3}$/.test(DRAIN_SECONDS) ? Number(DRAIN_SECONDS) * 1000 : 0

const portOf = (given: string | undefined, standard: number) =>
  given && /^\d{1,5}$/.test(given) ? given : standard
