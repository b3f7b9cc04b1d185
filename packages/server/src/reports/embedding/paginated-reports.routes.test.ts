import { expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { type SimulatedDataset, simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'

/* Embed tokens of paginated reports, checked by a simulated tenant. */

const { suite, publish, viewer, issuedLines } = embeddingSuite()
const [own, restricted, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]

const open = async (
  fields: Parameters<typeof publish>[0] = {},
  datasets: Record<string, SimulatedDataset> = {},
) => {
  const { report, workspace, address } = await publish({ tipoRelatorio: 'PAGINADO', ...fields })
  const described = { id: report.reportId, name: 'Notas', reportType: 'PaginatedReport', datasetId: own }
  simulateTenant(suite.provider, {
    workspaces: [{ id: workspace.idGrupo, name: 'Fiscal', reports: [described] }],
    datasets,
  })
  const { user, post } = await viewer(report.idRelatorio, { emailUsuario: 'maria@empresa.example' })
  const { status, body } = await post('/usuarios/relatorio/embed', address)
  const sent = suite.provider.seen.find(({ path }) => path.endsWith('/GenerateToken'))
  return { status, body, report, user, asked: sent && JSON.parse(sent.body) }
}

test('the portal opens a report without a dataset, with its parameters', async () => {
  const { status, body, report, asked } = await open({
    parametros: ['Ano=2026', 'Filtro=a=b', 'Cidade=Curitiba', 'Cidade=Londrina', 'Vazio='],
    painelParametros: false,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    tipoRelatorio: 'PAGINADO',
    painelParametros: false,
    parametros: [
      { nome: 'Ano', valor: '2026' },
      { nome: 'Filtro', valor: 'a=b' },
      { nome: 'Cidade', valor: 'Curitiba' },
      { nome: 'Cidade', valor: 'Londrina' },
      { nome: 'Vazio', valor: '' },
    ],
    embedUrl: `${suite.provider.origin}/rdlEmbed?reportId=${report.reportId}`,
    filtros: [],
  })
  // Its `datasetId` means nothing (paginated-reports-embed), so it is neither read nor sent.
  expect(asked).toEqual({ reports: [{ id: report.reportId, allowEdit: false }] })
  expect(suite.provider.seen.some(({ path }) => path.includes('/datasets/'))).toBe(false)
})

test('the portal opens the datasets that the report reads by XMLA, and sends the user to the report', async () => {
  const { status, report, asked, user } = await open(
    { papeisRls: ['Vendedor'], datasetsAdicionais: [restricted, other] },
    { [restricted]: { isEffectiveIdentityRequired: true, isEffectiveIdentityRolesRequired: true } },
  )
  expect(status).toBe(200)
  const username = user.emailUsuario
  expect(asked).toEqual({
    reports: [{ id: report.reportId, allowEdit: false }],
    datasets: [restricted, other].map((id) => ({ id, xmlaPermissions: 'ReadOnly' })),
    identities: [
      { username, reports: [report.reportId] },
      { username, roles: ['Vendedor'], datasets: [restricted] },
    ],
  })
  expect(await issuedLines()).toMatchObject([{ detalhes: { identidade: { username, roles: ['Vendedor'] } } }])
})

test('the portal sends the user alone when the report only wants to know who reads it', async () => {
  const { asked, report, user } = await open({ enviaIdentidade: true })
  expect(asked.identities).toEqual([{ username: user.emailUsuario, reports: [report.reportId] }])
})

test('the portal refuses a token when a dataset requires an identity and the report sends none', async () => {
  const { status, body, asked } = await open(
    { datasetsAdicionais: [restricted] },
    { [restricted]: { isEffectiveIdentityRequired: true } },
  )
  expect([status, body.codigo, asked]).toEqual([502, 'bi_identidade_necessaria', undefined])
})

test('the portal refuses to open with a filter, which Power BI does not apply to it', async () => {
  const { status, body } = await open({ filtro: "T/a eq 'x'" })
  expect([status, body.codigo]).toEqual([409, 'paginado_com_filtro'])
})

test('a paginated report is opened as the provider describes it, whatever is registered', async () => {
  const { status, body } = await open({ tipoRelatorio: 'INTERATIVO' })
  expect([status, body.tipoRelatorio]).toEqual([200, 'PAGINADO'])
})

test('a paginated report has no known data time', async () => {
  const { report, user } = await open()
  const { get } = await suite.app.as(user)
  const { status, body } = await get(`/usuarios/relatorio/${report.idRelatorio}/dados`)
  expect([status, body.atualizadosEm]).toEqual([200, null])
})
