import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/* Granting 'Acesso a prontuários' and 'Encarregado': who may, and who is notified. */

const minute = 60_000

let rita: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  rita = await createUser(app, { nomeUsuario: 'Rita Admin', tipoUsuario: 'ADMIN' })
  admin = await app.as(rita)
})

const flagsOf = async (idUsuario: number) =>
  app.db
    .selectFrom('usuario')
    .select(['acessoProntuario', 'encarregadoDados'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
const none = { acessoProntuario: false, encarregadoDados: false }
const both = { acessoProntuario: true, encarregadoDados: true }

const toldTo = async (idUsuario: number) => {
  const rows = await app.db
    .selectFrom('notificacao')
    .select('texto')
    .where('idUsuario', '=', idUsuario)
    .orderBy('idNotificacao')
    .execute()
  return rows.map(({ texto }) => texto)
}

test("a change needs a recent confirmation to give other rows: a person's identity, also by an import", async () => {
  const other = await createUser(app)
  const path = `/usuarios/${other.idUsuario}`
  const line = { linha: 2, nomeUsuario: 'Nova', emailUsuario: 'nova@exemplo.com.br', senhaUsuario: '' }
  const imported = (identidadeRls: string) =>
    admin.post('/usuarios/importacao', { linhas: [{ ...line, identidadeRls }], convidar: true })
  expect((await admin.put(path, { identidadeRls: 'CNU' })).status).toBe(200)
  app.clock.offsetMs = 11 * minute
  const none = { identidadeRls: null }
  const given = [await admin.put(path, { identidadeRls: 'BRADESCO' }), await admin.put(path, none)]
  for (const answer of [...given, await imported('CNU')])
    expect([answer.status, answer.body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
  // An unchanged identity needs none.
  expect((await admin.put(path, { identidadeRls: 'CNU' })).status).toBe(200)
  expect((await imported('')).body).toEqual({ cadastrados: 1 })
})

describe('an ADMIN', () => {
  test.each([{ acessoProntuario: true }, { encarregadoDados: true }, both])(
    'an ADMIN cannot grant themselves %o, and the attempt is audited',
    async (flags) => {
      await createUser(app, { tipoUsuario: 'ADMIN' })
      const { status, body } = await admin.put(`/usuarios/${rita.idUsuario}`, flags)
      expect([status, body.codigo]).toEqual([403, 'sem_permissao'])
      expect(body.detail).toContain('npm run records:grant')
      expect(await flagsOf(rita.idUsuario)).toEqual(none)
      const { detalhes } = await app.db
        .selectFrom('auditoria')
        .select('detalhes')
        .where('acao', '=', 'access.refused')
        .executeTakeFirstOrThrow()
      expect(detalhes).toEqual({ codigo: 'sem_permissao' })
    },
  )

  test('an ADMIN can give up their own flag, and can send one unchanged', async () => {
    await app.db.updateTable('usuario').set(both).where('idUsuario', '=', rita.idUsuario).execute()
    const url = `/usuarios/${rita.idUsuario}`
    expect((await admin.put(url, both)).status).toBe(200)
    expect((await admin.put(url, { ...both, encarregadoDados: false })).status).toBe(200)
    expect((await admin.put(url, both)).status).toBe(403)
  })

  test('an ADMIN can grant the flags to another user', async () => {
    const ana = await createUser(app)
    expect((await admin.put(`/usuarios/${ana.idUsuario}`, both)).status).toBe(200)
    expect(await flagsOf(ana.idUsuario)).toEqual(both)
  })
})

describe('an account has no flags even if the body asks for them when it is', () => {
  const person = { nomeUsuario: 'Nova Pessoa', emailUsuario: 'nova@exemplo.com.br' }
  const senhaUsuario = 'Uma senha de teste 9'
  const idOf = async () =>
    (
      await app.db
        .selectFrom('usuario')
        .select('idUsuario')
        .where('emailUsuario', '=', person.emailUsuario)
        .executeTakeFirstOrThrow()
    ).idUsuario

  test.each([
    ['registered', '/usuarios', { ...person, senhaUsuario, ...both }, 201],
    ['imported', '/usuarios/importacao', { linhas: [{ linha: 2, ...person, senhaUsuario, ...both }] }, 201],
    ['invited', '/usuarios/convites', { ...person, ...both }, 202],
    [
      'signed up',
      '/faleconosco/',
      { nome: person.nomeUsuario, email: person.emailUsuario, password: senhaUsuario, ...both },
      202,
    ],
  ])(
    'an account has no flags even if the body asks for them when it is %s',
    async (_, url, body, expected) => {
      expect((await admin.post(url, body)).status).toBe(expected)
      expect(await flagsOf(await idOf())).toEqual(none)
    },
  )

  test('an account has no flags even if the body asks for them when it is approved', async () => {
    const { idUsuario } = await createUser(app, { situacao: 'PENDENTE' })
    expect((await admin.post(`/usuarios/${idUsuario}/aprovar`, both)).status).toBe(204)
    expect(await flagsOf(idUsuario)).toEqual(none)
  })
})

test('a grant of access to records notifies every officer and other ADMIN once, with grantor and grantee', async () => {
  const other = await createUser(app, { tipoUsuario: 'ADMIN', encarregadoDados: true })
  const officer = await createUser(app, { encarregadoDados: true })
  const blocked = await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
  const stranger = await createUser(app)
  const ana = await createUser(app, { nomeUsuario: 'Ana Lima', tipoUsuario: 'ADMIN' })
  await admin.put(`/usuarios/${ana.idUsuario}`, { acessoProntuario: true })
  const text = 'Rita Admin deu a Ana Lima o acesso a prontuários.'
  for (const { idUsuario } of [other, officer]) expect(await toldTo(idUsuario)).toEqual([text])
  expect(await toldTo(ana.idUsuario)).toEqual(['Rita Admin deu a você o acesso a prontuários.'])
  for (const { idUsuario } of [rita, blocked, stranger]) expect(await toldTo(idUsuario)).toEqual([])
})

describe('more than ten minutes after the sign-in', () => {
  const late = () => {
    app.clock.offsetMs = 10 * minute + 1_000
  }
  const ask = [403, 'reautenticacao_necessaria']

  test.each([
    ['access to records', { acessoProntuario: true }],
    ['the role of data protection officer', { encarregadoDados: true }],
    ['another e-mail', { emailUsuario: 'outro@exemplo.com.br' }],
    ['another password', { senhaUsuario: 'Uma senha de teste 9' }],
    ['the ADMIN role', { tipoUsuario: 'ADMIN' }],
  ])('%s is given only after a confirmation', async (_, change) => {
    const ana = await createUser(app)
    const url = `/usuarios/${ana.idUsuario}`
    late()
    const refused = await admin.put(url, change)
    expect([refused.status, refused.body.codigo]).toEqual(ask)
    expect((await admin.get(url)).body.versao).toBe(1)
    expect((await admin.post('/conta/confirmacao', { senha: rita.password })).status).toBe(204)
    expect((await admin.put(url, change)).status).toBe(200)
  })

  test.each(['PENDENTE', 'BLOQUEADO'] as const)(
    'an account that is %s becomes ADMIN, or is invited as one, only after a confirmation',
    async (situacao) => {
      const asker = await createUser(app, { situacao, emailPorProvar: true })
      late()
      const role = await admin.put(`/usuarios/${asker.idUsuario}`, { tipoUsuario: 'ADMIN' })
      expect([role.status, role.body.codigo]).toEqual(ask)
      const kept = await createUser(app, {
        situacao: 'BLOQUEADO',
        tipoUsuario: 'ADMIN',
        emailPorProvar: true,
      })
      const invited = await admin.post(`/usuarios/${kept.idUsuario}/convidar`)
      expect([invited.status, invited.body.codigo]).toEqual(ask)
      expect((await admin.get(`/usuarios/${kept.idUsuario}`)).body.situacao).toBe('BLOQUEADO')
    },
  )

  test('a pending account is approved as ADMIN only after a confirmation', async () => {
    const { idUsuario } = await createUser(app, { situacao: 'PENDENTE' })
    late()
    const approve = (tipoUsuario: string) => admin.post(`/usuarios/${idUsuario}/aprovar`, { tipoUsuario })
    const refused = await approve('ADMIN')
    expect([refused.status, refused.body.codigo]).toEqual(ask)
    expect((await approve('USER')).status).toBe(204)
  })

  test('a blocked ADMIN is activated only after a confirmation', async () => {
    const { idUsuario } = await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
    late()
    const refused = await admin.put(`/usuarios/${idUsuario}`, { situacao: 'ATIVO' })
    expect([refused.status, refused.body.codigo]).toEqual(ask)
  })

  test("changing one's own e-mail needs a confirmation too", async () => {
    late()
    const refused = await admin.put(`/usuarios/${rita.idUsuario}`, { emailUsuario: 'eu@exemplo.com.br' })
    expect([refused.status, refused.body.codigo]).toEqual(ask)
  })

  test('a change that grants nothing needs no confirmation', async () => {
    const ana = await createUser(app, both)
    late()
    const { body } = await admin.get(`/usuarios/${ana.idUsuario}`)
    const changes = [
      { ...body, nomeUsuario: 'Outro Nome' },
      { encarregadoDados: false },
      { acessoProntuario: false },
      { situacao: 'BLOQUEADO' },
    ]
    for (const change of changes) {
      expect((await admin.put(`/usuarios/${ana.idUsuario}`, change)).status).toBe(200)
    }
  })
})

test('a changed e-mail notifies every officer and other ADMIN', async () => {
  const colleague = await createUser(app, { tipoUsuario: 'ADMIN' })
  const officer = await createUser(app, { encarregadoDados: true })
  const ana = await createUser(app, { nomeUsuario: 'Ana Lima', emailUsuario: 'ana@exemplo.com.br' })
  await admin.put(`/usuarios/${ana.idUsuario}`, { emailUsuario: 'lima@exemplo.com.br' })
  const text = 'Rita Admin trocou o e-mail de Ana Lima: de ana@exemplo.com.br para lima@exemplo.com.br.'
  for (const { idUsuario } of [colleague, officer]) expect(await toldTo(idUsuario)).toEqual([text])
  expect(await toldTo(rita.idUsuario)).toEqual([])
})

test('a password typed for a user with access to records notifies every officer and other ADMIN', async () => {
  const colleague = await createUser(app, { tipoUsuario: 'ADMIN' })
  const officer = await createUser(app, { encarregadoDados: true })
  const clinician = await createUser(app, { acessoProntuario: true, nomeUsuario: 'Helena Clínica' })
  const other = await createUser(app)
  const senhaUsuario = 'Senha digitada pelo administrador 7'
  for (const { idUsuario } of [clinician, other]) {
    expect((await admin.put(`/usuarios/${idUsuario}`, { senhaUsuario })).status).toBe(200)
  }
  const sentence =
    'Rita Admin digitou uma senha nova para Helena Clínica, que tem acesso a prontuários ou é encarregado de dados.'
  expect(await toldTo(colleague.idUsuario)).toEqual([sentence])
  expect(await toldTo(rita.idUsuario)).toEqual([])
  expect(await toldTo(officer.idUsuario)).toEqual([sentence])
})
