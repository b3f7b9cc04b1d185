import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const sorted = async (names: string[]) => {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name order by ordem_natural(name), name`.execute(database.db)
  return rows.map(({ name }) => name)
}

test.each([
  { names: ['Relatório 2', 'Relatório 10', 'Relatório 100'] },
  { names: ['relatorio 1', 'RELATÓRIO 2', 'Relatório 3'] },
  { names: ['2ª via', '10ª via', 'Água 1', 'água 9', 'AGUA 10'] },
  { names: ['1.9 Custos', '1.10 Custos', '2.1 Custos'] },
  { names: ['Série 007', 'Série 8', 'Série 0009'] },
  { names: ['Conta 9', 'Conta 99999999999999999998', 'Conta 99999999999999999999'] },
  { names: ['Painel', 'Painel 1', 'Painel 1 b', 'Painel 12'] },
])('the database orders $names naturally', async ({ names }) => {
  expect(await sorted(names.toReversed())).toEqual(names)
})

test('natural_order limits the length of the key, because an index entry has a limit', async () => {
  const name = '1 '.repeat(5_000)
  const { rows } = await sql<{ length: number }>`
    select length(ordem_natural(${name}::text)) as length`.execute(database.db)
  expect(rows).toEqual([{ length: 600 }])
})

test('the keys of a page, also of a search, come from one index in natural order', async () => {
  const { db } = database
  await sql`insert into usuario (nome_usuario, email_usuario)
    select 'Pessoa ' || n, 'p' || n || '@exemplo.com.br' from generate_series(1, 6000) n`.execute(db)
  await sql`vacuum analyze usuario`.execute(db)
  const planOf = async (where: string) => {
    const { rows } = await sql<Record<string, string>>`explain (costs off)
      select id_usuario from usuario ${sql.raw(where)}
      order by nome_natural, id_usuario limit 4`.execute(db)
    return rows.map((row) => Object.values(row)[0]).join('\n')
  }
  const index = 'Index Only Scan using usuario_por_nome_natural'
  expect(await planOf('')).toContain(index)
  const search = "where nome_busca like '%ess%' or email_busca like '%ess%'"
  expect(await planOf(search)).toContain(index)
})
