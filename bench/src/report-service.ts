import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ensureServiceFile, type ServiceFile } from '@bi-manager/reports/rest/service-file'
import { withLowPriority } from '../../scripts/launch/launch.ts'

const main = fileURLToPath(new URL('../../packages/reports/src/main.ts', import.meta.url))

export interface ReportAddress {
  workspaceId: string
  reportId: string
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
  await Promise.race([untilReady(origin), ended.then(() => Promise.reject(new Error('the service ended')))])
  return {
    origin,
    seconds: (performance.now() - started) / 1000,
    token: (report: ReportAddress) => embedToken(origin, credentials, report),
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
      body: JSON.stringify({ accessLevel: 'View' }),
    },
  )
  return token ?? ''
}

async function json(address: string, init: RequestInit): Promise<Record<string, string>> {
  const response = await fetch(address, { method: 'POST', ...init })
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilReady(origin: string) {
  for (let tries = 0; tries < 3000; tries++) {
    const ready = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${origin} did not become ready`)
}
