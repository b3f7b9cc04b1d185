import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  nameOf,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '../../packages/server/test/processes/killed-server.ts'
import { freePort } from '../machines/ports.ts'
import { startOwnPostgres } from '../machines/postgres.ts'

/* A real HAProxy that tries each request once and checks the readiness of each portal every 2 s. */

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0
const nodes = 2
const callsPerSecond = 50
const checkMs = 2000

test.skipIf(!hasHaproxy)('a rolling restart behind a load balancer fails no call', async () => {
  const database = await startOwnPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'bi-manager-rolling-'))
  const settings = {
    DATABASE_URL: database.url,
    APP_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
    DRAIN_SECONDS: '5',
  }
  const start = async (n: number, port?: string): Promise<Server> => {
    const server = await spawnServer(join(folder, `node-${n}`), {
      ...settings,
      ...(port ? { PORT: port } : {}),
    })
    expect(await untilReady(server), server.output()).toBe(true)
    return server
  }
  const servers: Server[] = []
  let balancer: ChildProcess | undefined
  try {
    for (let n = 0; n < nodes; n += 1) servers.push(await start(n))
    const port = await freePort()
    const configuration = join(folder, 'haproxy.cfg')
    await writeFile(configuration, balancerSettings(port, servers))
    balancer = spawn('haproxy', ['-db', '-f', configuration], { stdio: 'ignore' })
    const origin = `http://127.0.0.1:${port}`
    await expect
      .poll(
        () =>
          fetch(`${origin}/healthz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(200)

    const signedIn = await fetch(`${origin}/api/usuarios/authorizer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: nameOf(0), password }),
    })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const calls: Promise<string>[] = []
    const call = async (n: number): Promise<string> => {
      const request =
        n % 5 === 0
          ? fetch(`${origin}/api/responsavel`, {
              method: 'POST',
              headers,
              body: JSON.stringify({ nomeResponsavel: `Responsável ${n}` }),
            })
          : fetch(`${origin}/api/usuarios/menus`, { headers })
      return request.then(
        async (response) => {
          await response.arrayBuffer()
          return String(response.status)
        },
        (error: Error) => String(error.cause ?? error),
      )
    }
    const calling = setInterval(() => calls.push(call(calls.length)), 1000 / callsPerSecond)
    for (const [n, server] of servers.entries()) {
      await sleep(2 * checkMs)
      const ended = once(server.child, 'exit')
      server.child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      servers[n] = await start(n, new URL(server.url).port)
    }
    await sleep(2 * checkMs)
    clearInterval(calling)
    const counts = Object.entries(Object.groupBy(await Promise.all(calls), (outcome) => outcome))
    console.log(
      `rolling restart of ${nodes}: ${counts.map(([outcome, all]) => `${outcome}: ${all?.length}`).join(', ')}`,
    )
    expect(counts.map(([outcome]) => outcome).sort()).toEqual(['200', '201'])
  } finally {
    balancer?.kill('SIGTERM')
    for (const { child } of servers) child.kill('SIGKILL')
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

const balancerSettings = (port: number, servers: Server[]): string => `
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 30s
  timeout server 30s
frontend portal
  bind 127.0.0.1:${port}
  default_backend portals
backend portals
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter ${checkMs}ms fall 1 rise 1
${servers.map(({ url }, n) => `  server node${n} localhost:${new URL(url).port}`).join('\n')}
`
