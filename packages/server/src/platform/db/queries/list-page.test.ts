import { MAX_COUNTED } from '@bi-manager/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { contains, listPage, type Orders } from './list-page.ts'

/* A table too large to count for each search must give the same pages as an exact count. */

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await sql`insert into usuario (nome_usuario, email_usuario, pedida_em)
    select case when n % 10 = 0 then 'Água ' else 'Pessoa ' end || n, 'p' || n || '@exemplo.com.br',
      case when n % 3 = 0 then null else now() - n * interval '1 minute' end
    from generate_series(1, 6000) n`.execute(database.db)
})
afterAll(() => database.close())

type Order = 'nome' | 'acesso'
const orders: Orders<Order> = {
  nome: ['nomeNatural', 'idUsuario'],
  acesso: [{ column: 'pedidaEm', nullable: true }, 'idUsuario'],
}

const list = (query: { busca?: string; pagina?: number; tamanho?: number; ordem?: Order | `-${Order}` }) => {
  const { db } = database
  const matching = db
    .selectFrom('usuario')
    .select(['idUsuario', 'nomeUsuario', 'pedidaEm'])
    .$if(!!query.busca, (users) => users.where(contains('nomeBusca', query.busca ?? '')))
  const large = { name: 'usuario', key: 'usuario.idUsuario', isNarrowed: !!query.busca } as const
  return listPage(db, matching, { query, orders, byDefault: 'nome', large })
}
const names = ({ rows }: Awaited<ReturnType<typeof list>>) => rows.map(({ nomeUsuario }) => nomeUsuario)

test('listPage returns the exact total and ordered pages without a search', async () => {
  const first = await list({ pagina: 1, tamanho: 3 })
  expect([names(first), first.total, first.isCapped, first.hasNext]).toEqual([
    ['Água 10', 'Água 20', 'Água 30'],
    6000,
    false,
    true,
  ])
  const last = await list({ pagina: 60, tamanho: 100, ordem: '-nome' })
  expect([last.rows.length, last.rows.at(-1)?.nomeUsuario, last.hasNext]).toEqual([100, 'Água 10', false])
  expect((await list({ pagina: 61, tamanho: 100 })).rows).toEqual([])
})

test('listPage counts few matches exactly and caps the total of many', async () => {
  const few = await list({ busca: 'agua 59', pagina: 1, tamanho: 5 })
  expect([names(few), few.total, few.isCapped, few.hasNext]).toEqual([
    ['Água 590', 'Água 5900', 'Água 5910', 'Água 5920', 'Água 5930'],
    11,
    false,
    true,
  ])
  expect(names(await list({ busca: 'agua 59', pagina: 3, tamanho: 5 }))).toEqual(['Água 5990'])
  const many = await list({ busca: 'AGUA', pagina: 120, tamanho: 5 })
  expect([names(many), many.total, many.isCapped, many.hasNext]).toEqual([
    ['Água 5960', 'Água 5970', 'Água 5980', 'Água 5990', 'Água 6000'],
    MAX_COUNTED,
    true,
    false,
  ])
  const none = await list({ busca: 'zzz', pagina: 1 })
  expect([none.rows, none.total, none.hasNext]).toEqual([[], 0, false])
})

test('listPage orders null before every date, and last when descending', async () => {
  expect((await list({ pagina: 1, ordem: 'acesso' })).rows.every((row) => row.pedidaEm === null)).toBe(true)
  const [latest] = (await list({ pagina: 1, ordem: '-acesso' })).rows
  expect(latest?.nomeUsuario).toBe('Pessoa 1')
})

test('listPage returns at most 1000 rows without a page', async () => {
  const { rows, total } = await list({})
  expect([rows.length, total]).toEqual([1000, 6000])
})
