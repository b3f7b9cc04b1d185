import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresDialect } from '../../packages/server/src/platform/db/drivers/postgres-dialect.ts'
import { unusualDefaultsSql } from '../../packages/server/test/database/owned-database.ts'
import {
  messagesOf,
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
 * Runs a real PgBouncer. Debian 12 has 1.18, which loses prepared statements. Without PgBouncer the
 * tests are reported as skipped.
 */

const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0
/** PgBouncer refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Starts PgBouncer in front of a server, as in the manual. */
const startPooler = async (
  database: RestartablePostgres,
  folder: string,
  mode: 'transaction' | 'session',
) => {
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
admin_users = ${direct.username}
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 12 : 4}
server_login_retry = 1
`,
  )
  const pooler = spawn('pgbouncer', ['-q', settings], { ...nobody, cwd: folder, stdio: 'ignore' })
  const pooled = new URL(direct)
  pooled.port = String(port)
  return { pooler, url: pooled.href }
}

const callerOf =
  ({ url }: Server) =>
  (path: string, body?: object, token?: string) =>
    fetch(`${url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })

const end = async (...children: ChildProcess[]) => {
  for (const child of children) {
    if (child.exitCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

describe.skipIf(!hasPgbouncer || !findPostgres())('the portal behind PgBouncer in transaction mode', () => {
  let database: RestartablePostgres
  let pooler: ChildProcess
  let server: Server
  let withoutSetting: string
  const folder = mkdtempSync('/tmp/bi-manager-pgbouncer-')

  beforeAll(async () => {
    database = await startOwnPostgres()
    const started = await startPooler(database, folder, 'transaction')
    pooler = started.pooler
    withoutSetting = started.url
    server = await spawnServer(folder, { DATABASE_URL: `${withoutSetting}?pgbouncer=true` })
  })
  afterAll(async () => {
    await end(server.child, pooler)
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the portal starts, and answers reads and writes that share connections', async () => {
    expect(await untilReady(server), server.output()).toBe(true)
    const call = callerOf(server)
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

  // The kind: PgBouncer sends every failure as 08P01, which looks like a server that is away.
  test.each([
    ['a database that does not exist', { pathname: '/nenhum' }, 'O banco nenhum não existe: crie-o, ou'],
    ['a wrong password', { password: 'errada' }, 'O PostgreSQL recusou a senha do papel bi_manager:'],
    ['a missing password', { password: '' }, 'Falta a senha em DATABASE_URL, ou ela está errada.'],
  ])('the driver says why it cannot open the database: %s', async (_, change, sentence) => {
    const url = Object.assign(new URL(withoutSetting), change).href
    await expect(openPostgresDialect(url, () => {})).rejects.toThrow(sentence)
  })

  test('the driver makes calls that start while PostgreSQL restarts wait for it', async () => {
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

  test('the driver names the setting when prepared statements are lost', async () => {
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

  test('the role limits statements to 30 s, and waits for locks to 5 s, by its defaults', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(limits)
    await client.end()
    expect(rows).toEqual([{ statement: '30s', lock: '5s' }])
  })
})

const limits = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`

test.skipIf(!hasPgbouncer || !findPostgres())(
  'the first start leaves PgBouncer no connection without limits',
  async () => {
    const folder = mkdtempSync('/tmp/bi-manager-pgbouncer-')
    const database = await startOwnPostgres()
    const { pooler, url } = await startPooler(database, folder, 'transaction')
    onTestFinished(async () => {
      await end(pooler)
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const client = new pg.Client({ connectionString: url })
    await expect
      .poll(() => openPostgresDialect(`${url}?pgbouncer=true`, () => {}).catch(String), { timeout: 10_000 })
      .toBeInstanceOf(Object)
    // The next transaction gets the connection that was used last.
    await client.connect()
    const { rows } = await client.query(limits)
    await client.end()
    expect(rows).toEqual([{ statement: '30s', lock: '5s' }])
  },
)

/* The kind: the pooler answers with settings of another session than the one that was prepared. */
describe.skipIf(!hasPgbouncer || !findPostgres())('a database with other defaults behind PgBouncer', () => {
  /** Those that PgBouncer tracks: it sets the old values on each new connection. */
  const differing = [
    "DateStyle = 'SQL, DMY' (deve ser 'ISO, MDY')",
    "TimeZone = 'Asia/Kathmandu' (deve ser 'UTC')",
    "standard_conforming_strings = 'off' (deve ser 'on')",
  ].join(', ')

  test.each(['transaction', 'session'] as const)(
    'the portal stops the start in %s mode until the pooler reconnects, then dates are right',
    { timeout: 120_000 },
    async (mode) => {
      const folder = mkdtempSync('/tmp/bi-manager-pgbouncer-')
      const database = await startOwnPostgres()
      onTestFinished(async () => {
        await database.stop()
        rmSync(folder, { recursive: true, force: true })
      })
      await run(database.url, unusualDefaultsSql('postgres'))
      const { pooler, url } = await startPooler(database, folder, mode)
      onTestFinished(() => end(pooler))
      await expect.poll(() => run(url, 'select 1').catch(() => undefined)).toBeDefined()
      const start = () => spawnServer(folder, { DATABASE_URL: `${url}?pgbouncer=true` })

      const refused = await start()
      onTestFinished(() => end(refused.child))
      const refusedWith = await once(refused.child, 'exit')
      expect(refusedWith, refused.output()).toEqual([78, null])
      const { host } = new URL(url)
      expect(messagesOf(refused.output())).toEqual([
        `O banco de dados responde com ${differing}: tire esses valores de DATABASE_URL, de PGOPTIONS, do pooler e do papel, e atrás de um PgBouncer dê RECONNECT ou o reinicie. (DATABASE_URL: ${host}/postgres)`,
      ])

      const admin = new URL(url)
      admin.pathname = '/pgbouncer'
      await run(admin.href, 'RECONNECT')
      const server = await start()
      onTestFinished(() => end(server.child))
      expect(await untilReady(server), server.output()).toBe(true)
      const call = callerOf(server)
      const signedIn = await call('/usuarios/authorizer', { username: nameOf(0), password })
      const { access_token } = (await signedIn.json()) as { access_token: string }
      const person = { nomeUsuario: 'Ana', emailUsuario: 'ana@exemplo.com.br', tipoUsuario: 'USER' }
      const secret = { senhaUsuario: 'Outra senha de teste 8' }
      const created = await call('/usuarios', { ...person, ...secret, validoAte: '2030-12-05' }, access_token)
      expect(created.status).toBe(201)
      // On more connections than one.
      const lists = await Promise.all(
        Array.from({ length: 12 }, async () =>
          (await call('/usuarios?pagina=1&busca=ana', undefined, access_token)).json(),
        ),
      )
      expect(lists).toEqual(Array(12).fill([expect.objectContaining({ validoAte: '2030-12-05' })]))
    },
  )

  const run = async (connectionString: string, statement: string) => {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.query(statement)
    } finally {
      await client.end()
    }
  }
})
