import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { residentBytes } from '@bi-manager/telemetry/process-memory'
import { expect, onTestFinished, test } from 'vitest'
import {
  API_SCOPE,
  CLAIMS,
  claimsReport,
  fixtureFiles,
  GROUP,
  REPORT,
  visual,
  writeFiles,
} from '../../../test/fixture.ts'
import { ensureServiceFile } from '../rest/service-file.ts'

/* Twenty answers of 20 MB that one reader does not read, with the limits of the product. */

const large = "SELECT id, rpad('', 2000, 'x') AS t FROM Claims, range(2000)"
const files = {
  ...fixtureFiles,
  'workspaces/one/claims.json': {
    ...claimsReport,
    pages: [{ name: 'Large', displayName: 'Grande', visuals: [visual('large', large)] }],
  },
}

/** Starts the service as a process of its own, whose memory is measured. */
const startProcess = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'unread-'))
  await writeFiles(dataDir, files)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()
  const env = { ...process.env, REPORTS_DATA_DIR: dataDir, REPORTS_PORT: String(port), LOG_FORMAT: 'json' }
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], { env: { ...env, REPORTS_URL: `http://127.0.0.1:${port}` } })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const exit = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exit
    await rm(dataDir, { recursive: true })
  })
  await expect.poll(() => said, { timeout: 60_000 }).toContain('data loaded')
  const lines = () => said.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const megabytes = () => Math.round((residentBytes(child.pid ?? 0) ?? 0) / 1e6)
  return { dataDir, port, lines, megabytes }
}

const tokenOf = async ({ dataDir, port }: { dataDir: string; port: number }): Promise<string> => {
  const { tenantId, applications } = await ensureServiceFile(dataDir)
  const base = `http://127.0.0.1:${port}`
  const form = {
    grant_type: 'client_credentials',
    client_id: applications[0]?.clientId ?? '',
    client_secret: applications[0]?.clientSecret ?? '',
    scope: API_SCOPE,
  }
  const entra = await fetch(`${base}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token } = (await entra.json()) as { access_token: string }
  const answer = await fetch(`${base}/v1.0/myorg/groups/${GROUP}/reports/${REPORT}/GenerateToken`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ identities: [{ username: 'ana@x.br', datasets: [CLAIMS], roles: ['todos'] }] }),
  })
  return ((await answer.json()) as { token: string }).token
}

const askUnread = async (port: number, token: string) => {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const body = JSON.stringify({ page: 'Large', filters: [] })
  const head = `POST /embed-api/reports/${REPORT}/data HTTP/1.1\r\nhost: x\r\nauthorization: EmbedToken ${token}`
  socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
}

test('twenty unread answers of one reader take the memory of four, for a minute', async () => {
  const service = await startProcess()
  const token = await tokenOf(service)
  const before = service.megabytes()
  await Promise.all(Array.from({ length: 20 }, () => askUnread(service.port, token)))
  let most = before
  const answered = () => service.lines().filter(({ path }) => String(path).endsWith('/data'))
  for (const end = Date.now() + 150_000; answered().length < 20 && Date.now() < end; ) {
    most = Math.max(most, service.megabytes())
    await sleep(100)
  }
  console.log(`20 unread answers of 20 MB: ${before} MB before, ${most} MB at most`)
  const codes = answered().map(({ code }) => code)
  expect(codes.filter((code) => code === 'UnreadAnswer')).toHaveLength(4)
  expect(codes.filter((code) => code === 'TooManyUnreadAnswers')).toHaveLength(16)
  // The texts of all twenty alone; without the limits, 842 MB were measured, and with them 280 to 321.
  expect(most - before).toBeLessThan(20 * 20)
}, 300_000)
