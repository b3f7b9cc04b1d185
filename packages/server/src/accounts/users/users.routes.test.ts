import { beforeEach, describe, expect, test } from 'vitest'
import { mailsOf } from '../../../test/mails.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, emptyFields, password } from '../../../test/users.ts'
import { isPassword } from '../credentials/passwords.ts'

type Session = Awaited<ReturnType<TestApp['as']>>

let admin: Session
let marina: Awaited<ReturnType<typeof createUser>>
const app = useTestApp()
beforeEach(async () => {
  marina = await createUser(app, {
    tipoUsuario: 'ADMIN',
    nomeUsuario: 'Marina Alves',
    emailUsuario: 'marina@exemplo.com.br',
  })
  admin = await app.as(marina)
})

const draft = (fields = {}) => ({
  nomeUsuario: 'Água Nova',
  emailUsuario: 'agua@exemplo.com.br',
  senhaUsuario: 'Primeira senha 1',
  ...fields,
})

const auditOf = (acao: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).orderBy('idAuditoria').execute()

const senhaHashOf = async (idUsuario: number) => {
  const row = await app.db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()
  return row.senhaHash
}

/** Fails when a password or hash appears in an answer or audit line. */
const expectNoSecret = (...answers: unknown[]) => {
  const text = JSON.stringify(answers)
  expect(text).not.toMatch(/argon2|hash|"senhaUsuario":"(?!alterada")/i)
  expect(text).not.toContain('Primeira senha')
  expect(text).not.toContain('Segunda senha')
}

describe('access to /usuarios', () => {
  test('a user is readable by an ADMIN and by themselves only', async () => {
    const ana = await createUser(app, { nomeUsuario: 'Ana' })
    const own = await app.as(ana)
    const { status, body, headers } = await admin.get(`/usuarios/${ana.idUsuario}`)
    expect([status, body.nomeUsuario, headers.etag]).toEqual([200, 'Ana', '"1"'])
    expect((await own.get(`/usuarios/${ana.idUsuario}`)).body).toEqual(body)
    expectNoSecret(body)

    const stranger = await app.as(await createUser(app))
    for (const id of [ana.idUsuario, 999_999]) {
      const refused = await stranger.get(`/usuarios/${id}`)
      expect([refused.status, refused.body.codigo]).toEqual([403, 'sem_permissao'])
    }
    expect((await app.anonymous.get(`/usuarios/${ana.idUsuario}`)).status).toBe(401)
    for (const id of ['999999', 'x', '0']) expect((await admin.get(`/usuarios/${id}`)).status).toBe(404)
  })

  test('only an ADMIN can list, create, edit, delete and import; a USER cannot edit themselves', async () => {
    const ana = await createUser(app)
    const own = await app.as(ana)
    const url = `/usuarios/${ana.idUsuario}`
    const answers = await Promise.all([
      own.get('/usuarios'),
      own.get('/usuarios.csv'),
      own.post('/usuarios', draft()),
      own.put(url, { tipoUsuario: 'ADMIN' }),
      own.put(url, { nomeUsuario: 7 }),
      own.del(url),
      own.post('/usuarios/importacao/previa', {}),
      own.post('/usuarios/importacao', {}),
    ])
    for (const { status, body } of answers) expect([status, body.codigo]).toEqual([403, 'sem_permissao'])
    expect((await own.get(url)).body).toMatchObject({ tipoUsuario: 'USER', versao: 1 })
  })
})

describe('POST /usuarios', () => {
  test('POST /usuarios answers 201 with an active USER who can sign in, and audits the creation', async () => {
    const { status, body, headers } = await admin.post('/usuarios', draft())
    expect([status, headers.etag]).toEqual([201, '"1"'])
    expect(body).toEqual({
      ...emptyFields,
      idUsuario: expect.any(Number),
      nomeUsuario: 'Água Nova',
      emailUsuario: 'agua@exemplo.com.br',
      tipoUsuario: 'USER',
      idResponsavel: 1,
      situacao: 'ATIVO',
      emailComprovado: true,
      acessoProntuario: false,
      encarregadoDados: false,
      segundoFator: false,
      convitePendente: false,
      versao: 1,
    })
    const own = await app.as({ emailUsuario: 'AGUA@exemplo.com.br', password: 'Primeira senha 1' })
    expect(own.signedIn.tipo).toBe('USER')
    const audit = await auditOf('user.created')
    expect(audit).toMatchObject([{ objeto: `usuario:${body.idUsuario}`, detalhes: { depois: body } }])
    expectNoSecret(body, audit)
  })

  test('POST /usuarios ignores all other fields: the account is a plain USER of the first responsible', async () => {
    const { status, body } = await admin.post(
      '/usuarios',
      draft({
        idUsuario: marina.idUsuario,
        tipoUsuario: 'ADMIN',
        idResponsavel: 7,
        situacao: 'BLOQUEADO',
        acessoProntuario: true,
        encarregadoDados: true,
        identidadeRls: 'diretoria',
        senhaHash: 'x',
        versao: 9,
      }),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({ tipoUsuario: 'USER', idResponsavel: 1, situacao: 'ATIVO', versao: 1 })
    expect(body).toMatchObject({ acessoProntuario: false, encarregadoDados: false, identidadeRls: null })
    expect(body.idUsuario).not.toBe(marina.idUsuario)
    expect((await senhaHashOf(body.idUsuario))?.startsWith('$argon2id$')).toBe(true)
  })

  test('POST /usuarios answers 409 at the field for an e-mail in use, in any case', async () => {
    const { status, body } = await admin.post('/usuarios', draft({ emailUsuario: 'MARINA@Exemplo.com.br' }))
    expect([status, body.codigo]).toEqual([409, 'email_em_uso'])
    expect(body.campos).toEqual({ emailUsuario: 'Já existe um usuário com este e-mail.' })
    expect(await auditOf('user.created')).toEqual([])
  })

  test('POST /usuarios refuses a name in use, and accepts a longer one', async () => {
    const refused = await admin.post('/usuarios', draft({ nomeUsuario: 'Marina Alves' }))
    expect([refused.status, Object.keys(refused.body.campos)]).toEqual([422, ['nomeUsuario']])
    expect((await admin.post('/usuarios', draft({ nomeUsuario: 'Marina Alves Prado' }))).status).toBe(201)
  })

  test.each([
    ['nomeUsuario', { nomeUsuario: ' ' }, 'É necessário preencher este campo.'],
    ['nomeUsuario', { nomeUsuario: 'a'.repeat(121) }, 'Use no máximo 120 caracteres.'],
    ['emailUsuario', { emailUsuario: 'sem arroba' }, 'Informe um e-mail válido.'],
    ['emailUsuario', { emailUsuario: undefined }, 'É necessário preencher este campo.'],
    ['senhaUsuario', { senhaUsuario: '' }, 'É necessário preencher este campo.'],
    ['senhaUsuario', { senhaUsuario: null }, 'É necessário preencher este campo.'],
    ['senhaUsuario', { senhaUsuario: '1234567' }, 'A senha precisa de ao menos 8 caracteres.'],
    ['senhaUsuario', { senhaUsuario: 'a'.repeat(201) }, 'A senha pode ter no máximo 200 caracteres.'],
  ])('POST /usuarios refuses a wrong %s at its field (%j)', async (field, fields, message) => {
    const { status, body } = await admin.post('/usuarios', draft(fields))
    expect([status, body.campos]).toEqual([422, { [field]: message }])
    expect((await admin.get('/usuarios')).body).toHaveLength(1)
  })
})

describe('PUT /usuarios/:id', () => {
  let ana: Awaited<ReturnType<typeof createUser>>
  let own: Session
  let url: string
  beforeEach(async () => {
    ana = await createUser(app, { nomeUsuario: 'Ana', emailUsuario: 'ana@exemplo.com.br' })
    own = await app.as(ana)
    url = `/usuarios/${ana.idUsuario}`
  })

  test('PUT /usuarios/:id accepts the unchanged answer of a GET: only the version rises, and the sessions continue', async () => {
    const { body: record } = await admin.get(url)
    const { status, body, headers } = await admin.put(url, record, { 'if-match': '"1"' })
    expect([status, headers.etag]).toEqual([200, '"2"'])
    expect(body).toEqual({ ...record, versao: 2 })
    expect((await own.get(url)).status).toBe(200)
    expect(await senhaHashOf(ana.idUsuario)).toBe(ana.senhaHash)
  })

  test('PUT /usuarios/:id sets and audits the officer flag, which opens nothing without access to records', async () => {
    const { body } = await admin.put(url, { encarregadoDados: true })
    expect(body).toMatchObject({ encarregadoDados: true, acessoProntuario: false })
    expect((await own.get('/usuarios/sessao')).status).toBe(200)
    expect((await own.get(url)).body).toMatchObject({ encarregadoDados: true })
    expect((await own.get('/protecao-de-dados/retencao')).status).toBe(403)
    await admin.put(url, { acessoProntuario: true })
    expect((await own.get('/protecao-de-dados/retencao')).status).toBe(200)
    const audit = await auditOf('user.updated')
    expect(audit[0]?.detalhes).toMatchObject({
      antes: { encarregadoDados: false },
      depois: { encarregadoDados: true },
      sessoesEncerradas: 0,
    })
    // Only an ADMIN can change the flags.
    await own.put('/conta', { nomeUsuario: 'Ana', encarregadoDados: false, acessoProntuario: false })
    expect((await own.get(url)).body).toMatchObject({ encarregadoDados: true, acessoProntuario: true })
  })

  test('PUT /usuarios/:id keeps omitted fields, and audits the changed ones', async () => {
    const { body } = await admin.put(url, { identidadeRls: 'filial-sul', acessoProntuario: true })
    expect(body).toMatchObject({
      nomeUsuario: 'Ana',
      emailUsuario: 'ana@exemplo.com.br',
      tipoUsuario: 'USER',
    })
    expect(body).toMatchObject({ identidadeRls: 'filial-sul', acessoProntuario: true, versao: 2 })
    const emptied = await admin.put(url, { identidadeRls: '', nomeUsuario: 'Ana Maria', senhaUsuario: null })
    expect(emptied.body).toMatchObject({
      identidadeRls: null,
      acessoProntuario: true,
      nomeUsuario: 'Ana Maria',
    })
    expect((await own.get(url)).status).toBe(200)
    const audit = await auditOf('user.updated')
    expect(audit.map(({ detalhes }) => detalhes)).toEqual([
      {
        versao: 2,
        antes: { acessoProntuario: false, identidadeRls: null },
        depois: { acessoProntuario: true, identidadeRls: 'filial-sul' },
        sessoesEncerradas: 0,
      },
      {
        versao: 3,
        antes: { nomeUsuario: 'Ana', identidadeRls: 'filial-sul' },
        depois: { nomeUsuario: 'Ana Maria', identidadeRls: null },
        sessoesEncerradas: 0,
      },
    ])
    expect(audit[0]).toMatchObject({ objeto: `usuario:${ana.idUsuario}`, idUsuario: marina.idUsuario })
  })

  test.each([
    ['senhaUsuario', { senhaUsuario: '' }],
    ['senhaUsuario', { senhaUsuario: 'curta' }],
    ['nomeUsuario', { nomeUsuario: '' }],
    ['emailUsuario', { emailUsuario: 'x' }],
    ['tipoUsuario', { tipoUsuario: 'CHEFE' }],
    ['situacao', { situacao: 'ativo' }],
    ['idResponsavel', { idResponsavel: 999_999 }],
  ])('PUT /usuarios/:id refuses a wrong %s at its field', async (field, fields) => {
    const { status, body } = await admin.put(url, fields)
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
    expect((await admin.get(url)).body.versao).toBe(1)
    expect((await own.get(url)).status).toBe(200)
  })

  test('e-mails the former address when the e-mail changes, naming who changed it', async () => {
    const person = await createUser(app, { nomeUsuario: 'Caio Reis', emailUsuario: 'antiga@exemplo.com.br' })
    const { status } = await admin.put(`/usuarios/${person.idUsuario}`, {
      emailUsuario: 'nova@exemplo.com.br',
    })
    expect(status).toBe(200)
    expect(await mailsOf(app)).toMatchObject([
      {
        para: 'antiga@exemplo.com.br',
        mail: { modelo: 'email_alterado', nome: 'Caio Reis', por: expect.any(String) },
      },
    ])
  })

  test("PUT /usuarios/:id answers 409 for another user's e-mail", async () => {
    const { status, body } = await admin.put(url, { emailUsuario: 'Marina@exemplo.com.br' })
    expect([status, body.codigo, Object.keys(body.campos)]).toEqual([409, 'email_em_uso', ['emailUsuario']])
    expect((await admin.put(url, { emailUsuario: 'ANA@exemplo.com.br' })).status).toBe(200)
  })

  test('PUT /usuarios/:id answers 412 with the other change when the version is older, and writes nothing', async () => {
    await admin.put(url, { nomeUsuario: 'Ana Lúcia' }, { 'if-match': '"1"' })
    const { status, body } = await admin.put(url, { senhaUsuario: 'Segunda senha 2' }, { 'if-match': '"1"' })
    expect([status, body.codigo]).toEqual([412, 'versao_antiga'])
    expect(body.detail).toMatch(/^Marina Alves alterou Nome do usuário em /)
    expect((await own.get(url)).status).toBe(200)
    expect((await admin.put('/usuarios/999999', {})).status).toBe(404)
  })

  test('PUT /usuarios/:id makes a new password work at once and the old one stop, and audits neither', async () => {
    const { status, body } = await admin.put(url, { senhaUsuario: 'Segunda senha 2' })
    expect(status).toBe(200)
    expect((await own.get(url)).status).toBe(401)
    await expect(app.as(ana)).rejects.toThrow('401')
    await app.as({ emailUsuario: ana.emailUsuario, password: 'Segunda senha 2' })
    const audit = await auditOf('user.updated')
    expect(audit[0]?.detalhes).toEqual({
      versao: 2,
      antes: {},
      depois: { senhaUsuario: 'alterada' },
      sessoesEncerradas: 1,
    })
    expectNoSecret(body, audit)
  })

  test.each([
    ['a new role', { tipoUsuario: 'admin' }, { tipoUsuario: 'ADMIN' }],
    ['a block', { situacao: 'BLOQUEADO' }, { situacao: 'BLOQUEADO' }],
    ['a return to pending', { situacao: 'PENDENTE' }, { situacao: 'PENDENTE' }],
    ['a new password', { senhaUsuario: 'Segunda senha 2' }, {}],
  ])('%s ends every session of the user at once, and no other session', async (_, change, state) => {
    const elsewhere = await app.as(ana)
    const { status, body } = await admin.put(url, change)
    expect([status, body]).toEqual([200, expect.objectContaining(state)])
    for (const session of [own, elsewhere]) {
      const refused = await session.get(url)
      expect([refused.status, refused.body.codigo]).toEqual([401, 'sessao_encerrada'])
    }
    expect((await admin.get(url)).status).toBe(200)
    const [entry] = await auditOf('user.updated')
    expect(entry?.detalhes.sessoesEncerradas).toBe(2)
  })

  test('PUT /usuarios/:id does not revive a session that a block ended', async () => {
    await admin.put(url, { situacao: 'BLOQUEADO' })
    await admin.put(url, { situacao: 'ATIVO' })
    expect((await own.get(url)).status).toBe(401)
    expect((await (await app.as(ana)).get(url)).status).toBe(200)
  })

  test("PUT /usuarios/:id keeps the caller's own session, and a new password ends their other sessions", async () => {
    const self = `/usuarios/${marina.idUsuario}`
    const elsewhere = await app.as(marina)
    expect((await admin.put(self, { nomeUsuario: 'Marina A.', tipoUsuario: 'ADMIN' })).status).toBe(200)
    expect((await elsewhere.get(self)).status).toBe(200)
    expect((await admin.put(self, { senhaUsuario: 'Segunda senha 2' })).status).toBe(200)
    expect((await admin.get(self)).status).toBe(200)
    expect((await elsewhere.get(self)).status).toBe(401)
  })

  test.each([{ tipoUsuario: 'user' }, { situacao: 'BLOQUEADO' }])(
    'PUT /usuarios/:id ends the session of an ADMIN who gives up the role (%j)',
    async (change) => {
      await createUser(app, { tipoUsuario: 'ADMIN' })
      const self = `/usuarios/${marina.idUsuario}`
      expect((await admin.put(self, change)).status).toBe(200)
      expect((await admin.get(self)).status).toBe(401)
    },
  )
})

describe('DELETE /usuarios/:id', () => {
  test('DELETE /usuarios/:id deletes grants and sessions, and keeps connections and the audit trail', async () => {
    const ana = await createUser(app, { nomeUsuario: 'Ana' })
    const own = await app.as(ana)
    const { idPowerBi } = await createConnection(app, { clienteId: ana.idUsuario })
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
    await grantReport(app, ana.idUsuario, idRelatorio)
    const { body: record } = await admin.get(`/usuarios/${ana.idUsuario}`)

    expect((await admin.del(`/usuarios/${ana.idUsuario}`)).status).toBe(204)
    expect((await own.get(`/usuarios/${ana.idUsuario}`)).status).toBe(401)
    expect((await admin.get(`/usuarios/${ana.idUsuario}`)).status).toBe(404)
    expect((await admin.del(`/usuarios/${ana.idUsuario}`)).status).toBe(404)
    for (const table of ['relatorioUsuario', 'sessao'] as const) {
      const rows = await app.db.selectFrom(table).selectAll().where('idUsuario', '=', ana.idUsuario).execute()
      expect(rows).toEqual([])
    }
    const connection = await app.db
      .selectFrom('powerbi')
      .select('clienteId')
      .where('idPowerBi', '=', idPowerBi)
      .executeTakeFirstOrThrow()
    expect(connection.clienteId).toBeNull()
    const audit = await auditOf('user.deleted')
    expect(audit).toMatchObject([{ objeto: `usuario:${ana.idUsuario}`, detalhes: { antes: record } }])
    expectNoSecret(audit)
    const signIns = (await auditOf('session.created')).map(({ idUsuario }) => idUsuario)
    expect(signIns).toContain(ana.idUsuario)
    expect((await admin.get('/usuarios?pagina=1')).headers['x-total-count']).toBe('1')
  })

  test("DELETE /usuarios/:id answers 409 for the caller's own account", async () => {
    await createUser(app, { tipoUsuario: 'ADMIN' })
    const { status, body } = await admin.del(`/usuarios/${marina.idUsuario}`)
    expect([status, body.codigo]).toEqual([409, 'propria_conta'])
    expect((await admin.get(`/usuarios/${marina.idUsuario}`)).status).toBe(200)
  })
})

test('the portal stores a hash of the given password', async () => {
  const { body } = await admin.post('/usuarios', draft())
  const stored = await senhaHashOf(body.idUsuario)
  expect(await isPassword(stored, 'Primeira senha 1')).toBe(true)
  expect(await isPassword(stored, password)).toBe(false)
})
