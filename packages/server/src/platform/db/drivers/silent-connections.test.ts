import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestDatabase } from '../../../../test/database/test-database.ts'
import { isConnectionLost } from './lost-connection.ts'
import { openPostgresDialect } from './postgres-dialect.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

/** Passes bytes on until `vanish`; from then on, open connections stay open, and silent. */
const startLine = async (to: URL) => {
  const clients = new Set<Socket>()
  const silent = new Set<Socket>()
  const line = createServer((client) => {
    const server = connect(Number(to.port), to.hostname)
    clients.add(client)
    client.on('data', (bytes) => silent.has(client) || server.write(bytes))
    server.on('data', (bytes) => silent.has(client) || client.write(bytes))
    for (const [end, other] of [
      [client, server],
      [server, client],
    ] as const) {
      end.on('error', () => {})
      end.on('close', () => silent.has(client) || other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    line.close()
  })
  const url = new URL(to)
  Object.assign(url, { hostname: '127.0.0.1', port: String((line.address() as { port: number }).port) })
  const vanish = () => {
    for (const client of clients) silent.add(client)
  }
  return { url: url.href, vanish }
}

test.runIf(isPostgres)(
  'connections to a machine that has vanished are given up, and calls go on over new ones',
  { timeout: 60_000 },
  async () => {
    const { databaseUrl = '', close } = await openTestDatabase({ alone: true })
    onTestFinished(close)
    const outside = new pg.Client({ connectionString: databaseUrl })
    await outside.connect()
    // The client's limit is longer than the server's by 10 s.
    await outside.query(
      `alter role current_user in database "${new URL(databaseUrl).pathname.slice(1)}" set statement_timeout = '2s'`,
    )
    await outside.end()
    const { url, vanish } = await startLine(new URL(databaseUrl))
    const db = new Kysely({ dialect: await openPostgresDialect(url, () => {}) })
    onTestFinished(() => db.destroy())
    const ask = () => sql<{ n: number }>`select 1 as n, pg_sleep(0.05)`.execute(db)
    await Promise.all(Array.from({ length: 10 }, ask))

    vanish()
    const since = performance.now()
    const lost = await Promise.allSettled([ask(), sleep(6_000)]).then(([answer]) => answer)
    expect(lost.status === 'rejected' && isConnectionLost(lost.reason)).toBe(true)
    expect(performance.now() - since).toBeLessThan(14_000)
    const resumed = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(performance.now() - resumed).toBeLessThan(4_000)
  },
)

test.runIf(isPostgres)(
  'a transaction that lifts the limit of the server may wait for longer',
  { timeout: 60_000 },
  async () => {
    const { databaseUrl = '', close } = await openTestDatabase({ alone: true })
    onTestFinished(close)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const db = new Kysely({ dialect: await openPostgresDialect(databaseUrl, () => {}) })
    onTestFinished(() => db.destroy())
    const limitOf = (text: string) =>
      query.mock.calls
        .map(([statement]) => statement as unknown as { text?: string; query_timeout?: number })
        .findLast((statement) => statement.text === text)?.query_timeout
    await db.transaction().execute(async (tx) => {
      await sql`select 1 as limited`.execute(tx)
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`select 1 as unlimited`.execute(tx)
    })
    await sql`select 1 as limited_again`.execute(db)
    expect(
      ['select 1 as limited', 'select 1 as unlimited', 'select 1 as limited_again'].map(limitOf),
    ).toEqual([40_000, undefined, 40_000])
  },
)

test.runIf(isPostgres)('a clock that is set back while the database is away holds no call', async () => {
  const { databaseUrl = '', close } = await openTestDatabase({ alone: true })
  onTestFinished(close)
  const db = new Kysely({ dialect: await openPostgresDialect(databaseUrl, () => {}) })
  onTestFinished(() => db.destroy())
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(() => Promise.reject(refused))
  const call = sql`select 1`.execute(db)
  const clock = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => clock() - 3_600_000)
  const since = performance.now()
  await expect(call).rejects.toThrow('ECONNREFUSED')
  expect(performance.now() - since).toBeLessThan(8_000)
})
