import { foldForSearch, OTHER_NAMES, SEARCH_PAIRS } from '@bi-manager/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { containsWords } from './list-page.ts'
import { migrate } from './migrate.ts'

/* Searches in SQL and in the browser find the same (record 0094). */

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const finds = async (typed: string, name: string): Promise<boolean> => {
  const { rows } = await sql<{ isFound: boolean }>`
    select ${containsWords(['nome_busca'], typed)} as is_found
    from (select texto_busca(${name}) as nome_busca) pessoa`.execute(database.db)
  return rows[0]?.isFound ?? false
}

test.each(SEARCH_PAIRS)('%s finds %s', async (typed, name) => {
  expect(await finds(typed, name)).toBe(true)
})

test.each(OTHER_NAMES)('%s does not find %s', async (typed, name) => {
  expect(await finds(typed, name)).toBe(false)
})

const letters = [
  [0x20, 0x24f],
  [0x370, 0x45f],
  [0x1e00, 0x1fff],
  [0x2c60, 0x2c7f],
].flatMap(([first = 0, last = 0]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
)

test('folds each letter of Latin, Greek and Cyrillic as the browser does', async () => {
  const { rows } = await sql<{ letter: string; folded: string }>`
    select letter, texto_busca(letter) as folded from unnest(${letters}::text[]) letter`.execute(database.db)
  const different = rows.filter(({ letter, folded }) => foldForSearch(letter) !== folded)
  expect(different.map(({ letter, folded }) => [letter, folded, foldForSearch(letter)])).toEqual([])
})

test('a migration fills the search of earlier rows, and keeps how names are compared', async () => {
  const own = await openTestDatabase()
  onTestFinished(() => own.close())
  await sql`drop schema public cascade; create schema public`.execute(own.db)
  await migrate(own.db, { upTo: '0059_memberships_that_end' })
  await sql`insert into usuario (nome_usuario, email_usuario, pedida_em)
    select 'Łukasz D’Ávila ' || n, 'p' || n || '@exemplo.com.br', now() from generate_series(1, 3000) n`.execute(
    own.db,
  )
  await sql`insert into perfil (nome_perfil) values ('D''Ávila'), ('D’Ávila')`.execute(own.db)
  const before = await sql`select nome_ordem from usuario order by id_usuario`.execute(own.db)
  await migrate(own.db)
  const { rows } = await sql<{ nomeBusca: string }>`
    select nome_busca from usuario where nome_busca like '%lukasz davila 2999%'`.execute(own.db)
  expect(rows).toEqual([{ nomeBusca: 'lukasz davila 2999' }])
  expect((await sql`select nome_ordem from usuario order by id_usuario`.execute(own.db)).rows).toEqual(
    before.rows,
  )
  // As code of the previous version writes and searches.
  await sql`insert into usuario (nome_usuario, email_usuario, pedida_em)
    values ('Sören', 'soren@exemplo.com.br', now())`.execute(own.db)
  const added =
    await sql`select nome_busca, email_busca from usuario where nome_ordem like sem_acento('%SÖREN%')`.execute(
      own.db,
    )
  expect(added.rows).toEqual([{ nomeBusca: 'soren', emailBusca: 'soren@exemplo.com.br' }])
})
