import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { CamelCasePlugin, Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyEmbedded } from '../../../../test/database/embedded-template.ts'
import { type Db, openDatabase } from '../open-database.ts'
import { inTransaction } from '../transactions/in-transaction.ts'
import type { Tables } from '../types.ts'
import { dialectOver, startWorker } from './embedded-dialect.ts'

const workers: Worker[] = []
const remember = (worker: Worker) => void workers.push(worker)

let dataDir: string
let db: Db
beforeAll(async () => {
  process.on('worker', remember)
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-dialect-'))
  await copyEmbedded(join(dataDir, 'database'))
  db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
  await sql`create table parent (id int primary key)`.execute(db)
  await sql`create table child (parent int references parent deferrable initially deferred)`.execute(db)
})
afterAll(async () => {
  process.off('worker', remember)
  await db.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

const parents = async () =>
  (await sql<{ id: number }>`select id from parent order by id`.execute(db)).rows.map(({ id }) => id)

describe('transactions on the one connection', () => {
  test('a refused commit does not affect the transaction queued behind it', async () => {
    const refused = inTransaction(db, (tx) => sql`insert into child values (999)`.execute(tx))
    const undone = inTransaction(db, async (tx) => {
      for (const id of [1, 2, 3]) await sql`insert into parent values (${id})`.execute(tx)
      throw new Error('undo')
    })
    await expect(refused).rejects.toMatchObject({ code: '23503' })
    await expect(undone).rejects.toThrow('undo')
    expect(await parents()).toEqual([])
  })

  test('hundreds of concurrent statements and transactions do not mix', async () => {
    const work = Array.from({ length: 300 }, (_, i) =>
      i % 3 === 0
        ? sql`insert into parent values (${i})`.execute(db)
        : inTransaction(db, async (tx) => {
            await sql`insert into parent values (${i})`.execute(tx)
            if (i % 3 === 1) throw new Error('undo')
          }).catch(() => undefined),
    )
    await Promise.all(work)
    expect(await parents()).toEqual(Array.from({ length: 300 }, (_, i) => i).filter((i) => i % 3 !== 1))
  })

  test('transactions on the one connection reject settings, because there is only one connection', async () => {
    const serializable = db
      .transaction()
      .setIsolationLevel('serializable')
      .execute(() => Promise.resolve())
    await expect(serializable).rejects.toThrow(/take no settings/)
    expect((await parents()).length).toBeGreaterThan(0)
  })
})

test('a transaction whose `begin` fails writes nothing', { timeout: 60_000 }, async () => {
  const own = await mkdtemp(join(tmpdir(), 'bi-manager-begin-'))
  await copyEmbedded(join(own, 'database'))
  const send = await startWorker(join(own, 'database'), { onLost: console.error })
  let refused = 0
  const refusing: typeof send = (statement, ...rest) => {
    if (statement !== 'begin' || refused === 2) return send(statement, ...rest)
    refused += 1
    return Promise.reject(new Error('no transaction now'))
  }
  const unsteady = new Kysely<Tables>({ dialect: dialectOver(refusing), plugins: [new CamelCasePlugin()] })
  const write = (chave: string) =>
    inTransaction(unsteady, (tx) => tx.insertInto('falhaLogin').values({ chave, em: new Date() }).execute())
  await expect(write('refused')).rejects.toThrow('no transaction now')
  await expect(inTransaction(unsteady, async () => 'nothing asked')).rejects.toThrow('no transaction now')
  await write('begun')
  const { rows } = await sql`select chave from falha_login`.execute(unsteady)
  expect(rows).toEqual([{ chave: 'begun' }])
  await unsteady.destroy()
  await rm(own, { recursive: true, force: true })
})

describe('prepared statements', () => {
  const twice = async <T>(work: () => Promise<T>): Promise<T> => {
    await work()
    return work()
  }

  test('prepared statements return the same result the second time, for every column type, null and no rows', async () => {
    await sql`create table mixed (n int, big bigint, b boolean, t text, ts timestamptz, d date, j jsonb, u uuid,
      bytes bytea, list int[], number numeric)`.execute(db)
    const row = {
      n: 7,
      big: 2 ** 40,
      b: true,
      t: 'ação; \'"\\',
      ts: new Date('2026-11-22T10:00:00.123Z'),
      d: '2026-11-22',
      j: { a: [1, null, 'x'] },
      u: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      bytes: Uint8Array.from([0, 255, 10]),
      list: [3, 1],
      number: '12.50',
    }
    await twice(() =>
      sql`insert into mixed values (${row.n}, ${row.big}, ${row.b}, ${row.t}, ${row.ts}, ${row.d},
        ${JSON.stringify(row.j)}, ${row.u}, ${row.bytes}, ${row.list}, ${row.number})`.execute(db),
    )
    expect((await twice(() => sql`select * from mixed where n = ${7}`.execute(db))).rows).toEqual([row, row])
    // Arrives in several chunks, and exceeds the buffer that PGlite reuses.
    const long = 'ação '.repeat(400_000)
    const { rows: answers } = await twice(() => sql`select ${long}::text as t, n from mixed`.execute(db))
    expect(answers).toEqual([
      { t: long, n: 7 },
      { t: long, n: 7 },
    ])
    const { rows, numAffectedRows } = await twice(() =>
      sql`update mixed set t = ${null} where n = ${8}`.execute(db),
    )
    expect([rows, numAffectedRows]).toEqual([[], 0n])
  })

  test('prepared statements return the new columns of an altered table', async () => {
    await sql`create table changing (id int)`.execute(db)
    const read = async () => (await sql`select * from changing where id = ${1}`.execute(db)).rows
    await sql`insert into changing values (${1})`.execute(db)
    expect(await twice(read)).toEqual([{ id: 1 }])
    await sql`alter table changing add column named text default 'x'`.execute(db)
    expect(await read()).toEqual([{ id: 1, named: 'x' }])
  })

  test("prepared statements fail alone, with the database's code, without effect on later ones", async () => {
    await sql`create table once (id int primary key)`.execute(db)
    const insert = () => sql`insert into once values (${1})`.execute(db)
    await insert()
    for (let n = 0; n < 3; n += 1) await expect(insert()).rejects.toMatchObject({ code: '23505' })
    await expect(sql`select ${'x'}::int`.execute(db)).rejects.toMatchObject({ code: '22P02' })
    await expect(sql`select from nowhere where id = ${1}`.execute(db)).rejects.toMatchObject({
      code: '42P01',
    })
    expect((await sql`select id from once where id = ${1}`.execute(db)).rows).toEqual([{ id: 1 }])
  })

  test('prepared statements are limited in number while hundreds of texts run in any order', async () => {
    const ask = (n: number) => sql<{ v: number }>`select ${n}::int + ${sql.raw(String(n))} as v`.execute(db)
    const order = [...Array(450).keys(), ...Array(450).keys()]
    const answers = await Promise.all(order.map(ask))
    expect(answers.map(({ rows }) => rows[0]?.v)).toEqual(order.map((n) => 2 * n))
    const { rows } = await sql<{
      total: number
    }>`select count(*) as total from pg_prepared_statements`.execute(db)
    expect(rows[0]?.total).toBeLessThanOrEqual(200)
  })

  test('a transaction that continues after a failed statement is refused', async () => {
    await sql`create table kept (id int primary key)`.execute(db)
    const broken = inTransaction(db, async (tx) => {
      await sql`insert into kept values (${1})`.execute(tx)
      await sql`insert into kept values (${1})`.execute(tx).catch(() => undefined)
    })
    await expect(broken).rejects.toThrow()
    expect((await sql`select id from kept`.execute(db)).rows).toEqual([])
  })
})

describe('a database worker that dies', () => {
  let own: string
  let dying: Db
  let lost: Error[]
  beforeEach(async () => {
    own = await mkdtemp(join(tmpdir(), 'bi-manager-dies-'))
    await copyEmbedded(join(own, 'database'))
    lost = []
    dying = await openDatabase({
      dataDir: own,
      databaseUrl: undefined,
      onError: console.error,
      onLost: (error) => lost.push(error),
    })
  })
  afterEach(() => rm(own, { recursive: true, force: true }))

  const expectAllRefused = async () => {
    const calls = [
      sql`select 1`.execute(dying),
      inTransaction(dying, (tx) => sql`select 1`.execute(tx)),
      sql`select ${1}::int`.execute(dying),
      inTransaction(dying, (tx) => sql`select ${1}::int`.execute(tx)),
    ].map((call) => call.then(String, ({ code }) => code))
    expect(await inTime(Promise.all(calls))).toEqual(['08006', '08006', '08006', '08006'])
    expect(lost).toHaveLength(1)
  }

  test('a database worker that dies fails every call at once and reports the loss', {
    timeout: 60_000,
  }, async () => {
    const waiting = inTransaction(dying, (tx) => sql`select pg_sleep(30)`.execute(tx))
    await workers.at(-1)?.terminate()
    await expect(inTime(waiting)).rejects.toMatchObject({ code: '08006' })
    await expectAllRefused()
  })

  const attempt = (db: Db, chave: string) =>
    db.insertInto('falhaLogin').values({ chave, em: new Date() }).execute()

  /** Replaces the open WAL file of this process by a device, without the database's knowledge. */
  const replaceLog = async (device: string) => {
    const open = (await readdir('/proc/self/fd')).map(async (fd) => [
      fd,
      await readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    ])
    const logs = (await Promise.all(open)).filter(([, path]) =>
      path?.startsWith(join(own, 'database', 'pg_wal')),
    )
    expect(logs).toHaveLength(1)
    const descriptor = Number(logs[0]?.[0])
    closeSync(descriptor)
    // open() returns the lowest free descriptor, so the others are closed again.
    const taken: number[] = []
    while (taken.at(-1) !== descriptor) taken.push(openSync(device, 'r+'))
    for (const other of taken.slice(0, -1)) closeSync(other)
  }

  // Only Linux lists the open files of a process.
  const onLinux = test.runIf(process.platform === 'linux')

  // /dev/null accepts writes and fails to sync; /dev/full accepts no byte.
  onLinux.each([
    ['/dev/null', /could not be synced to disk: Error: EINVAL/],
    ['/dev/full', /has aborted/],
  ] as const)(
    'a database worker that dies acknowledges no commit that the disk (%s) refuses',
    { timeout: 60_000 },
    async (device, reason) => {
      await attempt(dying, 'kept')
      await replaceLog(device)
      const calls = [
        attempt(dying, 'alone'),
        inTransaction(dying, async (tx) => {
          await attempt(tx, 'one of two')
          await attempt(tx, 'two of two')
        }),
        attempt(dying, 'after it'),
      ].map((call) => call.then(String, ({ code }) => code))
      expect(await inTime(Promise.all(calls))).toEqual(['08006', '08006', '08006'])
      expect(lost[0]?.message).toMatch(reason)
      await expectAllRefused()
      // The folder is free once the thread has ended.
      await workers.at(-1)?.terminate()
      const again = await openDatabase({ dataDir: own, databaseUrl: undefined, onError: console.error })
      expect(await again.selectFrom('falhaLogin').select('chave').execute()).toEqual([{ chave: 'kept' }])
      await again.destroy()
    },
  )

  onLinux('acknowledges no commit of a transaction that the disk refuses', { timeout: 60_000 }, async () => {
    await replaceLog('/dev/null')
    const written = inTransaction(dying, (tx) => attempt(tx, 'x'))
    await expect(inTime(written)).rejects.toMatchObject({ code: '08006' })
    await expectAllRefused()
  })
})

const inTime = <T>(work: Promise<T>): Promise<T> => Promise.race([work, timeLimit()])

const timeLimit = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer within 10 s')), 10_000)
  })
