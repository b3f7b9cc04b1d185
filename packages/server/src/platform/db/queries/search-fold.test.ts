import {
  DOMAIN_PAIRS,
  foldForSearch,
  OTHER_DOMAINS,
  OTHER_NAMES,
  SEARCH_PAIRS,
  withUnicodeDomains,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { migrate } from '../migrations/migrate.ts'
import { containsWords } from './list-page.ts'

/* Searches in SQL and in the browser find the same (ADR 0094). */

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const finds = async (typed: string, text: string, column = 'nome_busca'): Promise<boolean> => {
  const { rows } = await sql<{ isFound: boolean }>`
    select ${containsWords([column], typed)} as is_found
    from (select texto_busca(${text}) as ${sql.ref(column)}) pessoa`.execute(database.db)
  return rows[0]?.isFound ?? false
}

test.each(SEARCH_PAIRS)('%s finds %s', async (typed, name) => {
  expect(await finds(typed, name)).toBe(true)
})

test.each(OTHER_NAMES)('%s does not find %s', async (typed, name) => {
  expect(await finds(typed, name)).toBe(false)
})

test.each(DOMAIN_PAIRS)('%s finds the e-mail %s', async (typed, email) => {
  expect(await finds(typed, email, 'email_busca')).toBe(true)
})

test.each(OTHER_DOMAINS)('%s does not find the e-mail %s', async (typed, email) => {
  expect(await finds(typed, email, 'email_busca')).toBe(false)
})

const labels = [
  ...DOMAIN_PAIRS.map(([, email]) => email),
  'xn--',
  'xn---',
  'xn--a',
  'xn--a-',
  'xn--99999999999',
  'xn--a-b-4iaz',
  'XN--AA-4IAZ',
  'axn--aa-4iaz',
  'xn--0zz',
  `xn--${'z'.repeat(200)}`,
  `xn--${'9'.repeat(200)}`,
  'xn--ab-c1d2e3.xn--zz-zz9',
  'o-xn--p1ai',
]

test('searchFold decodes the labels of a domain as the browser does', async () => {
  const { rows } = await sql<{ label: string; decoded: string }>`
    select label, dominios_em_unicode(label) as decoded from unnest(${labels}::text[]) label`.execute(
    database.db,
  )
  expect(rows.map(({ label, decoded }) => [label, decoded])).toEqual(
    labels.map((label) => [label, withUnicodeDomains(label)]),
  )
})

const letters = [
  [0x20, 0x24f],
  [0x370, 0x45f],
  [0x1e00, 0x1fff],
  [0x2c60, 0x2c7f],
].flatMap(([first = 0, last = 0]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
)

test('searchFold folds each letter of Latin, Greek and Cyrillic as the browser does', async () => {
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
