import { beforeEach, expect, test } from 'vitest'
import { linkIn, mailsOf } from '../../../test/mails.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let marina: Awaited<ReturnType<typeof createUser>>
const app = useTestApp()
beforeEach(async () => {
  marina = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(marina)
})

const email = 'nova@exemplo.com.br'

/** Requests an account with the public form and confirms its e-mail. */
const signUp = async (): Promise<number> => {
  await app.anonymous.post('/faleconosco/', { nome: 'Nova Pessoa', email, password })
  const { idUsuario } = await app.db
    .selectFrom('usuario')
    .select('idUsuario')
    .where('emailUsuario', '=', email)
    .executeTakeFirstOrThrow()
  const token = linkIn((await mailsOf(app)).at(-1))
  expect((await app.anonymous.post('/login/confirmar-email', { token, password })).status).toBe(200)
  await app.db.deleteFrom('mensagem').execute()
  return idUsuario
}

const createProfile = async (nomePerfil: string): Promise<number> =>
  (await admin.post('/perfis', { nomePerfil })).body.idPerfil

const auditOf = (acao: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()

const unread = async () =>
  (await app.db.selectFrom('notificacao').select('tipo').where('lidaEm', 'is', null).execute()).length

const signIn = () => app.anonymous.post('/usuarios/authorizer', { username: email, password })

test('approval lets the person sign in with the chosen type and profiles, sends an e-mail and clears the notifications', async () => {
  const id = await signUp()
  const profiles = [await createProfile('Diretoria'), await createProfile('Clientes')]
  expect([(await signIn()).status, await unread()]).toEqual([401, 1])
  const { status } = await admin.post(`/usuarios/${id}/aprovar`, { tipoUsuario: 'ADMIN', idPerfis: profiles })
  expect(status).toBe(204)
  expect(await signIn()).toMatchObject({ status: 200, body: { tipo: 'ADMIN' } })
  const joined = await app.db
    .selectFrom('perfilUsuario')
    .select(['idPerfil', 'idUsuario'])
    .orderBy('idPerfil')
    .execute()
  expect(joined).toEqual(profiles.map((idPerfil) => ({ idPerfil, idUsuario: id })))
  expect(await mailsOf(app)).toEqual([
    {
      para: email,
      mail: { modelo: 'conta_aprovada', nome: 'Nova Pessoa', link: 'http://localhost:3000/' },
    },
  ])
  expect(await auditOf('account.approved')).toMatchObject([
    {
      idUsuario: marina.idUsuario,
      objeto: `usuario:${id}`,
      detalhes: { tipoUsuario: 'ADMIN', idPerfis: profiles },
    },
  ])
  expect(await unread()).toBe(0)
  expect((await admin.get(`/usuarios/${id}`)).body).toMatchObject({ situacao: 'ATIVO', versao: 2 })
})

test.each([
  ['no body', {}, undefined],
  ['an empty body', { 'content-type': 'application/json' }, ''],
  ['an empty object', { 'content-type': 'application/json' }, '{}'],
  ['null', { 'content-type': 'application/json' }, 'null'],
])('approval with %s makes the person a USER without profiles', async (_, headers, payload) => {
  const { idUsuario } = await createUser(app, { situacao: 'PENDENTE', tipoUsuario: 'ADMIN' })
  const { statusCode } = await app.app.inject({
    method: 'POST',
    url: `/api/usuarios/${idUsuario}/aprovar`,
    headers: { authorization: `Bearer ${admin.token}`, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  expect(statusCode).toBe(204)
  expect((await admin.get(`/usuarios/${idUsuario}`)).body).toMatchObject({
    tipoUsuario: 'USER',
    situacao: 'ATIVO',
  })
  expect(await app.db.selectFrom('perfilUsuario').selectAll().execute()).toEqual([])
})

test('approval keeps an existing membership of a chosen profile', async () => {
  const { idUsuario } = await createUser(app, { situacao: 'PENDENTE' })
  const idPerfil = await createProfile('Diretoria')
  await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [idUsuario] })
  expect((await admin.post(`/usuarios/${idUsuario}/aprovar`, { idPerfis: [idPerfil] })).status).toBe(204)
})

test('approval with a profile that no longer exists changes nothing', async () => {
  const id = await signUp()
  const idPerfis = [await createProfile('Diretoria'), 999]
  const refused = await admin.post(`/usuarios/${id}/aprovar`, { idPerfis })
  expect([refused.status, refused.body.campos]).toEqual([422, { idPerfis: 'Um dos perfis não existe mais.' }])
  expect((await admin.get(`/usuarios/${id}`)).body.situacao).toBe('PENDENTE')
  expect(await app.db.selectFrom('perfilUsuario').selectAll().execute()).toEqual([])
  expect([await mailsOf(app), await auditOf('account.approved')]).toEqual([[], []])
})

test('refusal deletes the account, e-mails its owner and frees the e-mail', async () => {
  const id = await signUp()
  expect((await admin.post(`/usuarios/${id}/recusar`)).status).toBe(204)
  expect((await admin.get(`/usuarios/${id}`)).status).toBe(404)
  expect(await mailsOf(app)).toEqual([
    { para: email, mail: { modelo: 'conta_recusada', nome: 'Nova Pessoa' } },
  ])
  const [audit] = await auditOf('account.refused')
  expect(audit).toMatchObject({
    idUsuario: marina.idUsuario,
    objeto: `usuario:${id}`,
    detalhes: { antes: { nomeUsuario: 'Nova Pessoa', emailUsuario: email } },
  })
  expect(JSON.stringify(audit)).not.toContain('argon2')
  expect(await unread()).toBe(0)
  await signUp()
  expect(await unread()).toBe(1)
})

test('only a pending account can be decided, and only once under concurrent decisions', async () => {
  for (const situacao of ['ATIVO', 'BLOQUEADO'] as const) {
    const { idUsuario } = await createUser(app, { situacao })
    for (const action of ['aprovar', 'recusar']) {
      expect(await admin.post(`/usuarios/${idUsuario}/${action}`, {})).toMatchObject({
        status: 409,
        body: { codigo: 'conta_nao_pendente' },
      })
    }
    expect((await admin.get(`/usuarios/${idUsuario}`)).body.situacao).toBe(situacao)
  }
  expect((await admin.post('/usuarios/9999/aprovar', {})).status).toBe(404)
  expect((await admin.post('/usuarios/9999/recusar')).status).toBe(404)

  const id = await signUp()
  const answers = await Promise.all([
    admin.post(`/usuarios/${id}/aprovar`, {}),
    admin.post(`/usuarios/${id}/aprovar`, {}),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  expect(await mailsOf(app)).toHaveLength(1)
})

test('an edit that activates a pending account also sends the approval e-mail', async () => {
  const id = await signUp()
  expect((await admin.put(`/usuarios/${id}`, { situacao: 'ATIVO' })).status).toBe(200)
  expect((await signIn()).status).toBe(200)
  expect(await mailsOf(app)).toMatchObject([{ para: email, mail: { modelo: 'conta_aprovada' } }])
  expect(await unread()).toBe(0)
})
