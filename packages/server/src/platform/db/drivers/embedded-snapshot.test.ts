import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyEmbedded } from '../../../../test/database/embedded-template.ts'
import { type Db, type OpenDatabase, openDatabase } from '../open-database.ts'
import { inTransaction } from '../transactions/in-transaction.ts'

// Embedded database only: vitest.config.ts excludes this file from the PostgreSQL project.
describe('a snapshot of the embedded database', () => {
  let folder: string
  let db: OpenDatabase
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bi-manager-snapshot-'))
    await copyEmbedded(join(folder, 'database'))
    db = await openDatabase({ dataDir: folder, databaseUrl: undefined, onError: console.error })
    await sql`create table written (id int primary key, half int not null, filling text)`.execute(db)
    await sql`create table bulk as select n, repeat('x', 500) as filling from generate_series(1, 60000) n`.execute(
      db,
    )
    // The first pass only counts for files unchanged for two seconds.
    await sleep(2_500)
  })
  afterAll(async () => {
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  })

  /** Writes two rows in one transaction: a copy has both or neither. */
  const write = (id: number) =>
    inTransaction(db, async (tx: Db) => {
      await sql`insert into written values (${2 * id}, 1, repeat('y', 2000))`.execute(tx)
      await sql`insert into written values (${2 * id + 1}, 2, repeat('y', 2000))`.execute(tx)
    })

  test('a snapshot of the embedded database holds whole transactions up to one moment, while writes continue', {
    timeout: 120_000,
  }, async () => {
    let isCopying = true
    let written = 0
    let longest = 0
    const writing = (async () => {
      while (isCopying) {
        const before = performance.now()
        await write(written)
        longest = Math.max(longest, performance.now() - before)
        written += 1
      }
    })()
    // Writes before the copy starts.
    while (written < 5) await sleep(5)
    const atStart = written
    const target = join(folder, 'copy')
    const before = performance.now()
    await db.snapshot?.(join(target, 'database'))
    const took = performance.now() - before
    const atEnd = written
    isCopying = false
    await writing
    console.log(`snapshot: ${took.toFixed(0)} ms, ${written} writes, the longest ${longest.toFixed(0)} ms`)

    const copy = await openDatabase({ dataDir: target, databaseUrl: undefined, onError: console.error })
    const { rows } = await sql<{ total: number; last: number; halves: number }>`
      select count(*) as total, max(id) as last, count(distinct id / 2) as halves from written`.execute(copy)
    const [{ total, last, halves } = { total: 0, last: 0, halves: 0 }] = rows
    const { rows: bulk } = await sql<{ total: number }>`select count(*) as total from bulk`.execute(copy)
    await copy.destroy()
    expect(total).toBe(2 * halves)
    expect(last).toBe(total - 1)
    expect(halves).toBeGreaterThanOrEqual(atStart)
    // One more may be committed but not yet acknowledged.
    expect(halves).toBeLessThanOrEqual(atEnd + 1)
    expect(bulk[0]?.total).toBe(60_000)
  })

  test('a snapshot of the embedded database leaves the database usable', async () => {
    await write(1_000_000)
    const { rows } = await sql<{ id: number }>`select id from written where id = 2000001`.execute(db)
    expect(rows).toEqual([{ id: 2_000_001 }])
  })
})
