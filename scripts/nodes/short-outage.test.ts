import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type TestContext, test } from 'vitest'
import {
  nameOf,
  password,
  spawnServer,
  untilReady,
} from '../../packages/server/test/processes/killed-server.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { startOwnPostgres } from '../machines/postgres.ts'

const callsOfEachKind = 20

const startPortal = async ({ expect, onTestFinished }: TestContext) => {
  const database = await startOwnPostgres({ isDurable: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-outage-'))
  const server = await spawnServer(dataDir, { DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  onTestFinished(async () => {
    const ended = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    await ended
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const call = async (path: string, token?: string, body?: object) => {
    const startedAt = performance.now()
    const response = await fetch(`${server.url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      ms: performance.now() - startedAt,
      body: (await response.json()) as { access_token: string },
    }
  }
  expect(await untilReady(server), server.output()).toBe(true)
  const { body } = await call('/usuarios/authorizer', undefined, { username: nameOf(0), password })
  return { database, server, call, token: body.access_token }
}

// They mostly wait.
const options = { concurrent: true, skip: !findPostgres() }

test('calls that begin while PostgreSQL restarts wait for it', options, async (context) => {
  const { expect } = context
  const { database, call, token } = await startPortal(context)
  const restarted = database.restart('fast', 2_000)
  await sleep(500)
  const calls = Array.from({ length: callsOfEachKind }, async (_, n) => {
    await sleep(50 * n)
    const written = call('/responsavel', token, { nomeResponsavel: `Responsável ${n}` })
    return Promise.all([call('/usuarios/menus', token), written])
  })
  const answers = (await Promise.all(calls)).flat()
  await restarted
  const counts = Object.groupBy(answers, ({ status }) => String(status))
  expect(Object.keys(counts)).toEqual(['200', '201'])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as kept from responsavel where nome_responsavel like 'Responsável %'`,
  )
  await client.end()
  expect(rows).toEqual([{ kept: callsOfEachKind }])
})

test('calls fail at once when PostgreSQL has been away for four seconds', options, async (context) => {
  const { expect } = context
  const { database, server, call, token } = await startPortal(context)
  const restarted = database.restart('fast', 9_000)
  await sleep(500)
  const early = Promise.all(Array.from({ length: 5 }, () => call('/usuarios/menus', token)))
  await sleep(5_500)
  const late = await Promise.all(Array.from({ length: 5 }, () => call('/usuarios/menus', token)))
  const readiness = await fetch(`${server.url}/readyz`)
  for (const { status, retryAfter } of [...(await early), ...late]) {
    expect([status, retryAfter]).toEqual([503, '2'])
  }
  expect(Math.max(...(await early).map(({ ms }) => ms))).toBeLessThan(6_000)
  expect(Math.max(...late.map(({ ms }) => ms))).toBeLessThan(2_000)
  expect([readiness.status, readiness.headers.get('retry-after')]).toEqual([503, '2'])
  await restarted
  await expect.poll(async () => (await call('/usuarios/menus', token)).status, { timeout: 2_000 }).toBe(200)
})
