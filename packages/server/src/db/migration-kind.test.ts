import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../test/test-database.ts'
import { isAtLeast, programVersion } from '../config/version.ts'
import { migrate, migrationNames, NewerDatabase } from './migrate.ts'
import { oldestVersionOf } from './migration-kind.ts'
import type { Db } from './open-database.ts'

/** A database as a newer version of the program leaves it. */
const databaseWith = async (newer: { name: string; oldest?: string | null }[]): Promise<Db> => {
  const { db, close } = await openTestDatabase()
  onTestFinished(async () => {
    const names = newer.map(({ name }) => name)
    await sql`delete from migracao where nome = any(${names}::text[])`.execute(db)
    await sql`delete from kysely_migration where name = any(${names}::text[])`.execute(db)
    await close()
  })
  for (const { name, oldest } of newer) {
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2030')`.execute(db)
    if (oldest !== undefined) await sql`insert into migracao values (${name}, ${oldest})`.execute(db)
  }
  return db
}

const next = programVersion.replace(/\d+$/, (patch) => String(Number(patch) + 1))

test('stores the kind of every migration from 0021 on', async () => {
  const db = await databaseWith([])
  const { rows } = await sql<{ nome: string }>`select nome from migracao order by nome`.execute(db)
  expect(rows.map(({ nome }) => nome)).toEqual((await migrationNames()).filter((name) => name >= '0021'))
})

test('works on a newer database after expand steps, and after contract steps that drop nothing it uses', async () => {
  const db = await databaseWith([
    { name: '9998_expand', oldest: null },
    { name: '9999_contract', oldest: programVersion },
  ])
  expect(await migrate(db, { allowNewer: true })).toEqual([])
})

test.each([
  ['a contract step that drops what this version uses', { name: '9999_newer', oldest: next }],
  ['a migration of unknown kind', { name: '9999_newer' }],
])('refuses a newer database with %s', async (_what, newer) => {
  const db = await databaseWith([{ name: '9998_expand', oldest: null }, newer])
  await expect(migrate(db, { allowNewer: true })).rejects.toThrow(/9999_newer/)
  await expect(migrate(db, { allowNewer: true })).rejects.toThrow(NewerDatabase)
})

test('refuses any newer database for a command that must know all columns', async () => {
  const db = await databaseWith([{ name: '9998_expand', oldest: null }])
  await expect(migrate(db)).rejects.toThrow(/9998_expand/)
})

test('reads the oldest version of a contract step from the first line', () => {
  expect(oldestVersionOf('-- contract since 0.3.0: nothing reads x\nalter table t drop column x;')).toBe(
    '0.3.0',
  )
  expect(oldestVersionOf('-- Adds y.\n-- contract since 0.3.0: nothing reads x')).toBeNull()
})

test('compares versions numerically', () => {
  for (const [version, least, expected] of [
    ['0.3.0', '0.3.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.3.0', '0.3.1', false],
    ['0.9.9', '0.10.0', false],
  ] as const)
    expect(isAtLeast(version, least), `${version} ${least}`).toBe(expected)
})
