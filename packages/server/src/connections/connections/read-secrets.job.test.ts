import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { createConnection } from '../../../test/reports.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { readDueSecrets } from './read-secrets.job.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let boss: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  ...provider.settings,
  BI_TIMEOUT_SECONDS: '2',
}))
beforeEach(async () => {
  provider.restore()
  boss = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(boss)
})

const url = '/usuarios/powerbi'
const hour = 3_600_000
/** The hint of `segredo-da-conexao`, the secret of a test's connections. */
const hint = 'seg'
const credential = (fields: object) => ({
  customKeyIdentifier: null,
  displayName: 'portal',
  endDateTime: '2031-02-01T02:30:00Z',
  hint,
  keyId: crypto.randomUUID(),
  secretText: null,
  startDateTime: '2025-01-01T00:00:00Z',
  ...fields,
})
const answerGraph = (...passwordCredentials: object[]) =>
  provider.answer('application', () => ({ body: { passwordCredentials } }))
const refuse = (status: number) =>
  provider.answer('application', () => ({ status, body: { error: { code: 'Refused', message: '' } } }))
const log = { error: (problem: unknown) => expect.fail(String(problem)) }
const read = () => readDueSecrets(app.services, log)
const graphCalls = () => provider.seen.filter(({ path }) => path.startsWith('/v1.0/applications('))
const connect = async (fields = {}) => (await createConnection(app, fields)).idPowerBi
const recordOf = async (id: number) => (await admin.get(`${url}/${id}`)).body
const shownOf = async (id: number) => {
  const { validadeSegredo, segredoExpiraEm, leituraSegredo } = await recordOf(id)
  return [validadeSegredo, segredoExpiraEm, leituraSegredo]
}
const save = (record: { idPowerBI: number }, changes: object) =>
  admin.put(`${url}/${record.idPowerBI}`, { ...record, password: null, ...changes })

describe('the expiry of a secret', () => {
  test('the expiry of a secret is read from Microsoft Graph as the application, and shown as its day in Brazil', async () => {
    const applicationId = crypto.randomUUID()
    const id = await connect({ applicationId, validadeSegredo: '2027-05-01' })
    answerGraph(credential({}))
    await read()
    expect(await shownOf(id)).toEqual(['2027-05-01', '2031-01-31', 'lida'])
    const [call] = graphCalls()
    expect(call?.path).toBe(`/v1.0/applications(appId='${applicationId}')?$select=passwordCredentials`)
    expect(call?.authorization).toMatch(/^Bearer entra-/)
    const token = provider.seen.find(({ path }) => path.endsWith('/token'))
    expect(new URLSearchParams(token?.body).get('scope')).toBe(`${provider.origin}/.default`)
    const { body: csv } = await admin.get(`${url}.csv`)
    expect(csv).toMatch(/;Segredo vence em\r\n.*;2031-01-31\r\n/)
  })

  test.each([
    [
      'of the secret with the same first characters',
      [{ hint: 'abc', endDateTime: '2029-01-01T12:00:00Z' }, {}],
      '2031-01-31',
    ],
    [
      'that comes first, of two with the same hint',
      [{}, { endDateTime: '2030-06-15T12:00:00Z' }],
      '2030-06-15',
    ],
    ['of a valid secret', [{ endDateTime: '2026-01-01T12:00:00Z' }, {}], '2031-01-31'],
    [
      'of a secret that has begun',
      [{ startDateTime: '2030-01-01T12:00:00Z', endDateTime: '2030-06-15T12:00:00Z' }, {}],
      '2031-01-31',
    ],
    ['of the only secret without a hint', [{ hint: null }], '2031-01-31'],
    ['of no other secret', [{ hint: 'abc' }], null],
    ['of no secret without an end', [{ endDateTime: null }], null],
  ])('the expiry of a secret is the one %s', async (_, credentials, day) => {
    const id = await connect()
    answerGraph(...credentials.map(credential))
    await read()
    expect(await shownOf(id)).toEqual([null, day, day ? 'lida' : 'nao_encontrada'])
  })

  test.each([
    [403, 'sem_permissao'],
    [401, 'sem_permissao'],
    [404, 'nao_encontrada'],
    [500, 'falhou'],
  ])('the expiry of a secret is as entered when Microsoft Graph answers %i', async (status, reading) => {
    const id = await connect({ validadeSegredo: '2027-05-01' })
    refuse(status)
    await read()
    expect(await shownOf(id)).toEqual(['2027-05-01', '2027-05-01', reading])
  })

  test.each([
    ['the local service', { provedor: 'local' }],
    ['a master user', { tipoCredencial: 'master_user' }],
  ])('the expiry of a secret is not asked for at %s', async (_, fields) => {
    const id = await connect(fields)
    await read()
    await admin.post(`${url}/${id}/testar`)
    expect(graphCalls()).toEqual([])
    expect(await shownOf(id)).toEqual([null, null, null])
  })

  test('the expiry of a secret is not asked for of another authority whose Graph is not configured', async () => {
    await connect()
    const environment = { DATA_DIR: app.dataDir, POWERBI_AUTHORITY_URL: 'https://entra.exemplo.gov' }
    await readDueSecrets({ ...app.services, config: loadConfig(environment) }, log)
    expect(provider.seen).toEqual([])
  })
})

describe('the reading of a secret', () => {
  test('the reading of a secret happens once a day, by one of several processes', async () => {
    await connect()
    answerGraph(credential({}))
    await Promise.all([read(), read(), read()])
    expect(graphCalls()).toHaveLength(1)
    await moveClockTo(app, 23 * hour)
    await read()
    expect(graphCalls()).toHaveLength(1)
    await moveClockTo(app, 25 * hour)
    await read()
    expect(graphCalls()).toHaveLength(2)
  })

  test('the reading of a secret is repeated after an hour when there was no answer, and keeps the earlier date', async () => {
    const id = await connect()
    answerGraph(credential({}))
    await read()
    provider.answer('application', () => ({ drop: true }))
    await moveClockTo(app, 25 * hour)
    await read()
    await moveClockTo(app, 26.1 * hour)
    await read()
    expect(graphCalls()).toHaveLength(3)
    admin = await app.as(boss)
    expect(await shownOf(id)).toEqual([null, '2031-01-31', 'lida'])
  })

  test('the reading of a secret is dropped with its secret, and kept by other edits', async () => {
    const id = await connect()
    answerGraph(credential({}))
    await read()
    const { body: renamed } = await save(await recordOf(id), { nome: 'Filial' })
    expect([renamed.nome, renamed.segredoExpiraEm]).toEqual(['Filial', '2031-01-31'])
    await read()
    expect(graphCalls()).toHaveLength(1)
    const { body: replaced } = await save(renamed, { password: 'novo segredo' })
    expect([replaced.segredoExpiraEm, replaced.leituraSegredo]).toEqual([null, null])
    answerGraph(credential({ hint: 'nov', endDateTime: '2032-01-01T12:00:00Z' }))
    await read()
    expect(await shownOf(id)).toEqual([null, '2032-01-01', 'lida'])
    const { body: moved } = await save(await recordOf(id), { applicationId: crypto.randomUUID() })
    expect(moved.segredoExpiraEm).toBeNull()
  })

  test('the reading of a secret is repeated after the previous version edited the connection, without the earlier date', async () => {
    const id = await connect()
    answerGraph(credential({}))
    await read()
    await app.db.updateTable('powerbi').set({ versao: 2 }).where('idPowerBi', '=', id).execute()
    refuse(403)
    await read()
    expect(await shownOf(id)).toEqual([null, null, 'sem_permissao'])
  })

  test('the reading of a secret is audited when it changes the date', async () => {
    const id = await connect()
    answerGraph(credential({}))
    await read()
    await moveClockTo(app, 25 * hour)
    await read()
    const lines = await app.db
      .selectFrom('auditoria')
      .select(['objeto', 'idUsuario', 'detalhes'])
      .where('acao', '=', 'connection.expiry-read')
      .execute()
    const detalhes = { antes: { segredoExpiraEm: null }, depois: { segredoExpiraEm: '2031-01-31' } }
    expect(lines).toEqual([{ objeto: `powerbi:${id}`, idUsuario: null, detalhes }])
  })
})

describe('Testar conexão', () => {
  const tested = async (id: number) => (await admin.post(`${url}/${id}/testar`)).body

  test('Testar conexão reads the expiry and says it', async () => {
    const id = await connect()
    answerGraph(credential({}))
    const { etapas, segredo } = await tested(id)
    expect(etapas.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true])
    expect(segredo).toEqual({
      leitura: 'lida',
      expiraEm: '2031-01-31',
      detalhe: 'O segredo vence em 31/01/2031, lido do Microsoft Entra.',
    })
    expect(await shownOf(id)).toEqual([null, '2031-01-31', 'lida'])
    await read()
    expect(graphCalls()).toHaveLength(1)
  })

  test('Testar conexão names the missing permission, and does not fail because of it', async () => {
    const id = await connect()
    const { etapas, segredo } = await tested(id)
    expect(etapas.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true])
    expect([segredo.leitura, segredo.expiraEm]).toEqual(['sem_permissao', null])
    expect(segredo.detalhe).toContain('Application.Read.All')
  })

  test('Testar conexão does not wait longer than one call for Microsoft Graph', async () => {
    const id = await connect()
    provider.answer('application', () => ({ delay: 6_000 }))
    const started = performance.now()
    const { etapas, segredo } = await tested(id)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(etapas.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true])
    expect(segredo.leitura).toBe('falhou')
  })

  test('Testar conexão asks nothing when the credential is refused', async () => {
    const id = await connect()
    provider.answer('token', () => ({ status: 401, body: { error: 'invalid_client' } }))
    expect(await tested(id)).not.toHaveProperty('segredo')
    expect(graphCalls()).toEqual([])
  })
})
