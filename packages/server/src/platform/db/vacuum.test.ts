import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import { vacuum } from './vacuum.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('vacuum vacuums and analyses only tables with many changes', async () => {
  const { db } = database
  await sql`insert into responsavel (nome_responsavel) select 'R' || n from generate_series(1, 3000) n`.execute(
    db,
  )
  await sql`update responsavel set nome_responsavel = nome_responsavel || 'x'`.execute(db)
  // PostgreSQL flushes the statement's statistics at most a second later.
  await expect.poll(() => vacuum(db), { timeout: 10_000 }).toContain('responsavel')
  const { rows } = await sql<{ pages: number }>`
    select reltuples::int as pages from pg_class where relname = 'responsavel'`.execute(db)
  expect(rows[0]?.pages).toBe(3001)
  expect(await vacuum(db)).not.toContain('responsavel')
})

test('vacuum reaches the tables of another schema', async () => {
  const { db } = database
  await sql`create schema biblioteca; create table biblioteca.linha as select n from generate_series(1, 3000) n;
    update biblioteca.linha set n = n + 1`.execute(db)
  await expect.poll(() => vacuum(db), { timeout: 10_000 }).toContain('linha')
  expect(await vacuum(db)).not.toContain('linha')
  await sql`drop schema biblioteca cascade`.execute(db)
})
