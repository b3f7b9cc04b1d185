import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from './in-transaction.ts'
import { type Db, openDatabase } from './open-database.ts'

const workers: Worker[] = []
const remember = (worker: Worker) => void workers.push(worker)

let dataDir: string
let db: Db
beforeAll(async () => {
  process.on('worker', remember)
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-dialect-'))
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
  test('a commit that is refused does not touch the transaction that waits behind it', async () => {
    const refused = inTransaction(db, (tx) => sql`insert into child values (999)`.execute(tx))
    const undone = inTransaction(db, async (tx) => {
      for (const id of [1, 2, 3]) await sql`insert into parent values (${id})`.execute(tx)
      throw new Error('undo')
    })
    await expect(refused).rejects.toMatchObject({ code: '23503' })
    await expect(undone).rejects.toThrow('undo')
    expect(await parents()).toEqual([])
  })

  test('hundreds of statements and transactions at once keep to themselves', async () => {
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

  test('take no settings, which one connection could not keep', async () => {
    const serializable = db
      .transaction()
      .setIsolationLevel('serializable')
      .execute(() => Promise.resolve())
    await expect(serializable).rejects.toThrow(/take no settings/)
    expect((await parents()).length).toBeGreaterThan(0)
  })
})

describe('statements that are kept parsed', () => {
  const twice = async <T>(work: () => Promise<T>): Promise<T> => {
    await work()
    return work()
  }

  test('answer the same the second time: every type that the tables use, null and none', async () => {
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
    const { rows, numAffectedRows } = await twice(() =>
      sql`update mixed set t = ${null} where n = ${8}`.execute(db),
    )
    expect([rows, numAffectedRows]).toEqual([[], 0n])
  })

  test('know the columns of a table that was altered meanwhile', async () => {
    await sql`create table changing (id int)`.execute(db)
    const read = async () => (await sql`select * from changing where id = ${1}`.execute(db)).rows
    await sql`insert into changing values (${1})`.execute(db)
    expect(await twice(read)).toEqual([{ id: 1 }])
    await sql`alter table changing add column named text default 'x'`.execute(db)
    expect(await read()).toEqual([{ id: 1, named: 'x' }])
  })

  test('fail alone, each time with the code of the database, and do no harm to those after them', async () => {
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

  test('are as many as there are texts: hundreds, in any order', async () => {
    const ask = (n: number) => sql<{ v: number }>`select ${n}::int + ${sql.raw(String(n))} as v`.execute(db)
    const order = [...Array(450).keys(), ...Array(450).keys()]
    const answers = await Promise.all(order.map(ask))
    expect(answers.map(({ rows }) => rows[0]?.v)).toEqual(order.map((n) => 2 * n))
    const { rows } = await sql<{
      total: number
    }>`select count(*) as total from pg_prepared_statements`.execute(db)
    expect(rows[0]?.total).toBeLessThanOrEqual(200)
  })

  test('a transaction that goes on after a failed statement is refused, not lost in silence', async () => {
    await sql`create table kept (id int primary key)`.execute(db)
    const broken = inTransaction(db, async (tx) => {
      await sql`insert into kept values (${1})`.execute(tx)
      await sql`insert into kept values (${1})`.execute(tx).catch(() => undefined)
    })
    await expect(broken).rejects.toThrow()
    expect((await sql`select id from kept`.execute(db)).rows).toEqual([])
  })
})

test('when the database dies, every call is told at once, and so is the process', {
  timeout: 60_000,
}, async () => {
  const own = await mkdtemp(join(tmpdir(), 'bi-manager-dies-'))
  const lost: Error[] = []
  const dying = await openDatabase({
    dataDir: own,
    databaseUrl: undefined,
    onError: console.error,
    onLost: (e) => lost.push(e),
  })
  await sql`select 1`.execute(dying)
  const waiting = inTransaction(dying, (tx) => sql`select pg_sleep(30)`.execute(tx))
  await workers.at(-1)?.terminate()
  await expect(Promise.race([waiting, timeLimit()])).rejects.toMatchObject({ code: '08006' })
  const calls = [
    sql`select 1`.execute(dying),
    inTransaction(dying, (tx) => sql`select 1`.execute(tx)),
    sql`select 1`.execute(dying),
    inTransaction(dying, (tx) => sql`select 1`.execute(tx)),
  ]
  const answers = await Promise.race([Promise.allSettled(calls), timeLimit()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(lost).toHaveLength(1)
  await rm(own, { recursive: true, force: true })
})

const timeLimit = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer within 10 s')), 10_000)
  })
