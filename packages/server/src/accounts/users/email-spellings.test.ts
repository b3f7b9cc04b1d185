import { expect, test } from 'vitest'
import { createRequest } from '../../../test/access-requests.ts'
import { createGuest } from '../../../test/guests.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { lockUserOfEmail } from './users.repository.ts'

const app = useTestApp()
const stored = 'ana@xn--aa-4iaz.com.br'
const spellings = ['ana@açaí.com.br', 'ANA@AÇAÍ.com.br', 'ana@XN--AA-4IAZ.com.br', stored]

test.each(spellings)('a person signs in with any spelling of the e-mail: %s', async (username) => {
  const { password } = await createUser(app, { emailUsuario: stored })
  const { status } = await app.anonymous.post('/usuarios/authorizer', { username, password })
  expect(status).toBe(200)
})

test('two spellings of a domain are one account: in an invitation, an import and a profile', async () => {
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

test.each(['p&d@exemplo.com.br', 'ana@exemplo.xn--p1ai'])('%s may sign up and sign in', async (email) => {
  const password = 'Uma senha bem boa 9'
  const asked = await app.anonymous.post('/faleconosco/', { nome: 'Ana Souza', email, password })
  expect(asked.status).toBe(202)
  const row = await app.db
    .selectFrom('usuario')
    .select('idUsuario')
    .where('emailUsuario', '=', email)
    .execute()
  expect(row).toHaveLength(1)
})

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
