import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ensureServiceFile, type ServiceFile } from '@bi-manager/reports/protocol/rest/service-file'
import { untilReady, withLowPriority } from '../../scripts/launch/launch.ts'
import { freePort } from '../../scripts/machines/ports.ts'

const main = fileURLToPath(new URL('../../packages/reports/src/main.ts', import.meta.url))

type ReportAddress = Record<'workspaceId' | 'reportId', string>
/** The effective identity of a token, for a dataset with roles. */
interface TokenIdentity {
  username: string
  roles: string[]
  datasets: string[]
  customData?: string
}

/**
 * Starts the real report service in a separate process and waits until it is ready.
 * @param embedderOrigin the origin that may frame its reports
 * @param settings further environment of its process
 */
export async function startReportService(
  dataDir: string,
  embedderOrigin: string,
  settings: Record<string, string> = {},
) {
  const credentials = await ensureServiceFile(dataDir)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const started = performance.now()
  // Started like the product does.
  const [command, args] = withLowPriority(process.execPath, [main])
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      REPORTS_PORT: String(port),
      REPORTS_URL: origin,
      REPORTS_DATA_DIR: dataDir,
      PUBLIC_URL: embedderOrigin,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  const service = { name: 'serviço de relatórios', args, readyUrl: `${origin}/readyz` }
  await Promise.race([
    untilReady(service, 300_000, new AbortController().signal),
    ended.then(() => Promise.reject(new Error('the service ended'))),
  ])
  return {
    origin,
    seconds: (performance.now() - started) / 1000,
    pid: child.pid ?? 0,
    /** The first application of the service's file. */
    application: credentials.applications[0],
    token: (report: ReportAddress, identities: TokenIdentity[] = []) =>
      embedToken(origin, credentials, report, identities),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Requests a token like the portal: OAuth2, then GenerateToken. */
async function embedToken(
  origin: string,
  { tenantId, applications }: ServiceFile,
  { workspaceId, reportId }: ReportAddress,
  identities: TokenIdentity[],
): Promise<string> {
  const [application] = applications
  const { access_token: access } = await json(`${origin}/${tenantId}/oauth2/v2.0/token`, {
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    }),
  })
  const { token } = await json(
    `${origin}/v1.0/myorg/groups/${workspaceId}/reports/${reportId}/GenerateToken`,
    {
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: JSON.stringify({ accessLevel: 'View', ...(identities.length > 0 && { identities }) }),
    },
  )
  return token ?? ''
}

async function json(address: string, init: RequestInit): Promise<Record<string, string>> {
  const response = await fetch(address, { method: 'POST', ...init })
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}
