import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLAIMS, claimsReport, fixtureFiles, visual, writeFiles } from '../test/fixture.ts'
import { ensureServiceFile } from './protocol/rest/service-file.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Runs the start command as an operator does. */
const run = async (env: Record<string, string>, { hasLauncher = false } = {}) => {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', DRAIN_SECONDS: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe', ...(hasLauncher ? (['ipc'] as const) : [])],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  return { child, exit, said: () => said }
}

const messagesOf = (log: string): string[] =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).msg)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

test('the service names the invalid setting and exits with 78', async () => {
  const { exit, said } = await run({ REPORTS_PORT: 'abc' })
  expect(await exit).toBe(78)
  expect(messagesOf(said())).toEqual([
    'Configuração inválida: REPORTS_PORT deve ser um número inteiro de 1 a 65535.',
  ])
})

test('the start names REPORTS_METRICS_PORT when that port is in use, also with a Windows line end', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void holder.close())
  await once(holder, 'listening')
  const taken = holder.address()
  const port = typeof taken === 'object' && taken ? taken.port : 0
  const dataDir = await mkdtemp(join(tmpdir(), 'main-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { exit, said } = await run({
    REPORTS_PORT: String(await freePort()),
    REPORTS_DATA_DIR: dataDir,
    REPORTS_METRICS_PORT: `${port}\r`,
    METRICS_HOST: '127.0.0.1',
  })
  expect(await exit).toBe(78)
  expect(messagesOf(said())).toContain(
    'O serviço de relatórios não iniciou: a porta de REPORTS_METRICS_PORT já está em uso.',
  )
}, 30_000)

test('the service refuses a name of certificates with a Windows line end, with nothing but JSON in the log', async () => {
  const { exit, said } = await run({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem\r', LOG_FORMAT: 'json' })
  expect(await exit).toBe(78)
  expect(messagesOf(said())).toEqual([
    expect.stringMatching(/^Configuração inválida: NODE_EXTRA_CA_CERTS termina com um retorno de carro/),
  ])
}, 30_000)

test('the service stops although a connection has sent nothing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'main-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const port = await freePort()
  const { child, exit, said } = await run({ REPORTS_PORT: String(port), REPORTS_DATA_DIR: dataDir })
  await expect.poll(said, { timeout: 15_000 }).toContain('data loaded')
  const socket = connect(port, 'localhost')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
}, 30_000)

test('the service logs at the first start what to enter in the portal, without the secret', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'main-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await writeFiles(dataDir, fixtureFiles)
  const start = async () => {
    const started = await run({ REPORTS_PORT: String(await freePort()), REPORTS_DATA_DIR: dataDir })
    await expect.poll(started.said, { timeout: 15_000 }).toContain('data loaded')
    started.child.kill('SIGTERM')
    expect(await started.exit).toBe(0)
    return started.said()
  }
  const first = await start()
  const { applications, users, signingKey } = await ensureServiceFile(dataDir)
  const file = join(dataDir, 'service.json')
  expect(first).toContain(`com Username ${applications[0]?.clientId} e Provedor Local`)
  expect(messagesOf(first).join('\n')).toContain(
    `A Senha é o clientSecret de ${file}, que só o usuário do serviço lê.`,
  )
  expect(messagesOf(first)).toEqual(expect.arrayContaining(['started', 'stopping', 'stopped']))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(first).not.toContain(applications[0]?.clientSecret)
  expect(first).not.toContain(users[0]?.password)
  expect(first).not.toContain(signingKey)
  const second = await start()
  expect(second).not.toContain(applications[0]?.clientSecret)
  expect(second).not.toContain('Username')
}, 60_000)

test('the service logs at the first start next to the portal that nothing has to be registered', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'main-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const env = { REPORTS_PORT: String(await freePort()), REPORTS_DATA_DIR: dataDir }
  const { child, exit, said } = await run(env, { hasLauncher: true })
  await expect.poll(said, { timeout: 15_000 }).toContain('data loaded')
  child.kill('SIGTERM')
  await exit
  expect(messagesOf(said())).toContain(
    'O portal cadastra e testa sozinho a conexão com este serviço de relatórios.',
  )
  expect(said()).not.toContain('Username')
}, 30_000)

describe('draining', { timeout: 60_000 }, () => {
  const begin = async (seconds: string) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'main-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const url = `http://localhost:${await freePort()}`
    const { child, exit } = await run({
      REPORTS_PORT: new URL(url).port,
      REPORTS_DATA_DIR: dataDir,
      DRAIN_SECONDS: seconds,
    })
    const statusOf = (path: string) =>
      fetch(url + path).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(() => statusOf('/readyz'), { timeout: 15_000 }).toBe(200)
    return { child, exit, statusOf }
  }

  test('draining answers 503 on /readyz after SIGTERM, serves every other call, and then exits with 0', async () => {
    const { child, exit, statusOf } = await begin('2')
    const since = Date.now()
    child.kill('SIGTERM')
    await expect.poll(() => statusOf('/readyz')).toBe(503)
    expect(await statusOf('/healthz')).toBe(200)
    expect(await exit).toBe(0)
    expect(Date.now() - since).toBeGreaterThan(1_900)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('draining is cut short by %s', async (signal) => {
    const { child, exit, statusOf } = await begin('60')
    const since = Date.now()
    child.kill('SIGTERM')
    await expect.poll(() => statusOf('/readyz')).toBe(503)
    child.kill(signal)
    expect(await exit).toBe(0)
    expect(Date.now() - since).toBeLessThan(10_000)
  })
})

test('the service finishes running requests on SIGTERM and exits with 0', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'main-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const slow = 'SELECT count(*) AS n FROM Claims, range(20000) a(x), range(2000) b(y) WHERE (x * y) % 7 = 1'
  const pages = [{ name: 'Main', displayName: 'P', visuals: [visual('slow', slow)] }]
  await writeFiles(dataDir, { ...fixtureFiles, 'workspaces/one/claims.json': { ...claimsReport, pages } })
  const { tenantId, applications } = await ensureServiceFile(dataDir)
  const port = await freePort()
  const { child, exit } = await run({ REPORTS_PORT: String(port), REPORTS_DATA_DIR: dataDir })
  const url = `http://localhost:${port}`
  await expect
    .poll(
      () =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 15_000 },
    )
    .toBe(200)

  const post = async (path: string, authorization: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const [application] = applications
  const entra = await fetch(`${url}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    }),
  })
  const { access_token: token } = (await entra.json()) as { access_token: string }
  const generated = await post('/v1.0/myorg/GenerateToken', `Bearer ${token}`, {
    reports: [{ id: claimsReport.id }],
    identities: [{ username: 'ana', roles: ['todos'], datasets: [CLAIMS] }],
  })
  const { token: embedToken } = (await generated.json()) as { token: string }

  let isAnswered = false
  const answer = post(`/embed-api/reports/${claimsReport.id}/data`, `EmbedToken ${embedToken}`, {
    page: 'Main',
    filters: [],
  }).finally(() => {
    isAnswered = true
  })
  // The log would show the request only after it ended.
  await sleep(300)
  expect(isAnswered).toBe(false)
  child.kill('SIGTERM')
  expect((await answer).status).toBe(200)
  expect(await exit).toBe(0)
}, 30_000)
