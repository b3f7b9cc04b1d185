import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRequest } from '../../../test/access/access-requests.ts'
import { importRow } from '../../../test/accounts/user-import.ts'
import { allowGuests, createGuest } from '../../../test/distribution/guests.ts'
import { mailsOf } from '../../../test/mails.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { lockUserOfEmail } from './users.repository.ts'

const app = useTestApp()
const stored = 'ana@xn--aa-4iaz.com.br'
const spellings = ['ana@açaí.com.br', 'ANA@AÇAÍ.com.br', 'ana@XN--AA-4IAZ.com.br', stored]

test.each(spellings)('a person signs in with any spelling of the e-mail: %s', async (username) => {
  const { password } = await createUser(app, { emailUsuario: stored })
  const { status } = await app.anonymous.post('/usuarios/authorizer', { username, password })
  expect(status).toBe(200)
})

describe.each(spellings)('of the account of ana@xn--aa-4iaz.com.br, the spelling %s', (spelling) => {
  const accounts = async () =>
    (await app.db.selectFrom('usuario').select('emailUsuario').execute()).filter(({ emailUsuario }) =>
      emailUsuario.toLowerCase().startsWith('ana@'),
    )
  const person = { nomeUsuario: 'Outra Ana', senhaUsuario: 'Uma senha bem boa 9' }
  let admin: Awaited<ReturnType<TestApp['as']>>
  beforeEach(async () => {
    await createUser(app, { emailUsuario: stored })
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  })
  afterEach(async () => expect(await accounts()).toEqual([{ emailUsuario: stored }]))

  test('the spelling makes no other account in the form and in the API', async () => {
    const { status, body } = await admin.post('/usuarios', { ...person, emailUsuario: spelling })
    expect([status, Object.keys(body.campos)]).toEqual([409, ['emailUsuario']])
    const other = await createUser(app)
    const moved = await admin.put(`/usuarios/${other.idUsuario}`, { emailUsuario: spelling })
    expect([moved.status, Object.keys(moved.body.campos)]).toEqual([409, ['emailUsuario']])
  })

  test('the spelling makes no other account in an import, beside the account or in the same file', async () => {
    const preview = async (linhas: object[]) =>
      (await admin.post('/usuarios/importacao/previa', { linhas })).body.linhas.map(
        ({ erros }: { erros: object }) => erros,
      )
    expect(await preview([importRow(2, { emailUsuario: spelling })])).toEqual([
      { emailUsuario: 'Já existe um usuário com este e-mail.' },
    ])
    const linhas = ['bia@xn--aa-4iaz.com.br', spelling.replace(/^ana/i, 'bia')].map((emailUsuario, index) =>
      importRow(index + 2, { emailUsuario }),
    )
    expect(await preview(linhas)).toEqual([{}, { emailUsuario: 'O mesmo e-mail está na linha 2.' }])
    const imported = await admin.post('/usuarios/importacao', {
      linhas: [importRow(2, { emailUsuario: spelling })],
    })
    expect(imported.status).toBe(422)
  })

  test('the spelling makes no other account at a sign-up, and warns its owner', async () => {
    const asked = { nome: 'Outra Ana', email: spelling, password: person.senhaUsuario }
    expect((await app.anonymous.post('/faleconosco/', asked)).status).toBe(202)
    expect((await mailsOf(app)).map(({ para, mail }) => [para, mail.modelo])).toEqual([
      [stored, 'conta_existente'],
    ])
  })

  test('the spelling gets the recovery link of the account, to its stored address', async () => {
    expect((await app.anonymous.post('/login/recuperar-senha', { email: spelling })).status).toBe(202)
    expect((await mailsOf(app)).map(({ para, mail }) => [para, mail.modelo])).toEqual([
      [stored, 'recuperacao'],
    ])
  })

  test('the spelling invites one guest', async () => {
    await allowGuests(app)
    const { idPowerBi } = await createConnection(app)
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
    const ultimoDia = dayOf(new Date(Date.now() + 5 * 24 * 3_600_000))
    const invite = (emailConvidado: string) =>
      admin.post('/convidados', { emailConvidado, idRelatorio, ultimoDia, motivo: 'Auditoria' })
    const guest = (email: string) => email.replace(/^ana/i, 'bia')
    expect(await invite(guest(spelling))).toMatchObject({
      status: 201,
      body: { emailConvidado: 'bia@xn--aa-4iaz.com.br' },
    })
    expect((await invite('bia@xn--aa-4iaz.com.br')).status).toBe(409)
  })
})

test('two spellings of a domain are one account: in an invitation and a profile', async () => {
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const invite = (emailUsuario: string) =>
    admin.post('/usuarios/convites', { nomeUsuario: 'Ana Souza', emailUsuario })
  for (const spelling of spellings) expect((await invite(spelling)).status).toBe(202)
  const accounts = await app.db
    .selectFrom('usuario')
    .select('idUsuario')
    .where('emailUsuario', 'like', '%@xn--aa-4iaz.com.br')
    .execute()
  expect(accounts).toHaveLength(1)
  const { body: profile } = await admin.post('/perfis', { nomePerfil: 'Diretoria' })
  const checked = await admin.post(`/perfis/${profile.idPerfil}/candidatos/conferir`, { emails: spellings })
  expect(checked.body.map(({ resultado }: { resultado: string }) => resultado)).toEqual([
    'encontrado',
    ...spellings.slice(1).map(() => 'repetido'),
  ])
})

test.each(['p&d@exemplo.com.br', 'ana@exemplo.xn--p1ai', 'ana@1.2.3.4'])(
  '%s may sign up and sign in',
  async (email) => {
    const password = 'Uma senha bem boa 9'
    const asked = await app.anonymous.post('/faleconosco/', { nome: 'Ana Souza', email, password })
    expect(asked.status).toBe(202)
    const { numUpdatedRows } = await app.db
      .updateTable('usuario')
      .set({ situacao: 'ATIVO' })
      .where('emailUsuario', '=', email)
      .executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(1n)
    const { status } = await app.anonymous.post('/usuarios/authorizer', { username: email, password })
    expect(status).toBe(200)
  },
)

test('a form that sends the same address keeps its stored spelling, by which rows are compared', async () => {
  const older = 'Ana.Souza@Empresa.com.br'
  const user = await createUser(app, { emailUsuario: older })
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const sent = { emailUsuario: older, nomeUsuario: user.nomeUsuario, identidadeRls: 'CNU' }
  const saved = await admin.put(`/usuarios/${user.idUsuario}`, sent)
  expect(saved).toMatchObject({ status: 200, body: { emailUsuario: older, identidadeRls: 'CNU' } })
  const moved = await admin.put(`/usuarios/${user.idUsuario}`, { emailUsuario: 'ana.souza@Empresa.com.br' })
  expect(moved.body.emailUsuario).toBe('ana.souza@empresa.com.br')
})

test.each(spellings)('the operator names an account by any spelling: %s', async (spelling) => {
  const { idUsuario } = await createUser(app, { emailUsuario: stored })
  expect(await lockUserOfEmail(app.db, spelling)).toMatchObject({ idUsuario })
})

test.each(['açaí', 'ACAI', 'aí.com', 'ana@açaí.com.br', 'ANA@XN--AA-4IAZ.com.br', '4iaz'])(
  'each list of people and guests finds %s',
  async (typed) => {
    const ana = await createUser(app, { emailUsuario: stored })
    const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
    const admin = await app.as(owner)
    const { idPowerBi } = await createConnection(app)
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const report = await createReport(app, { idGrupoRelatorio })
    await createGuest(app, {
      emailConvidado: stored,
      idRelatorio: report.idRelatorio,
      convidadoPor: owner.idUsuario,
    })
    await createRequest(app, ana, report)
    const { body: profile } = await admin.post('/perfis', { nomePerfil: 'Diretoria' })
    const search = `busca=${encodeURIComponent(typed)}`
    const count = async (path: string) => (await admin.get(`${path}?${search}`)).body.length
    const candidates = `/perfis/${profile.idPerfil}/candidatos`
    for (const path of ['/usuarios', '/convidados', '/pedidos-acesso', candidates])
      expect([path, await count(path)]).toEqual([path, 1])
    await admin.put(`/perfis/${profile.idPerfil}/membros`, { adicionar: [ana.idUsuario] })
    expect(await count(`/perfis/${profile.idPerfil}/membros`)).toBe(1)
    expect((await admin.get('/usuarios?busca=açaíteria')).body).toEqual([])
  },
)
