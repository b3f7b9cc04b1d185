import { randomUUID } from 'node:crypto'
import type { Report } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { ageSessions, expectReauthenticationDemanded } from '../../../test/accounts/old-session.ts'
import { createConnection, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/*
 * The kind of fault: a check compared one field of one change, so another change, or two in a row,
 * had the same effect unchecked. These tests compare effects: which rows a report shows.
 */

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let idGrupoRelatorio: number
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  idGrupoRelatorio = await newWorkspace()
})

const url = '/usuarios/relatorio'
const fixed = 'ana@exemplo.com.br'
const newWorkspace = async (): Promise<number> => {
  const { idPowerBi } = await createConnection(app)
  return (await createWorkspace(app, { idPowerBi })).idGrupoRelatorio
}
const draft = (fields = {}) => ({
  idGrupoRelatorio,
  nomeRelatorio: 'Sinistralidade',
  operadoraRelatorio: 'CNU',
  reportId: randomUUID(),
  ...fields,
})
const register = async (fields = {}): Promise<Report> => {
  const { status, body } = await admin.post(url, draft(fields))
  expect(status).toBe(201)
  return body
}
const confirm = async () => {
  const senha = (await createUser(app)).password
  expect((await admin.post('/conta/confirmacao', { senha })).status).toBe(204)
}

describe('in an old session, PUT /usuarios/relatorio/:id asks for a proof', () => {
  const roles = { papeisRls: ['Operadora'] }
  const sent = { enviaIdentidade: true, usuarioIdentidade: fixed }
  test.each<[string, object, () => object | Promise<object>]>([
    ['to remove the last role', roles, () => ({ papeisRls: [] })],
    ['to send no identity', sent, () => ({ enviaIdentidade: false })],
    ['to send the identity of each viewer', sent, () => ({ usuarioIdentidade: null })],
    ['to replace a role', roles, () => ({ papeisRls: ['Todas'] })],
    ['to move a fixed user to another report', sent, () => ({ reportId: randomUUID() })],
    ['to show another report at the same place', {}, () => ({ reportId: randomUUID() })],
    ['to move to another connection', sent, async () => ({ idGrupoRelatorio: await newWorkspace() })],
    ['to open another dataset', roles, () => ({ datasetsAdicionais: [randomUUID()] })],
    ['to clear the mark of sensitive data', { sensivel: true }, () => ({ sensivel: false })],
  ])('in an old session, PUT /usuarios/relatorio/:id asks for a proof %s', async (_, before, change) => {
    const report = await register(before)
    const path = `${url}/${report.idRelatorio}`
    ageSessions(app)
    const body = { ...report, ...(await change()) }
    expectReauthenticationDemanded(await admin.put(path, body))
    expect((await admin.get(path)).body).toEqual(report)
    await confirm()
    expect((await admin.put(path, body)).status).toBe(200)
  })
})

test('in an old session, a change that shows the same rows or fewer needs no proof', async () => {
  const report = await register({ papeisRls: ['Operadora', 'Todas'], sensivel: true })
  ageSessions(app)
  const changes = [
    { nomeRelatorio: 'Outro nome', operadoraRelatorio: 'BRADESCO', comentarios: false },
    { papeisRls: ['Todas', 'Operadora'] },
    { reportId: report.reportId.toUpperCase() },
    { papeisRls: ['Operadora'] },
  ]
  for (const change of changes)
    expect((await admin.put(`${url}/${report.idRelatorio}`, { ...report, ...change })).status).toBe(200)
})

describe('in an old session, the same report is not registered again', () => {
  const imported = ({ reportId }: { reportId: string }, fields = {}) => {
    const relatorios = [{ reportId, nomeRelatorio: 'De novo', operadoraRelatorio: 'UNIMED', ...fields }]
    return admin.post(`/usuarios/workspace/${idGrupoRelatorio}/relatorios`, { relatorios })
  }

  test.each<[string, object]>([
    ['without its roles', { papeisRls: ['Operadora'] }],
    ['without its fixed user', { enviaIdentidade: true, usuarioIdentidade: fixed }],
    ['without an identity', { enviaIdentidade: true }],
    ['without the mark of sensitive data', { sensivel: true }],
    ['without its other dataset', { datasetsAdicionais: [randomUUID()] }],
  ])('in an old session, the same report is not registered again %s', async (_, fields) => {
    const { reportId } = await register(fields)
    ageSessions(app)
    expectReauthenticationDemanded(await admin.post(url, draft({ reportId: reportId.toUpperCase() })))
    expectReauthenticationDemanded(await imported({ reportId }))
    expect((await admin.get(url)).body).toHaveLength(1)
    await confirm()
    expect((await imported({ reportId })).status).toBe(201)
  })

  test('in an old session, the same report is not registered again through another connection', async () => {
    const { reportId } = await register()
    ageSessions(app)
    const elsewhere = { reportId, idGrupoRelatorio: await newWorkspace() }
    expectReauthenticationDemanded(await admin.post(url, draft(elsewhere)))
  })

  test('in an old session, the same report is not registered again with a role, by an import', async () => {
    ageSessions(app)
    expectReauthenticationDemanded(await imported(draft(), { papeisRls: ['Todas'] }))
  })

  test('in an old session, the same report is registered again for another operadora, or where it was never registered', async () => {
    const { reportId } = await register()
    ageSessions(app)
    expect((await admin.post(url, draft({ reportId, operadoraRelatorio: 'CNU2' }))).status).toBe(201)
    expect((await admin.post(url, draft())).status).toBe(201)
    expect((await imported({ reportId: randomUUID() })).status).toBe(201)
  })
})

describe('in an old session, DELETE /usuarios/relatorio/:id', () => {
  test.each<[string, object]>([
    ['with roles', { papeisRls: ['Operadora'] }],
    ['with an identity', { enviaIdentidade: true }],
    ['with sensitive data', { sensivel: true }],
  ])(
    'the portal asks for a proof for a report %s: it could be registered again without',
    async (_, fields) => {
      const { idRelatorio } = await register(fields)
      ageSessions(app)
      expectReauthenticationDemanded(await admin.del(`${url}/${idRelatorio}`))
      expect((await admin.get(`${url}/${idRelatorio}`)).status).toBe(200)
      await confirm()
      expect((await admin.del(`${url}/${idRelatorio}`)).status).toBe(204)
    },
  )

  test('in an old session, DELETE /usuarios/relatorio/:id deletes another report', async () => {
    const { idRelatorio } = await register()
    ageSessions(app)
    expect((await admin.del(`${url}/${idRelatorio}`)).status).toBe(204)
  })
})

describe('in an old session, PUT /usuarios/workspace/:id', () => {
  const workspace = async () => (await admin.get(`/usuarios/workspace/${idGrupoRelatorio}`)).body
  const path = () => `/usuarios/workspace/${idGrupoRelatorio}`

  test('the portal asks for a proof to move reports to another connection or group', async () => {
    await register()
    const before = await workspace()
    const { idPowerBi } = await createConnection(app)
    ageSessions(app)
    expectReauthenticationDemanded(await admin.put(path(), { ...before, idPowerBi }))
    expectReauthenticationDemanded(await admin.put(path(), { ...before, idGrupo: randomUUID() }))
    expect(await workspace()).toEqual(before)
    expect((await admin.put(path(), { ...before, nomeGrupo: 'Outro nome' })).status).toBe(200)
    await confirm()
    expect((await admin.put(path(), { ...before, idPowerBi })).status).toBe(200)
  })

  test('the session moves a workspace without reports', async () => {
    const before = await workspace()
    ageSessions(app)
    expect((await admin.put(path(), { ...before, idGrupo: randomUUID() })).status).toBe(200)
  })
})
