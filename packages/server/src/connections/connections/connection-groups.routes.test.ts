import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { manyWorkspaces, refusals, simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import {
  groupId,
  paginatedReportId,
  reportId,
  startProvider,
} from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let admin: Awaited<ReturnType<TestApp['as']>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  ...provider.settings,
}))
beforeEach(async () => {
  provider.restore()
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

const url = '/usuarios/powerbi'

describe('GET /usuarios/powerbi/:id/grupos', () => {
  test("GET /usuarios/powerbi/:id/grupos returns the provider's groups in Brazilian order, with those registered on this connection", async () => {
    const { idPowerBi } = await createConnection(app)
    const other = await createConnection(app)
    const workspace = await createWorkspace(app, { idPowerBi, idGrupo: groupId.toUpperCase() })
    const { status, body } = await admin.get(`${url}/${idPowerBi}/grupos`)
    expect(status).toBe(200)
    expect(body).toEqual([
      { idGrupo: expect.any(String), nomeGrupo: 'Água', idGrupoRelatorio: null },
      { idGrupo: groupId, nomeGrupo: 'Saúde', idGrupoRelatorio: workspace.idGrupoRelatorio },
    ])
    expect(provider.seen.at(-1)?.path).toBe('/v1.0/myorg/groups?$top=5000')
    const elsewhere = (await admin.get(`${url}/${other.idPowerBi}/grupos`)).body
    expect(elsewhere[1].idGrupoRelatorio).toBeNull()
  })

  const skips = () =>
    provider.seen.flatMap(({ path }) => (path.includes('/groups?') ? [path.split('groups')[1]] : []))

  test.each([
    [5_001, ['?$top=5000', '?$top=5000&$skip=5000']],
    [10_000, ['?$top=5000', '?$top=5000&$skip=5000', '?$top=5000&$skip=10000']],
  ])('GET /usuarios/powerbi/:id/grupos reads all pages of %i groups', async (count, pages) => {
    simulateTenant(provider, { workspaces: manyWorkspaces(count) })
    const { idPowerBi } = await createConnection(app)
    const { status, body } = await admin.get(`${url}/${idPowerBi}/grupos`)
    expect([status, body.length]).toEqual([200, count])
    expect(body.at(-1).nomeGrupo).toBe(`Workspace ${String(count).padStart(5, '0')}`)
    expect(skips()).toEqual(pages)
  })

  test('GET /usuarios/powerbi/:id/grupos ends when the service repeats the first page', async () => {
    const value = manyWorkspaces(5_000)
    provider.answer('groups', () => ({ body: { value } }))
    const { idPowerBi } = await createConnection(app)
    expect((await admin.get(`${url}/${idPowerBi}/grupos`)).body).toHaveLength(5_000)
    expect(skips()).toHaveLength(2)
  })

  test('GET /usuarios/powerbi/:id/grupos answers the reason when a later page is refused', async () => {
    const workspaces = manyWorkspaces(5_001)
    provider.answer('groups', ({ path }) =>
      path.includes('$skip') ? refusals.throttled : { body: { value: workspaces.slice(0, 5_000) } },
    )
    const { idPowerBi } = await createConnection(app)
    const { status, body } = await admin.get(`${url}/${idPowerBi}/grupos`)
    expect([status, body.codigo]).toEqual([503, 'bi_sobrecarregado'])
  })

  test('GET /usuarios/powerbi/:id/grupos accepts null, unknown fields and rows without an id', async () => {
    const value = [
      { id: groupId, name: null, capacityId: null, futureField: [{}] },
      { id: null, name: 'Sem id' },
      null,
      { id: reportId, name: 'Saúde', type: null },
    ]
    provider.answer('groups', () => ({ body: { '@odata.context': null, value, next: {} } }))
    const { idPowerBi } = await createConnection(app)
    expect((await admin.get(`${url}/${idPowerBi}/grupos`)).body).toEqual([
      { idGrupo: groupId, nomeGrupo: groupId, idGrupoRelatorio: null },
      { idGrupo: reportId, nomeGrupo: 'Saúde', idGrupoRelatorio: null },
    ])
    provider.answer('groups', () => ({ body: { value: null } }))
    expect((await admin.get(`${url}/${idPowerBi}/grupos`)).body).toEqual([])
  })
})

describe('GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios', () => {
  test("GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios returns a group's reports, paginated ones too, and marks those registered on this connection", async () => {
    const { idPowerBi } = await createConnection(app)
    const other = await createConnection(app)
    const workspace = await createWorkspace(app, { idPowerBi, idGrupo: groupId.toUpperCase() })
    const elsewhere = await createWorkspace(app, { idPowerBi: other.idPowerBi, idGrupo: groupId })
    await createReport(app, {
      idGrupoRelatorio: workspace.idGrupoRelatorio,
      reportId: reportId.toUpperCase(),
    })
    await createReport(app, { idGrupoRelatorio: elsewhere.idGrupoRelatorio, reportId: paginatedReportId })
    const { body } = await admin.get(`${url}/${idPowerBi}/grupos/${groupId}/relatorios`)
    expect(body).toEqual([
      { reportId, nome: 'Gestão', tipo: 'INTERATIVO', jaCadastrado: true, impedimento: null },
      {
        reportId: paginatedReportId,
        nome: 'Notas',
        tipo: 'PAGINADO',
        jaCadastrado: false,
        impedimento: null,
      },
    ])
    expect((await admin.get(`${url}/${idPowerBi}/grupos/x/relatorios`)).status).toBe(404)
  })

  test('GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios lists dashboards as not supported, and the reports even when dashboards cannot be read', async () => {
    provider.answer('dashboards', () => ({
      body: { value: [{ id: 'd1', displayName: 'Metas', embedUrl: 'x' }, { id: 'd2' }, null] },
    }))
    const { idPowerBi } = await createConnection(app)
    const list = () => admin.get(`${url}/${idPowerBi}/grupos/${groupId}/relatorios`)
    const impedimento = expect.stringMatching(/^É um painel \(dashboard\).*nem os blocos \(tiles\) deles/)
    expect((await list()).body).toEqual([
      { reportId: 'd2', nome: 'd2', tipo: 'PAINEL', jaCadastrado: false, impedimento },
      expect.objectContaining({ nome: 'Gestão', tipo: 'INTERATIVO' }),
      { reportId: 'd1', nome: 'Metas', tipo: 'PAINEL', jaCadastrado: false, impedimento },
      expect.objectContaining({ nome: 'Notas', tipo: 'PAGINADO' }),
    ])
    provider.answer('dashboards', () => refusals.throttled)
    expect((await list()).body.map(({ nome }: { nome: string }) => nome)).toEqual(['Gestão', 'Notas'])
  })

  test('GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios asks the local service for no dashboards', async () => {
    const { idPowerBi } = await createConnection(app, { provedor: 'local' })
    expect((await admin.get(`${url}/${idPowerBi}/grupos/${groupId}/relatorios`)).status).toBe(200)
    expect(provider.seen.some(({ path }) => path.endsWith('/dashboards'))).toBe(false)
  })

  test('GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios says that a master user cannot embed a paginated report', async () => {
    const { idPowerBi } = await createConnection(app, {
      tipoCredencial: 'master_user',
      username: 'a@b.example',
    })
    const { body } = await admin.get(`${url}/${idPowerBi}/grupos/${groupId}/relatorios`)
    expect(body.map(({ impedimento }: { impedimento: string | null }) => impedimento)).toEqual([
      null,
      expect.stringMatching(/relatório paginado.*service principal.*usuário mestre/),
    ])
  })

  test('GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios lists reports that cannot be embedded with the reason, next to the others', async () => {
    const datasetId = crypto.randomUUID()
    const report = (name: string | null, fields = {}) => ({
      id: crypto.randomUUID(),
      name,
      datasetId,
      ...fields,
    })
    const long = 'n'.repeat(300)
    simulateTenant(provider, {
      workspaces: [
        {
          id: groupId,
          name: 'Saúde',
          reports: [
            report('1 bom', { description: null, users: null, reportType: null, novo: { campo: [null] } }),
            report('2 sem conjunto', { datasetId: null }),
            report('3 de outra nuvem', { embedUrl: 'https://app.powerbi.cn/reportEmbed' }),
            report('4 sem página', { embedUrl: null }),
            report('5 sem GUID', { id: 'x1' }),
            report(long),
          ],
        },
      ],
    })
    const { idPowerBi } = await createConnection(app)
    const { status, body } = await admin.get(`${url}/${idPowerBi}/grupos/${groupId}/relatorios`)
    expect(status).toBe(200)
    expect(
      body.map(({ nome, impedimento }: { nome: string; impedimento: string | null }) => [nome, impedimento]),
    ).toEqual([
      ['1 bom', null],
      ['2 sem conjunto', expect.stringMatching(/Não tem conjunto de dados/)],
      [
        '3 de outra nuvem',
        `O relatório é exibido em https://app.powerbi.cn, mas o portal só aceita ${provider.origin}. Corrija a configuração POWERBI_CLOUD ou POWERBI_EMBED_URL.`,
      ],
      ['4 sem página', expect.stringMatching(/não informa o endereço/)],
      ['5 sem GUID', expect.stringMatching(/não é um GUID/)],
      [long, null],
    ])
  })
})
