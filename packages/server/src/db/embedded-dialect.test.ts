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
