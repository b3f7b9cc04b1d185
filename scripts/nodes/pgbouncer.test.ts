import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPostgresDialect } from '../../packages/server/src/db/drivers/postgres-dialect.ts'
import {
  nameOf,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '../../packages/server/test/processes/killed-server.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { freePort } from '../machines/ports.ts'
import { type RestartablePostgres, startOwnPostgres } from '../machines/postgres.ts'

/*
 * Runs a real PgBouncer in transaction mode. Debian 12 has 1.18, which loses prepared statements.
 * Without PgBouncer the tests are reported as skipped.
 */

const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0
/** PgBouncer refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

describe.skipIf(!hasPgbouncer || !findPostgres())('the portal behind PgBouncer in transaction mode', () => {
  let database: RestartablePostgres
  let pooler: ChildProcess
  let server: Server
  let withoutSetting: string
  const folder = mkdtempSync('/tmp/bi-manager-pgbouncer-')

  beforeAll(async () => {
    database = await startOwnPostgres()
    const direct = new URL(database.url)
    const port = await freePort()
    chmodSync(folder, 0o755)
    const users = join(folder, 'users')
    writeFileSync(users, `"${direct.username}" "${direct.password}"\n`)
    const settings = join(folder, 'pgbouncer.ini')
    writeFileSync(
      settings,
      `[databases]
* = host=127.0.0.1 port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
server_login_retry = 1
`,
    )
    pooler = spawn('pgbouncer', ['-q', settings], { ...nobody, cwd: folder, stdio: 'ignore' })
    const pooled = new URL(direct)
    pooled.port = String(port)
    withoutSetting = pooled.href
    pooled.searchParams.set('pgbouncer', 'true')
    server = await spawnServer(folder, { DATABASE_URL: pooled.href })
  })
  afterAll(async () => {
    for (const child of [server.child, pooler]) {
      if (child.exitCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('starts, and answers reads and writes that share connections', async () => {
    expect(await untilReady(server), server.output()).toBe(true)
    const call = async (path: string, body?: object, token?: string) =>
      fetch(`${server.url}/api${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const signedIn = await call('/usuarios/authorizer', { username: nameOf(0), password })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const statuses: number[] = []
    for (let round = 0; round < 15; round += 1) {
      const calls = Array.from({ length: 20 }, (_, n) =>
        n % 2
          ? call('/usuarios/menus', undefined, access_token)
          : call('/responsavel', { nomeResponsavel: `Responsável ${round}.${n}` }, access_token),
      )
      for (const { status } of await Promise.all(calls)) statuses.push(status)
    }
    const counts = [200, 201].map((status) => statuses.filter((one) => one === status).length)
    expect(counts, server.output()).toEqual([150, 150])
  })

  test('makes calls that start while PostgreSQL restarts wait for it', async () => {
    const db = new Kysely({
      dialect: await openPostgresDialect(`${withoutSetting}?pgbouncer=true`, () => {}),
    })
    const ask = (n: number) => sql<{ n: number }>`select ${n}::int as n`.execute(db)
    const restarted = database.restart('fast', 2_000)
    await sleep(500)
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        await sleep(10 * n)
        return (await ask(n)).rows[0]?.n
      }),
    )
    await restarted
    await db.destroy()
    expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  test('names the setting when prepared statements are lost', async () => {
    const onError = vi.fn()
    const db = new Kysely({ dialect: await openPostgresDialect(withoutSetting, onError) })
    const ask = (n: number) => sql`select ${n}::int as n`.execute(db)
    for (let round = 0; round < 5; round += 1) {
      await Promise.allSettled(Array.from({ length: 8 }, (_, n) => ask(n)))
    }
    await db.destroy()
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ message: expect.stringMatching(/pgbouncer=true/) })],
    ])
  })

  test('limits statements to 30 s by a default of the role', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query('show statement_timeout')
    await client.end()
    expect(rows).toEqual([{ statement_timeout: '30s' }])
  })
})
