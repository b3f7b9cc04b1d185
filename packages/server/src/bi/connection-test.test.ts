import type { ConnectionTest } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../test/reports.ts'
import { datasetId, groupId, reportId, startProvider } from '../../test/stand-ins/provider-stand-in.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { useTestApp } from '../../test/use-test-app.ts'
import { createUser } from '../../test/users.ts'

const limitMs = 1000

let provider: Awaited<ReturnType<typeof startProvider>>
let admin: Awaited<ReturnType<TestApp['as']>>
const email = 'marina@exemplo.com.br'
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    POWERBI_AUTHORITY_URL: provider.origin,
    POWERBI_API_URL: provider.origin,
    POWERBI_EMBED_URL: provider.origin,
    REPORTS_URL: provider.origin,
    BI_TIMEOUT_SECONDS: String(limitMs / 1000),
  }),
  { resets: false },
)
beforeAll(async () => {
  admin = await app.as(
    await createUser(app, { tipoUsuario: 'ADMIN', emailUsuario: email, identidadeRls: 'CNU' }),
  )
})
beforeEach(() => provider.restore())

const run = async (idPowerBi: number): Promise<ConnectionTest['etapas']> => {
  const { status, body } = await admin.post(`/usuarios/powerbi/${idPowerBi}/testar`)
  expect(status).toBe(200)
  return body.etapas
}
const outcomes = (etapas: ConnectionTest['etapas']) => etapas.map(({ ok }) => ok)
const connect = async (fields = {}) => (await createConnection(app, fields)).idPowerBi
const register = async (idPowerBi: number, papeisRls: string[] = []) => {
  const workspace = await createWorkspace(app, { idPowerBi })
  const { idGrupoRelatorio, idGrupo } = workspace
  const report = await createReport(app, { idGrupoRelatorio, papeisRls, nomeRelatorio: 'Cadastrado' })
  return { idGrupo, reportId: report.reportId }
}
const sent = (end: string) => provider.seen.filter(({ path }) => path.endsWith(end))
const answerDataset = (requiresIdentity: boolean) =>
  provider.answer('dataset', () => ({
    body: { id: datasetId, isEffectiveIdentityRequired: requiresIdentity },
  }))

describe('a connection that works', () => {
  test('passes the four steps with the first report it can read, a view-only token and no identity', async () => {
    expect(await run(await connect())).toEqual([
      { nome: 'credencial', ok: true, detalhe: 'O Microsoft Entra aceitou a credencial.' },
      { nome: 'grupos', ok: true, detalhe: 'A conexão enxerga 2 grupos.' },
      { nome: 'relatorio', ok: true, detalhe: 'A conexão lê o relatório "Gestão".' },
      {
        nome: 'token',
        ok: true,
        detalhe: 'O Power BI emitiu um token de visualização para o relatório "Gestão".',
      },
    ])
    expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '')).toEqual({
      reports: [{ id: reportId, allowEdit: false }],
      datasets: [{ id: datasetId }],
    })
  })

  test('to the local service names that service in each step', async () => {
    provider.answer('groups', () => ({ body: { value: [{ id: groupId, name: 'Saúde' }] } }))
    const etapas = await run(await connect({ provedor: 'local', tenantId: null }))
    expect(etapas.map(({ detalhe }) => detalhe)).toEqual([
      'O serviço local aceitou a credencial.',
      'A conexão enxerga 1 grupo.',
      'A conexão lê o relatório "Gestão".',
      'O serviço local emitiu um token de visualização para o relatório "Gestão".',
    ])
    expect(provider.seen[0]?.path).toBe('/organizations/oauth2/v2.0/token')
  })

  test('tests a registered report first, with its roles and the identity of the ADMIN', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    const registered = await register(idPowerBi, ['Operadora'])
    expect(outcomes(await run(idPowerBi))).toEqual([true, true, true, true])
    expect(sent(`/groups/${registered.idGrupo}/reports/${registered.reportId}`)).toHaveLength(1)
    expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '').identities).toEqual([
      { username: email, customData: 'CNU', roles: ['Operadora'], datasets: [datasetId] },
    ])
  })

  test('requests a new Entra token for each test', async () => {
    const idPowerBi = await connect()
    await admin.get(`/usuarios/powerbi/${idPowerBi}/grupos`)
    await run(idPowerBi)
    await run(idPowerBi)
    expect(sent('/token')).toHaveLength(3)
    provider.answer('token', () => ({ status: 401, body: { error: 'invalid_client' } }))
    expect(outcomes(await run(idPowerBi))).toEqual([false, null, null, null])
  })
})

describe('a connection without a report to test', () => {
  test('fails at the groups when the principal is a member of none', async () => {
    provider.answer('groups', () => ({ body: { value: [] } }))
    const etapas = await run(await connect())
    expect(outcomes(etapas)).toEqual([true, false, null, null])
    expect(etapas[1]?.detalhe).toMatch(/não participa de nenhum workspace.*Gerenciar acesso/)
    const local = await run(await connect({ provedor: 'local' }))
    expect(local[1]?.detalhe).toMatch(/serviço local ainda não publica nenhum workspace/)
  })

  test.each([
    ['no report', []],
    ['paginated reports only', [{ id: reportId, name: 'Notas', reportType: 'PaginatedReport' }]],
  ])('skips report and token with %s', async (_, value) => {
    provider.answer('groupReports', () => ({ body: { value } }))
    const etapas = await run(await connect())
    expect(outcomes(etapas)).toEqual([true, true, null, null])
    expect(etapas[2]?.detalhe).toMatch(/^Não testado: não há relatório cadastrado/)
    expect(etapas[3]?.detalhe).toBe('Não testado: depende da etapa anterior.')
  })

  test('reads at most five groups', async () => {
    const value = Array.from({ length: 40 }, () => ({ id: crypto.randomUUID(), name: 'G' }))
    provider.answer('groups', () => ({ body: { value } }))
    provider.answer('groupReports', () => ({ body: { value: [] } }))
    await run(await connect())
    expect(sent('/reports')).toHaveLength(5)
  })
})

describe('row-level security', () => {
  test('fails for a registered report without the roles its dataset requires, and requests no token', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    await register(idPowerBi)
    const etapas = await run(idPowerBi)
    expect(outcomes(etapas)).toEqual([true, true, true, false])
    expect(etapas[3]?.detalhe).toMatch(/exige uma identidade.*Gerenciar funções/)
    expect(sent('/GenerateToken')).toEqual([])
  })

  test('gives an ADMIN with an unverified e-mail the reason, and requests no token', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    await register(idPowerBi, ['Operadora'])
    const setProven = (isProven: boolean) =>
      app.db
        .updateTable('usuario')
        .set({ emailPorProvar: !isProven })
        .where('emailUsuario', '=', email)
        .execute()
    await setProven(false)
    onTestFinished(async () => void (await setProven(true)))
    const etapas = await run(idPowerBi)
    expect(outcomes(etapas)).toEqual([true, true, true, false])
    expect(etapas[3]?.detalhe).toMatch(/e-mail, que ainda não foi confirmado/)
    expect(sent('/GenerateToken')).toEqual([])
  })

  test('says how to register an unregistered report that restricts rows', async () => {
    answerDataset(true)
    const etapas = await run(await connect())
    expect(outcomes(etapas)).toEqual([true, true, true, null])
    expect(etapas[3]?.detalhe).toMatch(/^Não testado: o relatório "Gestão" restringe linhas por pessoa/)
  })
})

test('among unregistered reports, one without row-level security gets the token', async () => {
  const open = crypto.randomUUID()
  provider.answer('groupReports', () => ({
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
  provider.answer('dataset', ({ path }) => {
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

test('a registered paginated report gets no token', async () => {
  provider.answer('report', () => ({
    body: { id: reportId, name: 'Notas', embedUrl: `${provider.origin}/rdlEmbed` },
  }))
  const idPowerBi = await connect()
  await register(idPowerBi)
  const etapas = await run(idPowerBi)
  expect(outcomes(etapas)).toEqual([true, true, true, false])
  expect(etapas[3]?.detalhe).toMatch(/"Cadastrado" não tem conjunto de dados/)
})

test('a report with an embedUrl of another origin names the setting to change', async () => {
  provider.answer('report', () => ({
    body: { id: reportId, name: 'R', embedUrl: 'https://relatorios.example/reportEmbed', datasetId },
  }))
  const micro = await run(await connect())
  expect(outcomes(micro)).toEqual([true, true, false, null])
  expect(micro[2]?.detalhe).toMatch(/https:\/\/relatorios\.example.*POWERBI_EMBED_URL/)
  expect((await run(await connect({ provedor: 'local' })))[2]?.detalhe).toMatch(/REPORTS_URL/)
})

test('slow calls, each within its limit, take at most twice that limit in total', async () => {
  for (const kind of ['groups', 'groupReports'] as const) {
    const body =
      kind === 'groups'
        ? { value: [{ id: groupId, name: 'G' }] }
        : { value: [{ id: reportId, name: 'R', datasetId }] }
    provider.answer(kind, () => ({ body, delay: 0.8 * limitMs }))
  }
  provider.answer('report', () => ({ delay: 0.8 * limitMs }))
  const idPowerBi = await connect()
  const started = performance.now()
  const etapas = await run(idPowerBi)
  expect(performance.now() - started).toBeLessThan(2 * limitMs + 400)
  expect(outcomes(etapas)).toEqual([true, true, false, null])
  expect(etapas[2]?.detalhe).toMatch(/não respondeu em/)
})

test('a secret whose key is lost must be typed again, says the test, the groups and the viewer', async () => {
  const idPowerBi = await connect({ segredo: 'v1.outra.a.b.c' })
  const { idGrupo, reportId } = await register(idPowerBi)
  const etapas = await run(idPowerBi)
  expect(outcomes(etapas)).toEqual([false, null, null, null])
  expect(etapas[0]?.detalhe).toMatch(/digite a senha de novo/)
  const groups = await admin.get(`/usuarios/powerbi/${idPowerBi}/grupos`)
  expect([groups.status, groups.body.codigo]).toEqual([502, 'bi_credencial_recusada'])
  expect(groups.body.detail).toMatch(/digite a senha de novo/)
  const embed = await admin.post('/usuarios/relatorio/embed', { groupId: idGrupo, reportId })
  expect([embed.status, embed.body.codigo]).toEqual([502, 'bi_credencial_recusada'])
})

test('an unreachable address is named together with its setting', async () => {
  const gone = await startProvider()
  await gone.close()
  const other = await startTestApp({ REPORTS_URL: gone.origin, POWERBI_AUTHORITY_URL: gone.origin })
  try {
    const user = await other.as(await createUser(other, { tipoUsuario: 'ADMIN' }))
    for (const [provedor, setting] of [
      ['local', 'REPORTS_URL'],
      ['microsoft', 'POWERBI_AUTHORITY_URL'],
    ] as const) {
      const { idPowerBi } = await createConnection(other, { provedor })
      const { body } = await user.post(`/usuarios/powerbi/${idPowerBi}/testar`)
      expect(body.etapas[0].ok).toBe(false)
      expect(body.etapas[0].detalhe).toContain(gone.origin)
      expect(body.etapas[0].detalhe).toContain(setting)
    }
  } finally {
    await other.close()
  }
})
