import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/* Concurrent sign-ins do not affect each other. */

const app = useTestApp()

const signIn = (username: string, secret = password, headers = {}) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: secret }, headers)

/** The users of open sessions, of their audit lines and of audited refusals, each sorted. */
const traces = async () => {
  const sessions = await app.db.selectFrom('sessao').select('idUsuario').execute()
  const lines = await app.db.selectFrom('auditoria').select(['acao', 'idUsuario']).execute()
  const ids = (rows: { idUsuario: number | null }[]) => rows.map(({ idUsuario }) => idUsuario).sort()
  return {
    sessions: ids(sessions),
    created: ids(lines.filter(({ acao }) => acao === 'session.created')),
    refused: ids(lines.filter(({ acao }) => acao === 'session.refused')),
  }
}

test('concurrent sign-ins each get their own result, and one failure does not affect the others', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => createUser(app)))
  const changing = await createUser(app, { trocarSenha: 'pedida' })
  const blocked = await createUser(app, { situacao: 'BLOQUEADO' })
  const enrolled = await createUser(app)
  await giveSecondFactor(app, enrolled.idUsuario)
  const mistaken = await createUser(app)
  const right = [...people, changing]
  const [opened, refused] = await Promise.all([
    Promise.all(right.map(({ emailUsuario }) => signIn(emailUsuario))),
    Promise.all([
      signIn(blocked.emailUsuario),
      signIn(enrolled.emailUsuario),
      signIn(mistaken.emailUsuario, 'errada'),
      signIn('ninguem@exemplo.com.br'),
    ]),
  ])
  expect(opened.map(({ body }) => [body.usuario_id, body.nome, body.pendencia])).toEqual(
    right.map(({ idUsuario, nomeUsuario, trocarSenha }) => [
      idUsuario,
      nomeUsuario,
      trocarSenha ? 'trocar_senha' : null,
    ]),
  )
  const own = await Promise.all(
    opened.map(({ body }) =>
      app.withHeaders({ authorization: `Bearer ${body.access_token}` }).get('/usuarios/sessao'),
    ),
  )
  expect(own.map(({ body }) => body.idUsuario)).toEqual(right.map(({ idUsuario }) => idUsuario))
  expect(refused.map(({ status, body }) => [status, body.codigo])).toEqual([
    [401, 'credenciais_invalidas'],
    [401, 'segundo_fator_necessario'],
    [401, 'credenciais_invalidas'],
    [401, 'credenciais_invalidas'],
  ])
  const ids = right.map(({ idUsuario }) => idUsuario).sort()
  const { sessions, created, refused: recorded } = await traces()
  expect([sessions, created]).toEqual([ids, ids])
  expect(recorded).toEqual([blocked.idUsuario, mistaken.idUsuario, null].sort())
  // One by name and one by address for each of the three failures.
  expect(await app.db.selectFrom('falhaLogin').select('chave').execute()).toHaveLength(6)
})

test('two concurrent sign-ins of one user open two sessions and make both devices known', async () => {
  const { idUsuario, emailUsuario } = await createUser(app)
  const other = await createUser(app)
  const marks = ['mQ9c1vY0b2pXo3nZ4rT5uWvA', 'zR5uWvAmQ9c1vY0b2pXo3nZ4']
  const answers = await Promise.all([
    ...marks.map((mark) => signIn(emailUsuario, password, { 'x-dispositivo': mark })),
    signIn(other.emailUsuario),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { sessions, created } = await traces()
  expect(sessions).toEqual([idUsuario, idUsuario, other.idUsuario])
  expect(created).toEqual(sessions)
  const devices = await app.db.selectFrom('dispositivoConhecido').select('idUsuario').execute()
  expect(devices).toEqual([{ idUsuario }, { idUsuario }])
})

test("a password change during concurrent sign-ins fails only the changed user's", async () => {
  const [changed, ...others] = await Promise.all(Array.from({ length: 6 }, () => createUser(app)))
  if (!changed) throw new Error('createUser returned no user')
  // The trigger fires between the account lookup and the opening of the sessions, or before the
  // lookup when another sign-in books its attempt first: the hash must therefore be a valid one.
  const newHash = await hash('Outra senha de teste 8', { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await sql`create function troca_de_teste() returns trigger language plpgsql as
    $$ begin update usuario set senha_hash = ${sql.lit(newHash)} where id_usuario = ${sql.lit(changed.idUsuario)}; return null; end $$`.execute(
    app.db,
  )
  await sql`create trigger troca_de_teste after insert on falha_login
    for each statement execute function troca_de_teste()`.execute(app.db)
  const answers = await Promise.all([changed, ...others].map(({ emailUsuario }) => signIn(emailUsuario)))
  await sql`drop function troca_de_teste cascade`.execute(app.db)
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 200, 200, 200, 200])
  const ids = others.map(({ idUsuario }) => idUsuario).sort()
  expect(await traces()).toMatchObject({ sessions: ids, created: ids })
})

test('names with SQL, JSON and array syntax match as typed', async () => {
  const names = ['NULL', 'null', '{a,b}', 'a"b', 'c\\', '\\"d', "e'f", '', ' ', ',', '{}', 'ção 😀']
  const typed = names.filter((name) => name.trim() !== '')
  const people = await Promise.all(
    typed.map((nomeUsuario, n) => createUser(app, { nomeUsuario: `${nomeUsuario}${n}` })),
  )
  const answers = await Promise.all(people.map(({ nomeUsuario }) => signIn(nomeUsuario)))
  expect(answers.map(({ status, body }) => [status, body.usuario_id])).toEqual(
    people.map(({ idUsuario }) => [200, idUsuario]),
  )
  const alone = await createUser(app, { nomeUsuario: 'NULL' })
  const [known, unknown] = await Promise.all([signIn('NULL'), signIn('"},{')])
  expect([known.body.usuario_id, unknown.status]).toEqual([alone.idUsuario, 401])
})
