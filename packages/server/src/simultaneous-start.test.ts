import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@bi-manager/telemetry/logging'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, password } from '../test/processes/killed-server.ts'
import { loadConfig } from './platform/config/config.ts'
import { openConfigured } from './platform/db/configured-database.ts'
import { startServer } from './start-server.ts'

/* PostgreSQL only: the embedded database serves one process. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const processes = 5
const secret = 'segredo-de-teste-com-mais-de-32-letras'

test.runIf(isPostgres)(
  'processes that start together on an empty database create one administrator',
  {
    timeout: 90_000,
  },
  async () => {
    const databaseUrl = await createEmptyDatabase()
    const folders = await Promise.all(
      Array.from({ length: processes }, () => mkdtemp(join(tmpdir(), 'bi-manager-start-'))),
    )
    onTestFinished(async () => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    })
    const log = createLogger({ service: 'portal', level: 'silent', format: 'json' })
    const configs = await Promise.all(
      folders.map(async (DATA_DIR) => {
        const given = { DATABASE_URL: databaseUrl, APP_SECRET: secret, ADMIN_PASSWORD: password, DATA_DIR }
        return loadConfig({ ...given, PORT: String(await freePort()), LOG_LEVEL: 'silent' })
      }),
    )
    const started = await Promise.allSettled(
      configs.map((config) =>
        startServer(config, { log, opening: openConfigured(config, { log, onLost: () => {} }) }),
      ),
    )
    for (const one of started) if (one.status === 'fulfilled') await one.value.close()
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([])

    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const { rows } = await client.query(`select
    (select count(*)::int from usuario) as people,
    (select count(*)::int from auditoria where acao = 'installation.created') as installations`)
    await client.end()
    expect(rows).toEqual([{ people: 1, installations: 1 }])
  },
)

/* The kind: a limit that the server sets for calls ends work that must wait longer. */
test.runIf(isPostgres)(
  'a process waits for another one that starts, whatever limits the server has',
  { timeout: 90_000 },
  async () => {
    const databaseUrl = await createEmptyDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'bi-manager-start-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const other = new pg.Client({ connectionString: databaseUrl })
    await other.connect()
    await other.query(`begin; select pg_advisory_xact_lock(hashtextextended('bi-manager start', 0))`)
    const log = createLogger({ service: 'portal', level: 'silent', format: 'json' })
    const config = loadConfig({
      DATABASE_URL: `${databaseUrl}?options=-c%20lock_timeout%3D100ms`,
      APP_SECRET: secret,
      ADMIN_PASSWORD: password,
      DATA_DIR: folder,
      PORT: String(await freePort()),
      LOG_LEVEL: 'silent',
    })
    let outcome: unknown
    const opening = openConfigured(config, { log, onLost: () => {} })
    const started = startServer(config, { log, opening }).then(
      (server) => {
        outcome = 'started'
        return server
      },
      (error: unknown) => {
        outcome = error
      },
    )
    const hasWaited = async () => {
      const { rowCount } = await other.query(`select from pg_locks where locktype = 'advisory' and not granted
        and waitstart < clock_timestamp() - interval '500 ms'`)
      return rowCount === 1 || outcome
    }
    await expect.poll(hasWaited, { timeout: 60_000 }).toBe(true)
    await other.query('commit')
    await other.end()
    await (await started)?.close()
    expect(outcome).toBe('started')
  },
)

const createEmptyDatabase = async (): Promise<string> => {
  const server = process.env.TEST_DATABASE_URL ?? ''
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  onTestFinished(() => run(`drop database ${name} with (force)`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
