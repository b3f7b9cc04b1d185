import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createWorkspace } from '../../../test/reports.ts'
import { simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import { groupId, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let admin: Awaited<ReturnType<TestApp['as']>>
let clienteId: number
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  ...provider.settings,
}))
beforeEach(async () => {
  provider.restore()
  const user = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  clienteId = user.idUsuario
  admin = await app.as(user)
})

const url = '/usuarios/powerbi'
const password = 'um segredo bem guardado'
const draft = (fields = {}) => ({
  nome: 'Matriz',
  username: 'bi@exemplo.com.br',
  password,
  clienteId,
  idResponsavel: 1,
  ...fields,
})
const secretOf = async (id: number) => {
  const { segredo } = await app.db
    .selectFrom('powerbi')
    .select('segredo')
    .where('idPowerBi', '=', id)
    .executeTakeFirstOrThrow()
  return { segredo, plain: app.services.secrets.decrypt(segredo) }
}
const auditOf = (acao: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).orderBy('idAuditoria').execute()

describe('GET /usuarios/powerbi', () => {
  const namesOf = (body: { nome: string }[]) => body.map(({ nome }) => nome)
  beforeEach(async () => {
    const { idUsuario } = await createUser(app, { nomeUsuario: 'Água Viva' })
    await createConnection(app, { nome: 'Zona', username: 'B', clienteId, applicationId: null })
    await createConnection(app, { nome: 'Água', username: 'á', clienteId: idUsuario, provedor: 'local' })
    await createConnection(app, { nome: 'banco', username: 'c', applicationId: null })
  })

  test('GET /usuarios/powerbi returns records without their secret', async () => {
    const { status, body, headers } = await admin.get(url)
    expect([status, headers['x-total-count'], namesOf(body)]).toEqual([200, '3', ['Água', 'banco', 'Zona']])
    expect(body[2]).toEqual({
      idPowerBI: expect.any(Number),
      nome: 'Zona',
      username: 'B',
      clienteId,
      nomeCliente: 'Marina Alves',
      idResponsavel: 1,
      nomeResponsavel: 'Administração',
      provedor: 'microsoft',
      tenantId: expect.any(String),
      applicationId: null,
      tipoCredencial: 'service_principal',
      perfilPrincipal: null,
      temSenha: true,
      validadeSegredo: null,
      segredoExpiraEm: null,
      leituraSegredo: null,
      versao: 1,
    })
    expect(body[1]).toMatchObject({ clienteId: null, nomeCliente: null })
  })

  test.each([
    ['nome', ['Água', 'banco', 'Zona']],
    ['-nome', ['Zona', 'banco', 'Água']],
    ['username', ['Água', 'Zona', 'banco']],
    ['nomeCliente', ['banco', 'Água', 'Zona']],
    ['-nomeCliente', ['Zona', 'Água', 'banco']],
    ['applicationId', ['banco', 'Zona', 'Água']],
    ['-applicationId', ['Água', 'Zona', 'banco']],
    ['provedor', ['Água', 'banco', 'Zona']],
  ])('GET /usuarios/powerbi sorts by %s, in pages', async (ordem, names) => {
    const pages = [1, 2].map((page) => admin.get(`${url}?ordem=${ordem}&pagina=${page}&tamanho=2`))
    const [first, second] = await Promise.all(pages)
    expect([...namesOf(first?.body), ...namesOf(second?.body)]).toEqual(names)
    expect(first?.headers.link).toContain('pagina=2')
  })

  test('GET /usuarios/powerbi searches by name', async () => {
    expect(namesOf((await admin.get(`${url}?busca=AGUA`)).body)).toEqual(['Água'])
    expect((await admin.get(`${url}?busca=marina`)).body).toEqual([])
  })

  test.each(['ordem=segredo', 'ordem=nomeOrdem', 'pagina=0'])(
    'GET /usuarios/powerbi refuses %s with 422',
    async (query) => {
      expect((await admin.get(`${url}?${query}`)).status).toBe(422)
    },
  )

  test('GET /usuarios/powerbi exports a CSV without formulas and secrets, and audits the export', async () => {
    await createConnection(app, { nome: '=SOMA(1;2)' })
    const { headers, body } = await admin.get(`${url}.csv?busca=a`)
    expect(headers['content-disposition']).toBe('attachment; filename="powerbis.csv"')
    const lines = String(body).trimEnd().split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFNome do Powerbi;Username;Cliente;Responsável;Provedor;Tenant ID;Application ID;Tipo de credencial;Segredo vence em',
    )
    expect(lines[1]).toMatch(/^"'=SOMA\(1;2\)";/)
    expect(lines).toHaveLength(5)
    expect(body).not.toContain('segredo-da-conexao')
    expect(body).not.toContain('v1.')
    expect(await auditOf('list.exported')).toMatchObject([
      { objeto: 'powerbis', detalhes: { busca: 'a', linhas: 4 } },
    ])
  })
})

describe('POST /usuarios/powerbi', () => {
  test('POST /usuarios/powerbi encrypts the secret, omits it from answer and audit, and does not call the provider', async () => {
    const { status, body, headers } = await admin.post(url, draft())
    expect([status, headers.etag]).toEqual([201, '"1"'])
    expect(body).toEqual({
      idPowerBI: expect.any(Number),
      nome: 'Matriz',
      username: 'bi@exemplo.com.br',
      clienteId,
      nomeCliente: 'Marina Alves',
      idResponsavel: 1,
      nomeResponsavel: 'Administração',
      provedor: 'microsoft',
      tenantId: null,
      applicationId: null,
      tipoCredencial: 'master_user',
      perfilPrincipal: null,
      temSenha: true,
      validadeSegredo: null,
      segredoExpiraEm: null,
      leituraSegredo: null,
      versao: 1,
    })
    expect((await admin.get(`${url}/${body.idPowerBI}`)).body).toEqual(body)
    const { segredo, plain } = await secretOf(body.idPowerBI)
    expect(plain).toBe(password)
    expect(segredo).not.toContain(password)
    const audit = await auditOf('connection.created')
    expect(audit).toMatchObject([{ objeto: `powerbi:${body.idPowerBI}`, detalhes: { depois: body } }])
    expect(JSON.stringify(audit)).not.toMatch(/"segredo"|segredo-da-conexao|um segredo bem|v1\./)
    expect(provider.seen).toEqual([])
  })

  test('POST /usuarios/powerbi treats a user name without @ as a service principal, unless the body says otherwise', async () => {
    const guid = crypto.randomUUID()
    expect((await admin.post(url, draft({ username: guid }))).body.tipoCredencial).toBe('service_principal')
    const said = { provedor: 'local', tipoCredencial: 'service_principal', tenantId: '', applicationId: guid }
    expect((await admin.post(url, draft(said))).body).toMatchObject({ ...said, tenantId: null })
  })

  test('POST /usuarios/powerbi accepts ids as text', async () => {
    const ids = { clienteId: String(clienteId), idResponsavel: '1' }
    expect((await admin.post(url, draft(ids))).status).toBe(201)
  })

  test.each([
    ['nome', { nome: ' ' }],
    ['username', { username: undefined }],
    ['password', { password: '' }],
    ['password', { password: null }],
    ['clienteId', { clienteId: null }],
    ['clienteId', { clienteId: 999_999 }],
    ['idResponsavel', { idResponsavel: 999_999 }],
    ['provedor', { provedor: 'outro' }],
    ['tenantId', { tenantId: 'contoso.com' }],
    ['applicationId', { applicationId: 'x' }],
    ['validadeSegredo', { validadeSegredo: '31/01/2027' }],
    ['validadeSegredo', { validadeSegredo: '2027-02-29' }],
    ['validadeSegredo', { validadeSegredo: '0000-01-01' }],
  ])('POST /usuarios/powerbi refuses a wrong %s at its field', async (field, fields) => {
    const { status, body } = await admin.post(url, draft(fields))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
    expect((await admin.get(url)).body).toEqual([])
  })
})

describe('PUT /usuarios/powerbi/:id', () => {
  const create = async (fields = {}) => (await admin.post(url, draft(fields))).body
  const target = ({ idPowerBI }: { idPowerBI: number }) => `${url}/${idPowerBI}`

  test('PUT /usuarios/powerbi/:id accepts the answer of a GET, and keeps the secret', async () => {
    const record = await create({ tenantId: crypto.randomUUID() })
    const { status, body } = await admin.put(
      target(record),
      { ...record, nome: 'Filial', password: null },
      { 'if-match': '"1"' },
    )
    expect([status, body]).toEqual([200, { ...record, nome: 'Filial', versao: 2 }])
    expect((await secretOf(record.idPowerBI)).plain).toBe(password)
    expect((await auditOf('connection.updated')).map(({ detalhes }) => detalhes)).toEqual([
      { versao: 2, antes: { nome: 'Matriz' }, depois: { nome: 'Filial' } },
    ])
  })

  test('PUT /usuarios/powerbi/:id keeps omitted fields, and clears empty ones', async () => {
    const guid = crypto.randomUUID()
    const record = await create({ provedor: 'local', tenantId: guid, applicationId: guid })
    const { nome, username, idResponsavel } = record
    const { body } = await admin.put(target(record), {
      nome,
      username,
      clienteId,
      idResponsavel,
      applicationId: '',
    })
    expect(body).toEqual({ ...record, applicationId: null, versao: 2 })
  })

  test('PUT /usuarios/powerbi/:id encrypts a new password, and audits only that it changed', async () => {
    const record = await create()
    await admin.put(target(record), { ...record, password: 'outra senha secreta' })
    expect((await secretOf(record.idPowerBI)).plain).toBe('outra senha secreta')
    const [entry] = await auditOf('connection.updated')
    expect(entry?.detalhes).toEqual({ versao: 2, antes: {}, depois: { password: 'alterada' } })
    const { status, body } = await admin.put(target(record), { ...record }, { 'if-match': '"1"' })
    expect([status, body.codigo]).toEqual([412, 'versao_antiga'])
    expect(body.detail).toMatch(/^Marina Alves alterou Senha em /)
  })

  test("PUT /usuarios/powerbi/:id keeps the secret's expiry date until a new secret is set without one", async () => {
    const made = await create({ validadeSegredo: '2027-01-31' })
    expect(made.validadeSegredo).toBe('2027-01-31')
    const renamed = await admin.put(target(made), { ...made, nome: 'Outro nome' })
    expect(renamed.body.validadeSegredo).toBe('2027-01-31')
    const { validadeSegredo: _, ...without } = renamed.body
    expect((await admin.put(target(made), without)).body.validadeSegredo).toBe('2027-01-31')
    const other = { ...without, password: 'um segredo novo' }
    expect((await admin.put(target(made), other)).body.validadeSegredo).toBeNull()
    const dated = await admin.put(target(made), { ...other, validadeSegredo: '2028-02-29' })
    expect(dated.body.validadeSegredo).toBe('2028-02-29')
    expect(
      (await admin.put(target(made), { ...without, validadeSegredo: '' })).body.validadeSegredo,
    ).toBeNull()
  })

  test('PUT /usuarios/powerbi/:id calls Power BI for the profile, Entra without it, and at once for another profile', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
    const workspaces = [first, second].map((profile) => ({ id: crypto.randomUUID(), name: profile, profile }))
    simulateTenant(provider, { workspaces, profiles: [first, second] })
    // Ids restart with every test and are cache keys: a random version separates the tests.
    const versao = Math.floor(Math.random() * 1e9)
    const { idPowerBi } = await createConnection(app, { clienteId, versao, perfilPrincipal: first })
    const { body: record } = await admin.get(`${url}/${idPowerBi}`)
    expect(record.perfilPrincipal).toBe(first)
    const groups = async () => {
      const { body } = await admin.get(`${target(record)}/grupos`)
      return body.map(({ nomeGrupo }: { nomeGrupo: string }) => nomeGrupo)
    }
    expect(await groups()).toEqual([first])
    expect(provider.seen.map(({ profile }) => profile)).toEqual([undefined, first])
    await admin.put(target(record), { ...record, perfilPrincipal: second })
    expect(await groups()).toEqual([second])
    const { body } = await admin.put(target(record), { ...record, perfilPrincipal: '' })
    expect(body.perfilPrincipal).toBeNull()
    expect(await groups()).toEqual([])
  })

  test('PUT /usuarios/powerbi/:id refuses a profile for a master user', async () => {
    const perfilPrincipal = crypto.randomUUID()
    const refused = await admin.post(url, draft({ perfilPrincipal }))
    expect([refused.status, Object.keys(refused.body.campos)]).toEqual([422, ['perfilPrincipal']])
    expect((await admin.get(url)).body).toEqual([])
    const record = await create({ username: crypto.randomUUID(), perfilPrincipal })
    const { status, body } = await admin.put(target(record), { ...record, tipoCredencial: 'master_user' })
    expect([status, Object.keys(body.campos)]).toEqual([422, ['perfilPrincipal']])
    expect((await admin.get(target(record))).body).toEqual(record)
  })

  test('PUT /usuarios/powerbi/:id drops the cached Entra token', async () => {
    const record = await create({ username: crypto.randomUUID() })
    const tokens = () => provider.seen.filter(({ path }) => path.endsWith('/token')).length
    await admin.get(`${target(record)}/grupos`)
    await admin.get(`${target(record)}/grupos`)
    expect(tokens()).toBe(1)
    await admin.put(target(record), { ...record, password: 'nova' })
    await admin.get(`${target(record)}/grupos`)
    expect(tokens()).toBe(2)
    expect(provider.seen.at(-2)?.body).toContain('client_secret=nova')
  })

  test('PUT /usuarios/powerbi/:id requires the password when the provider changes, so that no secret is sent to the other one', async () => {
    const { body: created } = await admin.post(url, draft({ provedor: 'microsoft' }))
    const at = `${url}/${created.idPowerBI}`
    const refused = await admin.put(at, { ...created, provedor: 'local' })
    expect([refused.status, Object.keys(refused.body.campos)]).toEqual([422, ['password']])
    const changed = await admin.put(at, { ...created, provedor: 'local', password: 'outro segredo' })
    expect([changed.status, changed.body.provedor]).toEqual([200, 'local'])
  })

  test('PUT /usuarios/powerbi/:id accepts a connection whose client was deleted', async () => {
    const record = await create({ clienteId: (await createUser(app)).idUsuario })
    await app.db.deleteFrom('usuario').where('idUsuario', '=', record.clienteId).execute()
    const { body: orphan } = await admin.get(target(record))
    expect(orphan).toMatchObject({ clienteId: null, nomeCliente: null })
    expect((await admin.put(target(record), orphan)).status).toBe(200)
  })

  test('PUT /usuarios/powerbi/:id answers 404 for an unknown id, as do all calls of a connection', async () => {
    for (const id of ['999', 'x', '0', '99999999999']) {
      expect((await admin.get(`${url}/${id}`)).status).toBe(404)
      expect((await admin.put(`${url}/${id}`, draft())).status).toBe(404)
      expect((await admin.del(`${url}/${id}`)).status).toBe(404)
      expect((await admin.post(`${url}/${id}/testar`)).status).toBe(404)
      expect((await admin.get(`${url}/${id}/grupos`)).status).toBe(404)
      expect((await admin.get(`${url}/${id}/grupos/${groupId}/relatorios`)).status).toBe(404)
    }
  })
})

describe('DELETE /usuarios/powerbi/:id', () => {
  test('DELETE /usuarios/powerbi/:id is refused while workspaces use the connection, with their number', async () => {
    const { idPowerBi } = await createConnection(app)
    await createWorkspace(app, { idPowerBi })
    const one = await admin.del(`${url}/${idPowerBi}`)
    expect([one.status, one.body.codigo]).toEqual([409, 'registro_em_uso'])
    expect(one.body.detail).toBe('Este Powerbi tem 1 workspace. Exclua-o primeiro.')
    await createWorkspace(app, { idPowerBi })
    await createWorkspace(app, { idPowerBi })
    expect((await admin.del(`${url}/${idPowerBi}`)).body.detail).toBe(
      'Este Powerbi tem 3 workspaces. Exclua-os primeiro.',
    )
  })

  test('DELETE /usuarios/powerbi/:id deletes a connection without workspaces, and audits it', async () => {
    const { idPowerBi } = await createConnection(app)
    expect((await admin.del(`${url}/${idPowerBi}`)).status).toBe(204)
    expect((await admin.get(`${url}/${idPowerBi}`)).status).toBe(404)
    const audit = await auditOf('connection.deleted')
    expect(audit).toMatchObject([{ objeto: `powerbi:${idPowerBi}` }])
    expect(JSON.stringify(audit)).not.toMatch(/"segredo"|segredo-da-conexao|um segredo bem|v1\./)
  })
})
