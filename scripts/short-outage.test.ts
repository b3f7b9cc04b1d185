import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { nameOf, password, spawnServer, untilReady } from '../packages/server/test/killed-server.ts'
import { startOwnPostgres } from './postgres.ts'
import { findPostgres } from './tools.ts'

const callsOfEachKind = 20

test.skipIf(!findPostgres())('calls that begin while PostgreSQL restarts wait for it', async () => {
  const database = await startOwnPostgres({ isDurable: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-outage-'))
  const server = await spawnServer(dataDir, { DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  const call = async (path: string, token?: string, body?: object) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as { access_token: string } }
  }
  try {
    expect(await untilReady(server), server.output()).toBe(true)
    const { access_token: token } = (
      await call('/usuarios/authorizer', undefined, { username: nameOf(0), password })
    ).body
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
  } finally {
    const ended = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    await ended
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
