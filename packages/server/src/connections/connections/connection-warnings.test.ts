import { describe, expect, test } from 'vitest'
import { createReport, createWorkspace } from '../../../test/reports.ts'
import { connectionTestSuite } from '../../../test/stand-ins/connection-test-suite.ts'
import { refusals, simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import { datasetId, groupId, reportId } from '../../../test/stand-ins/provider-stand-in.ts'

const { suite, runWhole, run, outcomes, connect, register, sent } = connectionTestSuite()

test('among unregistered reports, one without row-level security gets the token', async () => {
  const open = crypto.randomUUID()
  suite.provider.answer('groupReports', () => ({
    body: {
      value: [
        { id: reportId, name: 'Restrito', datasetId },
        { id: crypto.randomUUID(), name: 'Restrito também', datasetId },
        { id: crypto.randomUUID(), name: 'Ilegível', datasetId: crypto.randomUUID() },
        { id: crypto.randomUUID(), name: 'Aberto', datasetId: open },
      ],
    },
  }))
  let asked = 0
  suite.provider.answer('dataset', ({ path }) => {
    asked += 1
    if (path.endsWith(open)) return { body: { id: open, isEffectiveIdentityRequired: false } }
    return path.endsWith(datasetId)
      ? { body: { id: datasetId, isEffectiveIdentityRequired: true } }
      : { status: 404 }
  })
  const etapas = await run(await connect())
  expect(outcomes(etapas)).toEqual([true, true, true, true])
  expect(etapas[3]?.detalhe).toMatch(/para o relatório "Aberto"\.$/)
  expect(asked).toBe(3)
  expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '').datasets).toEqual([{ id: open }])
})

test('a registered report without a dataset gets no token, and is listed when another report gets one', async () => {
  const orphan = { id: reportId, name: 'Órfão', embedUrl: `${suite.provider.origin}/reportEmbed` }
  suite.provider.answer('report', () => ({ body: orphan }))
  const idPowerBi = await connect()
  await register(idPowerBi)
  const { etapas, avisos } = await runWhole(idPowerBi)
  expect(outcomes(etapas)).toEqual([true, true, true, true])
  expect(avisos).toEqual([
    {
      grupo: 'Workspace',
      relatorio: 'Cadastrado',
      motivo: expect.stringMatching(/não tem conjunto de dados/),
    },
  ])
  suite.provider.answer('groupReports', () => ({ body: { value: [] } }))
  const alone = await runWhole(idPowerBi)
  expect(outcomes(alone.etapas)).toEqual([true, true, true, false])
  expect(alone.etapas[3]?.detalhe).toMatch(/"Cadastrado" não tem conjunto de dados/)
  expect(alone.avisos).toEqual([])
})

describe('a paginated report', () => {
  const tenantOf = () => ({
    workspaces: [
      {
        id: crypto.randomUUID(),
        name: 'Fiscal',
        reports: [{ id: crypto.randomUUID(), name: 'Notas', reportType: 'PaginatedReport', datasetId: null }],
      },
    ],
  })

  test('a paginated report passes the test, with a token that names no dataset', async () => {
    const tenant = tenantOf()
    simulateTenant(suite.provider, tenant)
    const { etapas, avisos } = await runWhole(await connect())
    expect([outcomes(etapas), avisos]).toEqual([[true, true, true, true], []])
    expect(etapas[2]?.detalhe).toBe('A conexão lê o relatório paginado "Notas".')
    expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '')).toEqual({
      reports: [{ id: tenant.workspaces[0]?.reports[0]?.id, allowEdit: false }],
    })
  })

  test('a paginated report cannot be embedded by a master user', async () => {
    simulateTenant(suite.provider, tenantOf())
    const { etapas, avisos } = await runWhole(
      await connect({ tipoCredencial: 'master_user', username: 'bi@empresa.example' }),
    )
    expect(outcomes(etapas)).toEqual([true, true, null, null])
    expect(avisos).toEqual([
      {
        grupo: 'Fiscal',
        relatorio: 'Notas',
        motivo: expect.stringMatching(/service principal.*usuário mestre/),
      },
    ])
  })
})

describe('what cannot be read or embedded', () => {
  const report = (name: string, fields = {}) => ({
    id: crypto.randomUUID(),
    name,
    datasetId: crypto.randomUUID(),
    ...fields,
  })
  const workspace = (name: string, fields = {}) => ({ id: crypto.randomUUID(), name, ...fields })

  test('what cannot be read or embedded is listed with its reason, and the next report passes the test', async () => {
    const capacityId = crypto.randomUUID()
    simulateTenant(suite.provider, {
      capacities: [{ id: capacityId, displayName: 'A1', sku: 'A1', state: 'Suspended' }],
      workspaces: [
        workspace('Sem acesso', { refusal: refusals.notMember }),
        workspace('Pausado', { capacityId, reports: [report('Dorme')] }),
        workspace('Sumiu', { refusal: refusals.missing }),
        workspace('Ocupado', { refusal: refusals.throttled }),
        workspace('Saúde', {
          reports: [
            report('Órfão', { datasetId: null }),
            report('De outra nuvem', { embedUrl: 'https://app.powerbi.cn/reportEmbed' }),
            report('Sem página', { embedUrl: null }),
            report('Gestão', { newField: { any: [1, null] } }),
          ],
        }),
      ],
    })
    const { etapas, avisos } = await runWhole(await connect())
    expect(outcomes(etapas)).toEqual([true, true, true, true])
    expect(etapas[2]?.detalhe).toBe('A conexão lê o relatório "Gestão".')
    expect(avisos.map(({ grupo, relatorio }) => [grupo, relatorio])).toEqual([
      ['Sem acesso', null],
      ['Pausado', null],
      ['Sumiu', null],
      ['Ocupado', null],
      ['Saúde', 'Órfão'],
      ['Saúde', 'De outra nuvem'],
      ['Saúde', 'Sem página'],
    ])
    for (const [index, says] of [
      /não participa deste workspace/,
      /capacidade do workspace está pausada.*Retomar/,
      /não encontrou este workspace/,
      /aguardar 17 segundos/,
      /Não tem conjunto de dados/,
      /exibido em https:\/\/app\.powerbi\.cn.*POWERBI_CLOUD/,
      /não informa o endereço/,
    ].entries())
      expect(avisos[index]?.motivo).toMatch(says)
  })

  test('the test fails the step with the first reason when nothing else is left', async () => {
    simulateTenant(suite.provider, {
      workspaces: [
        workspace('Sem acesso', { refusal: refusals.notMember }),
        workspace('Sumiu', { refusal: refusals.missing }),
      ],
    })
    const { etapas, avisos } = await runWhole(await connect())
    expect(outcomes(etapas)).toEqual([true, true, false, null])
    expect(etapas[2]?.detalhe).toMatch(/não participa deste workspace/)
    expect(avisos.map(({ grupo }) => grupo)).toEqual(['Sem acesso', 'Sumiu'])
  })

  test('the warnings include each registered workspace that cannot be read any more', async () => {
    const goodReport = report('Bom')
    const good = workspace('Bom', { reports: [goodReport] })
    const lost = workspace('Perdido', { refusal: refusals.notMember })
    const gone = workspace('Excluído', { refusal: refusals.missing })
    simulateTenant(suite.provider, { workspaces: [lost, good, gone] })
    const idPowerBi = await connect()
    for (const { id: idGrupo, name: nomeGrupo } of [lost, good, gone]) {
      const { idGrupoRelatorio } = await createWorkspace(suite.app, { idPowerBi, idGrupo, nomeGrupo })
      const reportId = idGrupo === good.id ? goodReport.id : crypto.randomUUID()
      await createReport(suite.app, { idGrupoRelatorio, nomeRelatorio: `De ${nomeGrupo}`, reportId })
    }
    const { etapas, avisos } = await runWhole(idPowerBi)
    expect(outcomes(etapas)).toEqual([true, true, true, true])
    expect(etapas[3]?.detalhe).toMatch(/"De Bom"/)
    expect(avisos.map(({ grupo, relatorio }) => [grupo, relatorio])).toEqual([
      ['Perdido', 'De Perdido'],
      ['Excluído', 'De Excluído'],
    ])
  })

  test('what cannot be read or embedded does not include reports for which a token was issued on the second attempt', async () => {
    const [paused, open] = [report('Pausado'), report('Aberto')]
    simulateTenant(suite.provider, { workspaces: [workspace('Saúde', { reports: [paused, open] })] })
    suite.provider.answer('generateToken', ({ body }) =>
      body.includes(paused.id)
        ? refusals.paused
        : { body: { token: 't', tokenId: null, expiration: '2027-01-01T00:00:00Z' } },
    )
    const { etapas, avisos } = await runWhole(await connect())
    expect(outcomes(etapas)).toEqual([true, true, true, true])
    expect(avisos.map(({ relatorio }) => relatorio)).toEqual(['Pausado'])
  })

  test('what cannot be read or embedded is cut after twenty warnings, those of registered reports first', async () => {
    const idPowerBi = await connect()
    await register(idPowerBi)
    const gone = await register(idPowerBi, [], { nomeRelatorio: 'Sumido' })
    suite.provider.answer('report', ({ path }) =>
      path.includes(gone.reportId)
        ? { status: 404, body: '' }
        : { body: { id: reportId, embedUrl: `${suite.provider.origin}/reportEmbed`, datasetId } },
    )
    // The registered one gets no token, so that the test reads the list.
    suite.provider.answer('generateToken', () => ({ status: 403, body: '' }))
    const orphans = Array.from({ length: 25 }, (_, index) => ({
      id: crypto.randomUUID(),
      name: `Órfão ${index}`,
      reportType: 'PowerBIReport',
    }))
    suite.provider.answer('groups', () => ({ body: { value: [{ id: groupId, name: 'Saúde' }] } }))
    suite.provider.answer('groupReports', () => ({ body: { value: orphans } }))
    const { avisos, avisosOmitidos } = await runWhole(idPowerBi)
    expect(avisos).toHaveLength(20)
    expect(avisos.slice(0, 3).map(({ relatorio }) => relatorio)).toEqual(['Cadastrado', 'Sumido', 'Órfão 0'])
    expect(avisosOmitidos).toBe(7)
  })

  test('what cannot be read or embedded is read in at most twenty groups', async () => {
    const workspaces = Array.from({ length: 40 }, (_, index) =>
      workspace(`G${index}`, { refusal: refusals.notMember }),
    )
    simulateTenant(suite.provider, { workspaces })
    const { avisos } = await runWhole(await connect())
    expect(sent('/reports')).toHaveLength(20)
    expect(avisos).toHaveLength(20)
  })
})
