import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { sumOlderViews } from './sum-older-views.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase({ alone: true })
})
afterAll(() => database.close())

const addViews = (db: Db, ...views: [idUsuario: number, day: string, renderizadoMs: number][]) =>
  db
    .insertInto('visualizacao')
    .values(
      views.map(([idUsuario, day, renderizadoMs]) => {
        const quando = new Date(`${day}T15:00:00Z`)
        return { idUsuario, idRelatorio: 7, quando, carregadoMs: 1, renderizadoMs }
      }),
    )
    .execute()

const sumsOf = async (db: Db) => {
  const { rows } = await sql<{ sums: unknown }>`
    select to_jsonb(r) as sums from uso_relatorio r union all select to_jsonb(p) from uso_pessoa p
    union all select to_jsonb(l) from uso_leitor l order by 1`.execute(db)
  return rows
}

const dailyOf = async (db: Db) => {
  const { rows } = await sql<{ day: string; views: number }>`
    select inicio::text as day, visualizacoes as views from uso_relatorio where not mensal order by 1`.execute(
    db,
  )
  return rows.map(({ day, views }) => [day, views])
}

test('the sum has nothing to add in a new database', async () => {
  const { rows } = await sql`select ate from uso_por_somar`.execute(database.db)
  expect(rows).toEqual([])
})

// It runs every migration.
test('sumOlderViews adds the views from before the upgrade in steps, beside new ones', async () => {
  const { db } = database
  await sql`drop schema public cascade; create schema public`.execute(db)
  await migrate(db, { upTo: '0033_capacity' })
  await addViews(
    db,
    [1, '2026-01-10', 20_000],
    [2, '2026-02-10', 300],
    [2, '2026-02-10', 800],
    [1, '2026-02-11', 300],
  )
  await migrate(db)
  await addViews(db, [2, '2026-02-11', 700])
  expect(await dailyOf(db)).toEqual([['2026-02-11', 1]])

  const life = new AbortController()
  const step = sumOlderViews(db, life.signal, 2)
  life.abort()
  await step
  expect(await dailyOf(db)).toEqual([
    ['2026-02-10', 1],
    ['2026-02-11', 2],
  ])
  await sumOlderViews(db)
  expect(await dailyOf(db)).toEqual([
    ['2026-01-10', 1],
    ['2026-02-10', 2],
    ['2026-02-11', 2],
  ])
  expect(await db.selectFrom('usoPorSomar').selectAll().execute()).toEqual([])

  const summed = await sumsOf(db)
  await sumOlderViews(db)
  expect(await sumsOf(db)).toEqual(summed)
  // The trigger makes the same sums of the same views.
  for (const table of ['usoRelatorio', 'usoPessoa', 'usoLeitor'] as const)
    await db.deleteFrom(table).execute()
  await sql`insert into visualizacao (quando, id_usuario, id_relatorio, carregado_ms, renderizado_ms)
    select quando, id_usuario, id_relatorio, carregado_ms, renderizado_ms from visualizacao`.execute(db)
  expect(await sumsOf(db)).toEqual(summed)
}, 60_000)
