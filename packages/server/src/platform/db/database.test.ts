import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { copyEmbedded } from '../../../test/database/embedded-template.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import { fillSkeletons } from '../../accounts/names/fill-skeletons.ts'
import { migrate } from './migrations/migrate.ts'
import { openDatabase } from './open-database.ts'
import { inTransaction } from './transactions/in-transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('the database runs on the configured database, version 15 or later', async () => {
  const { rows } = await sql<{ version: string; number: string }>`
    select version() as version, current_setting('server_version_num') as number`.execute(database.db)
  expect(rows[0]?.version.includes('PGlite')).toBe(process.env.TEST_DATABASE !== 'postgres')
  expect(Number(rows[0]?.number)).toBeGreaterThanOrEqual(150_000)
})

test('the database returns the same JavaScript value for every type on both databases', async () => {
  const { rows } = await sql`
    select 9007199254740991::int8 as "int8", count(*) as "count", 1.50::numeric as "numeric", '\\x0102'::bytea as "bytea",
      '2026-01-02'::date as "date", '2026-01-02 03:04:05+00'::timestamptz as "timestamptz", '{"umCampo":[1]}'::jsonb as "jsonb",
      array['a','b'] as "textArray", true as "boolean", null::text as "nothing"
    from (select 1) one`.execute(database.db)
  expect(rows[0]).toEqual({
    int8: 9007199254740991,
    count: 1,
    numeric: '1.50',
    bytea: expect.any(Uint8Array),
    date: '2026-01-02',
    timestamptz: new Date('2026-01-02T03:04:05Z'),
    jsonb: { umCampo: [1] },
    textArray: ['a', 'b'],
    boolean: true,
    nothing: null,
  })
  expect([...(rows[0] as { bytea: Uint8Array }).bytea]).toEqual([1, 2])
})

test('the database takes texts, nulls, arrays, dates and JSON as parameters', async () => {
  const when = new Date('2026-03-04T05:06:07.089Z')
  const { rows } = await sql`
    select ${"O'Hara ç 😀"}::text as "text", ${null}::text as "nothing", ${['x', 'y,"z"']}::text[] as "list",
      ${when}::timestamptz as "when", ${JSON.stringify({ a: 1 })}::jsonb as "json", ${7}::int as "number"`.execute(
    database.db,
  )
  expect(rows[0]).toEqual({
    text: "O'Hara ç 😀",
    nothing: null,
    list: ['x', 'y,"z"'],
    when,
    json: { a: 1 },
    number: 7,
  })
})

test('a statement from outside never runs inside an open transaction', async () => {
  const { db } = database
  const rolledBack = inTransaction(db, async (tx) => {
    await tx.insertInto('responsavel').values({ nomeResponsavel: 'Dentro' }).execute()
    await new Promise((resolve) => setTimeout(resolve, 100))
    throw new Error('undo')
  })
  const outside = new Promise((resolve) => setTimeout(resolve, 30)).then(() =>
    db.insertInto('responsavel').values({ nomeResponsavel: 'Fora' }).execute(),
  )
  await expect(rolledBack).rejects.toThrow('undo')
  await outside
  const names = await db
    .selectFrom('responsavel')
    .select('nomeResponsavel')
    .orderBy('idResponsavel')
    .execute()
  expect(names.map(({ nomeResponsavel }) => nomeResponsavel)).toEqual(['Administração', 'Fora'])
})

test('the database never keeps a long statement prepared', async () => {
  const prepared = await database.db.connection().execute(async (db) => {
    const ask = (terms: number) => {
      const zeros = sql.raw(Array(terms).fill('0').join(' + '))
      return sql<{ answer: number }>`select ${zeros} + ${7}::int as answer`.execute(db)
    }
    for (let n = 0; n < 4; n += 1) {
      for (const terms of [3, 3_000]) expect((await ask(terms)).rows).toEqual([{ answer: 7 }])
    }
    return sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  })
  const texts = prepared.rows.map(({ statement }) => statement)
  expect(texts).toContain('select 0 + 0 + 0 + $1::int as answer')
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(8_192)
})

test('a concurrent `alter table` fails no statement and no transaction', async () => {
  const { db, dataDir, databaseUrl } = database
  await sql`create table changing (id int)`.execute(db)
  await sql`insert into changing values (1)`.execute(db)
  const statement = (tx = db) => sql<object>`select * from changing where id = ${1}`.execute(tx)
  const inside = () =>
    inTransaction(db, async (tx) => {
      await sql`select 1`.execute(tx)
      return statement(tx)
    })
  const readAtOnce = () => Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? statement() : inside())))
  for (let n = 0; n < 4; n += 1) await readAtOnce()
  // The embedded database has one connection.
  const other = databaseUrl ? await openDatabase({ dataDir, databaseUrl, onError: console.error }) : db
  await sql`alter table changing add column named text default 'x'`.execute(other)
  if (other !== db) await other.destroy()
  for (const { rows } of [...(await readAtOnce()), ...(await readAtOnce())]) {
    expect(rows).toEqual([{ id: 1, named: 'x' }])
  }
})

test('the database names the violated constraint', async () => {
  const again = database.db.insertInto('responsavel').values({ nomeResponsavel: 'ADMINISTRACAO' }).execute()
  await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'responsavel_nome_unico' })
})

test('the database folds accents and case for Portuguese search', async () => {
  const { rows } = await sql<{ folded: string }>`
    select sem_acento('ÁÉÍÓÚ àèìòù âêîôû ãõ äëïöü Çç Ññ – Ação') as folded`.execute(database.db)
  expect(rows[0]?.folded).toBe('aeiou aeiou aeiou ao aeiou cc nn – acao')
})

test('the database applies each migration once', async () => {
  expect(await migrate(database.db)).toEqual([])
})

test('the database keeps the last access and second factor when migrations move them to other tables', async () => {
  const own = await openTestDatabase()
  onTestFinished(() => own.close())
  await sql`drop schema public cascade; create schema public`.execute(own.db)
  await migrate(own.db, { upTo: '0008_connections_in_catalogue' })
  await sql`insert into usuario (id_usuario, nome_usuario, email_usuario, ultimo_acesso) overriding system value
    values (1, 'A', 'a@exemplo.com.br', '2026-01-02 03:04:05+00'), (2, 'B', 'b@exemplo.com.br', null),
      (3, 'C', 'c@exemplo.com.br', null)`.execute(own.db)
  await sql`insert into segundo_fator (id_usuario, segredo, ativo_em) values (1, 's', now()), (2, 's', null)`.execute(
    own.db,
  )
  await migrate(own.db)
  const known = async () =>
    (
      await sql`select u.id_usuario, ultimo_acesso, tem_segundo_fator from usuario u join acesso_usuario using (id_usuario)
        order by 1`.execute(own.db)
    ).rows
  const acesso = { ultimoAcesso: new Date('2026-01-02T03:04:05Z') }
  expect(await known()).toEqual([
    { idUsuario: 1, ...acesso, temSegundoFator: true },
    { idUsuario: 2, ultimoAcesso: null, temSegundoFator: false },
    { idUsuario: 3, ultimoAcesso: null, temSegundoFator: false },
  ])
  // The triggers keep the column up to date.
  await sql`insert into segundo_fator (id_usuario, segredo, ativo_em) values (2, 's', null)`.execute(own.db)
  await sql`update segundo_fator set ativo_em = now() where id_usuario = 2`.execute(own.db)
  await sql`insert into segundo_fator (id_usuario, segredo, ativo_em) values (3, 's', now())`.execute(own.db)
  await sql`delete from segundo_fator where id_usuario = 1`.execute(own.db)
  await sql`insert into usuario (id_usuario, nome_usuario, email_usuario) overriding system value
    values (4, 'D', 'd@exemplo.com.br')`.execute(own.db)
  expect(await known()).toEqual([
    { idUsuario: 1, ...acesso, temSegundoFator: false },
    { idUsuario: 2, ultimoAcesso: null, temSegundoFator: true },
    { idUsuario: 3, ultimoAcesso: null, temSegundoFator: true },
    { idUsuario: 4, ultimoAcesso: null, temSegundoFator: false },
  ])
})

test('the database releases its lock when it is closed unused', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-unused-'))
  const databaseUrl = database.databaseUrl
  if (!databaseUrl) await copyEmbedded(join(dataDir, 'database'))
  for (let round = 0; round < 2; round += 1) {
    const db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
    await db.destroy()
  }
  await rm(dataDir, { recursive: true, force: true })
})

test('the database computes the skeletons of names again when the confusables table has changed', async () => {
  const own = await openTestDatabase()
  onTestFinished(() => own.close())
  await sql`drop schema public cascade; create schema public`.execute(own.db)
  await migrate(own.db, { upTo: '0019_demanded_passwords' })
  await sql`insert into usuario (nome_usuario, email_usuario, nome_semelhante)
    values ('Ana Rocha\ua78c', 'a@exemplo.com.br', 'anarocha\ua78c')`.execute(own.db)
  await migrate(own.db)
  await fillSkeletons(own.db)
  const names = await own.db.selectFrom('usuario').select('nomeSemelhante').execute()
  expect(names).toEqual([{ nomeSemelhante: 'anarocha' }])
})

test('the database settles the notifications of secrets that earlier versions sent', async () => {
  const own = await openTestDatabase()
  onTestFinished(() => own.close())
  await sql`drop schema public cascade; create schema public`.execute(own.db)
  await migrate(own.db, { upTo: '0030_refresh_watch' })
  await sql`insert into usuario (id_usuario, nome_usuario, email_usuario, tipo_usuario) overriding system value
    values (1, 'A', 'a@exemplo.com.br', 'ADMIN')`.execute(own.db)
  const em = new Date()
  const causes = ['validade:powerbi:3', 'validade:OIDC_CLIENT_SECRET', 'validade:OIDC_ISSUER']
  for (const causa of causes) {
    await own.db.insertInto('avisoSistema').values({ causa, ocorrencia: 'x', em }).execute()
    const told = { tipo: 'sistema_com_problema', titulo: causa, texto: 't', rota: null, lidaEm: null }
    // Not by `notify`, which writes a column of a later migration.
    await own.db
      .insertInto('notificacao')
      .values({ ...told, idUsuario: 1, assunto: `sistema:${causa}`, criadaEm: em })
      .execute()
  }
  await migrate(own.db)
  expect(await own.db.selectFrom('avisoSistema').select('causa').execute()).toEqual([{ causa: causes[2] }])
  const unread = own.db.selectFrom('notificacao').select('titulo').where('lidaEm', 'is', null)
  expect(await unread.execute()).toEqual([{ titulo: causes[2] }])
})
