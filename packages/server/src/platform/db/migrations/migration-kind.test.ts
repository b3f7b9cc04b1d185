import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database/test-database.ts'
import { isAtLeast, programVersion } from '../../config/version.ts'
import type { Db } from '../open-database.ts'
import { migrate, migrationNames, SchemaMismatch } from './migrate.ts'
import { isAdditive, oldestVersionOf } from './migration-kind.ts'

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

test('the migration stores the kind of every migration from 0021 on', async () => {
  const db = await databaseWith([])
  const { rows } = await sql<{ nome: string }>`select nome from migracao order by nome`.execute(db)
  expect(rows.map(({ nome }) => nome)).toEqual((await migrationNames()).filter((name) => name >= '0021'))
})

test('the migration works on a newer database after expand steps, and after contract steps that drop nothing it uses', async () => {
  const db = await databaseWith([
    { name: '9998_expand', oldest: null },
    { name: '9999_contract', oldest: programVersion },
  ])
  expect(await migrate(db, { allowNewer: true })).toEqual([])
})

test.each([
  ['a contract step that drops what this version uses', { name: '9999_newer', oldest: next }],
  ['a migration of unknown kind', { name: '9999_newer' }],
])('the migration refuses a newer database with %s', async (_what, newer) => {
  const db = await databaseWith([{ name: '9998_expand', oldest: null }, newer])
  await expect(migrate(db, { allowNewer: true })).rejects.toThrow(/9999_newer/)
  await expect(migrate(db, { allowNewer: true })).rejects.toThrow(SchemaMismatch)
})

test('the migration refuses any newer database for a command that must know all columns', async () => {
  const db = await databaseWith([{ name: '9998_expand', oldest: null }])
  await expect(migrate(db)).rejects.toThrow(/9998_expand/)
})

/*
 * The kind: a database from a commit between two migrations that entered the history out of order.
 * Other places that compare the applied migrations: restore and backup compare sets, not orders.
 */
const lackOf = async (db: Db, name: string): Promise<void> => {
  await sql`delete from kysely_migration where name = ${name}`.execute(db)
  await sql`delete from migracao where nome = ${name}`.execute(db)
}

test('the migration applies a missing migration after later ones when it only adds', async () => {
  const db = await databaseWith([])
  await lackOf(db, '0056_subscribed_visuals')
  await sql`alter table assinatura drop column visuais`.execute(db)
  expect(await migrate(db, { allowNewer: true })).toEqual(['0056_subscribed_visuals'])
  await sql`select visuais from assinatura`.execute(db)
  const { rows } = await sql`select 1 from migracao where nome = '0056_subscribed_visuals'`.execute(db)
  expect(rows).toHaveLength(1)
})

test('the migration refuses to apply a missing migration that changes what later ones may have changed', async () => {
  const db = await databaseWith([])
  const name = '0049_expiry'
  const { rows } = await sql<{ timestamp: string }>`
    select timestamp from kysely_migration where name = ${name}`.execute(db)
  await lackOf(db, name)
  onTestFinished(async () => {
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${rows[0]?.timestamp})`.execute(
      db,
    )
    await sql`insert into migracao (nome) values (${name})`.execute(db)
  })
  const refusal = await migrate(db, { allowNewer: true }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SchemaMismatch)
  expect((refusal as Error).message).toBe(
    'Falta ao banco de dados a migração 0049_expiry, e migrações posteriores já foram aplicadas: ela não pode ser aplicada depois delas. Restaure uma cópia de segurança em um banco vazio.',
  )
})

test.each([
  ['alter table a add column x int, add column y int', true],
  ["create table a (x text default 'drop; alter', y int references b on delete set null)", true],
  ['create function f() returns trigger language plpgsql as $$ begin update a set x = 1; end $$', true],
  ['create table a (x int); insert into a default values', true],
  ['insert into a default values', false],
  ['-- drop table b\ncreate index a_x on a (x)', true],
  ['alter table a add column x int, drop constraint c', false],
  ['alter table a add column x int;\nupdate a set x = 1', false],
  ['alter table a alter x set default 1', false],
  ['create or replace function f() returns int language sql as $$ select 1 $$', false],
  ['drop trigger t on a', false],
])('the migration returns whether a migration only adds: %s', (text, expected) => {
  expect(isAdditive(text)).toBe(expected)
})

test('the migration reads the oldest version of a contract step from the first line', () => {
  expect(oldestVersionOf('-- contract since 0.3.0: nothing reads x\nalter table t drop column x;')).toBe(
    '0.3.0',
  )
  expect(oldestVersionOf('-- Adds y.\n-- contract since 0.3.0: nothing reads x')).toBeNull()
})

test('the migration compares versions numerically', () => {
  for (const [version, least, expected] of [
    ['0.3.0', '0.3.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.3.0', '0.3.1', false],
    ['0.9.9', '0.10.0', false],
  ] as const)
    expect(isAtLeast(version, least), `${version} ${least}`).toBe(expected)
})
