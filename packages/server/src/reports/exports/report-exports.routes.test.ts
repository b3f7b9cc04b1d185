import { describe, expect, test } from 'vitest'
import { createCapacity } from '../../../test/connections/capacities.ts'
import { createReport, grantReport } from '../../../test/reports.ts'
import { datasetId, exportedFiles } from '../../../test/stand-ins/provider-stand-in.ts'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'
import { createUser } from '../../../test/users.ts'

const { suite, start, sentOrder, auditOf } = exportSuite()

describe('POST /usuarios/relatorio/:id/exportacao', () => {
  test('POST /usuarios/relatorio/:id/exportacao passes page, filters and bookmark on; the export can be followed and downloaded', async () => {
    const { begun, get, download, report, workspace, user } = await start({ filtro: "T/a eq 'x'" })
    const body = { formato: 'PNG', pagina: 'custos', filtros: { sexo: 'feminino' }, marcador: 'eyJ9' }
    const address = await begun(body)
    expect(sentOrder()).toEqual({
      path: `/v1.0/myorg/groups/${workspace.idGrupo}/reports/${report.reportId}/ExportTo`,
      format: 'PNG',
      powerBIReportConfiguration: {
        settings: { locale: 'pt-BR' },
        pages: [{ pageName: 'custos', bookmark: { state: 'eyJ9' } }],
        reportLevelFilters: [{ filter: "T/a eq 'x' and Sinistralidade/sexo eq 'feminino'" }],
      },
    })
    suite.provider.answer('exportState', ({ path }) => ({
      status: 202,
      headers: { 'retry-after': '5' },
      body: { id: path.split('/').at(-1), status: 'Running', percentComplete: 40 },
    }))
    expect((await get(address)).body).toMatchObject({ estado: 'GERANDO', percentual: 40 })
    const early = await get(`${address}/arquivo`)
    expect([early.status, early.body.codigo]).toEqual([409, 'exportacao_nao_pronta'])
    suite.provider.restore()
    expect((await get(address)).body).toMatchObject({ estado: 'PRONTA', percentual: 100 })
    const file = await download(`${address}/arquivo`)
    expect([file.status, file.bytes]).toEqual([200, exportedFiles.PNG])
    expect(file.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="relatorio.png"; filename*=UTF-8''Gest%C3%A3o%20%C3%A0%20vista.png`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const idExportacao = address.split('/').at(-1)
    expect(await auditOf('export.requested')).toMatchObject([
      {
        objeto: `relatorio:${report.idRelatorio}`,
        idUsuario: user.idUsuario,
        detalhes: {
          idExportacao,
          formato: 'PNG',
          pagina: 'custos',
          filtros: ['sexo'],
          comMarcador: true,
          identidade: null,
        },
      },
    ])
    // The kind of fault: an audit line copies a request, whose values can name a patient.
    expect(JSON.stringify(await auditOf('export.requested'))).not.toMatch(/feminino|eyJ9/)
    expect(await auditOf('export.downloaded')).toMatchObject([
      { objeto: `relatorio:${report.idRelatorio}`, detalhes: { idExportacao, formato: 'PNG', bytes: 8 } },
    ])
  })

  test("POST /usuarios/relatorio/:id/exportacao applies the report's declared filters, and no value that they do not offer", async () => {
    const declared = (coluna: string) => ({
      tabela: 'Dim Região',
      coluna,
      rotulo: coluna,
      padrao: null,
      valores: [{ valor: 'Sul', rotulo: '' }],
    })
    const filtrosPainel = JSON.stringify([declared('nome'), declared('outro')])
    const { begun } = await start({ filtrosPainel })
    const filtros = { 'Dim Região/nome': 'Sul', 'Dim Região/outro': "x' or 1 eq 1", sexo: 'feminino' }
    await begun({ formato: 'PDF', filtros })
    expect(sentOrder().powerBIReportConfiguration.reportLevelFilters).toEqual([
      { filter: "Dim_x0020_Região/nome eq 'Sul'" },
    ])
  })

  test('POST /usuarios/relatorio/:id/exportacao applies the bookmark to all pages of a whole report, and requires a page for an image', async () => {
    const { begun, ask } = await start()
    await begun({ formato: 'PDF', marcador: 'eyJ9' })
    expect(sentOrder().powerBIReportConfiguration).toEqual({
      settings: { locale: 'pt-BR' },
      defaultBookmark: { state: 'eyJ9' },
    })
    const { status, body } = await ask({ formato: 'PNG' })
    expect([status, Object.keys(body.campos)]).toEqual([422, ['pagina']])
  })

  test('POST /usuarios/relatorio/:id/exportacao sends the same effective identity as the embed token', async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { begun, post, report, workspace, user } = await start(
      { papeisRls: ['Operadora'] },
      { identidadeRls: 'CNU' },
    )
    await begun()
    await post('/usuarios/relatorio/embed', { groupId: workspace.idGrupo, reportId: report.reportId })
    const token = suite.provider.seen.find(({ path }) => path.endsWith('/GenerateToken'))
    const { identities } = sentOrder().powerBIReportConfiguration
    expect(identities).toEqual([
      { username: user.emailUsuario, roles: ['Operadora'], customData: 'CNU', datasets: [datasetId] },
    ])
    expect(identities).toEqual(JSON.parse(token?.body ?? '').identities)
  })

  test('POST /usuarios/relatorio/:id/exportacao sends the identity without roles when the report says so', async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { begun, user } = await start({ enviaIdentidade: true })
    await begun()
    expect(sentOrder().powerBIReportConfiguration.identities).toEqual([
      { username: user.emailUsuario, datasets: [datasetId] },
    ])
  })

  test('POST /usuarios/relatorio/:id/exportacao is refused when the dataset requires an identity and the report has no roles', async () => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { ask } = await start()
    const { status, body } = await ask()
    expect([status, body.codigo]).toEqual([502, 'bi_identidade_necessaria'])
    expect(sentOrder()).toBeUndefined()
  })
})

describe('permission for an export', () => {
  test('permission for an export is checked on each call, before the provider is called', async () => {
    const { begun, get, del, ask, report } = await start()
    const address = await begun()
    await suite.app.db.deleteFrom('relatorioUsuario').where('idRelatorio', '=', report.idRelatorio).execute()
    const seen = suite.provider.seen.length
    for (const { status, body } of [
      await get(address),
      await get(`${address}/arquivo`),
      await del(address),
      await ask(),
    ]) {
      expect([status, body.codigo]).toEqual([403, 'relatorio_sem_permissao'])
    }
    expect(suite.provider.seen).toHaveLength(seen)
  })

  test('permission for an export covers counting and audit when the user is blocked while the provider starts the export', async () => {
    const { ask, address, user } = await start()
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    suite.provider.answer('exportTo', () => ({
      status: 202,
      body: { id: 'x', status: 'NotStarted' },
      delay: 700,
    }))
    const asked = ask()
    await expect.poll(() => suite.provider.seen.some(({ path }) => path.endsWith('/ExportTo'))).toBe(true)
    expect((await admin.put(`/usuarios/${user.idUsuario}`, { situacao: 'BLOQUEADO' })).status).toBe(200)
    expect((await asked).body.codigo).toBe('sessao_encerrada')
    const row = await suite.app.db.selectFrom('exportacao').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ externo: 'x', encerradaEm: null, desistidaEm: expect.any(Date) })
    expect(await auditOf('export.requested')).toHaveLength(1)
    const other = await suite.app.as(await createUser(suite.app))
    expect((await other.get(`${address}/${row.idExportacao}`)).status).toBe(403)
  })

  test("permission for an export does not extend to another user's export, nor to one's own under another report", async () => {
    const { begun, get, user, workspace } = await start()
    const address = await begun()
    const id = address.split('/').at(-1)
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const other = await createReport(suite.app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
    await grantReport(suite.app, user.idUsuario, other.idRelatorio)
    const elsewhere = `/usuarios/relatorio/${other.idRelatorio}/exportacao/${id}`
    for (const answer of [
      await admin.get(address),
      await admin.get(`${address}/arquivo`),
      await admin.del(address),
      await get(elsewhere),
      await get(`${elsewhere}/arquivo`),
    ]) {
      expect([answer.status, answer.body.codigo]).toEqual([404, 'exportacao_inexistente'])
    }
    expect((await get(address)).status).toBe(200)
  })

  test.each([
    [
      "the report's roles",
      (id: number) =>
        suite.app.db
          .updateTable('relatorio')
          .set({ papeisRls: ['Outro'] })
          .where('idRelatorio', '=', id)
          .execute(),
    ],
    [
      "the report's filter",
      (id: number) =>
        suite.app.db
          .updateTable('relatorio')
          .set({ filtro: "T/a eq 'y'" })
          .where('idRelatorio', '=', id)
          .execute(),
    ],
    [
      "the user's identity",
      () =>
        suite.app.db
          .updateTable('usuario')
          .set({ identidadeRls: 'BRADESCO' })
          .where('identidadeRls', '=', 'CNU')
          .execute(),
    ],
  ])('permission for an export is lost for a file once %s changed', async (_, change) => {
    const { begun, get, report } = await start({ papeisRls: ['Operadora'] }, { identidadeRls: 'CNU' })
    const address = await begun()
    expect((await get(`${address}/arquivo`)).status).toBe(200)
    await change(report.idRelatorio)
    const { status, body } = await get(`${address}/arquivo`)
    expect([status, body.codigo]).toEqual([404, 'exportacao_inexistente'])
  })
})

test('deleting the report or the user deletes their exports', async () => {
  const [one, other] = [await start(), await start()]
  await one.begun()
  await other.begun()
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  expect((await admin.del(`/usuarios/relatorio/${one.report.idRelatorio}`)).status).toBe(204)
  expect((await admin.del(`/usuarios/${other.user.idUsuario}`)).status).toBe(204)
  expect(await suite.app.db.selectFrom('exportacao').selectAll().execute()).toEqual([])
})

test('an export notes the use of its capacity when it starts and when its state is read', async () => {
  const { begun, get, idPowerBi } = await start()
  await createCapacity(suite.app, { idPowerBi })
  suite.app.services.capacityGate.forget()
  const used = async () =>
    (await suite.app.db.selectFrom('capacidadeEstado').select('usadaEm').executeTakeFirstOrThrow()).usadaEm
  expect(await used()).toBeNull()
  const address = await begun()
  const first = await used()
  expect(first).toBeInstanceOf(Date)
  suite.app.clock.offsetMs += 61_000
  expect((await get(address)).status).toBe(200)
  expect((await used())?.getTime()).toBeGreaterThan(first?.getTime() ?? Number.POSITIVE_INFINITY)
})
