import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createConnection } from '../../../test/reports.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { connectLocalService, startLocalConnection } from './local-connection.job.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let folder: string
let serviceFile: string
beforeAll(async () => {
  provider = await startProvider()
  folder = mkdtempSync(join(tmpdir(), 'bi-manager-local-'))
  serviceFile = join(folder, 'service.json')
  const applications = [{ clientId, clientSecret: 'segredo-do-serviço' }]
  writeFileSync(serviceFile, JSON.stringify({ tenantId: crypto.randomUUID(), applications, users: [] }))
})
afterAll(async () => {
  await provider.close()
  rmSync(folder, { recursive: true })
})
const clientId = crypto.randomUUID()
const app = useTestApp(() => ({ REPORTS_URL: provider.origin }))
beforeEach(() => provider.restore())

const connect = (file = serviceFile) => connectLocalService(app.services, file)
const noGroups = () => provider.answer('groups', () => ({ body: { value: [] } }))
const admin = async () => app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
const list = async () => (await (await admin()).get('/usuarios/powerbi')).body
const audited = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'idUsuario'])
    .orderBy('idAuditoria')
    .execute()
  return rows.filter(({ acao }) => acao.startsWith('connection.'))
}

test('the local connection waits for the credentials, then for the service and its first workspace', async () => {
  expect(await connect(join(folder, 'missing.json'))).toBe('waiting')
  expect(await list()).toEqual([])
  provider.answer('token', () => ({ status: 503 }))
  expect(await connect()).toBe('waiting')
  provider.restore()
  noGroups()
  expect(await connect()).toBe('empty')
  const [connection, ...others] = await list()
  expect(others).toEqual([])
  expect(connection).toMatchObject({
    nome: 'Serviço de relatórios local',
    provedor: 'local',
    username: clientId,
    tipoCredencial: 'service_principal',
    clienteId: null,
    temSenha: true,
  })
  const tests = () => app.db.selectFrom('testeConexao').selectAll().execute()
  const [empty] = await tests()
  expect(empty).toMatchObject({ versao: 1, resultado: 'parcial' })
  expect(empty?.detalhe).toContain('Publicar relatórios')
  expect(await connect()).toBe('empty')

  provider.restore()
  expect(await connect()).toBe('done')
  const [{ body: token } = { body: '' }] = provider.seen
  expect(new URLSearchParams(token).get('client_secret')).toBe('segredo-do-serviço')
  const [kept] = await tests()
  expect(kept).toMatchObject({ idPowerBi: connection.idPowerBI, versao: 1, resultado: 'ok' })
  const bySystem = (acao: string) => ({ acao, idUsuario: null })
  expect(await audited()).toEqual([
    bySystem('connection.created'),
    bySystem('connection.tested'),
    bySystem('connection.tested'),
  ])

  provider.restore()
  expect(await connect()).toBe('done')
  expect(provider.seen).toEqual([])
})

test('a test that failed while the service was empty is repeated once it has a workspace', async () => {
  noGroups()
  expect(await connect()).toBe('empty')
  await app.db.updateTable('testeConexao').set({ resultado: 'falha', detalhe: 'Falhou.' }).execute()
  provider.restore()
  expect(await connect()).toBe('done')
  const [kept] = await app.db.selectFrom('testeConexao').selectAll().execute()
  expect(kept?.resultado).toBe('ok')
})

test('an empty service is not asked every few seconds', async () => {
  noGroups()
  const services = { ...app.services, config: { ...app.services.config, localServiceFile: serviceFile } }
  const log = { error: (problem: unknown) => expect.fail(String(problem)) }
  const pauses = { everyMs: 10, whileEmptyMs: 60_000 }
  const connecting = startLocalConnection(services, log, pauses)
  const tokens = () => provider.seen.filter(({ path }) => path.endsWith('/token'))
  await expect.poll(() => tokens().length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 150))
  await connecting?.stop()
  expect(tokens()).toHaveLength(1)
})

test('a deleted connection is not registered again', async () => {
  await connect()
  const [{ idPowerBI }] = await list()
  expect((await (await admin()).del(`/usuarios/powerbi/${idPowerBI}`)).status).toBe(204)
  expect(await connect()).toBe('done')
  expect(await list()).toEqual([])
})

test('a connection that an ADMIN registered is kept, and no other is added', async () => {
  await createConnection(app, { nome: 'Relatórios da casa', provedor: 'local', username: 'outro' })
  expect(await connect()).toBe('done')
  expect((await list()).map(({ nome }: { nome: string }) => nome)).toEqual(['Relatórios da casa'])
  expect(provider.seen).toEqual([])
})

test('an unreadable file is an error', async () => {
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{"applications":[]}')
  await expect(connect(broken)).rejects.toThrow()
  expect(await list()).toEqual([])
})
