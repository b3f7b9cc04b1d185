import type { ConnectionTest } from '@bi-manager/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createConnection } from '../../../test/reports.ts'
import { connectionTestSuite, email, limitMs } from '../../../test/stand-ins/connection-test-suite.ts'
import { refusals, simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import { datasetId, groupId, reportId, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'
import { powerBiClouds } from '../../platform/config/power-bi-clouds.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { notifyConnectionFailing } from './notify-connection-failing.ts'

const { suite, runWhole, run, outcomes, connect, register, sent, answerDataset } = connectionTestSuite()

describe('a connection that works', () => {
  test('a connection that works passes the four steps with the first report it can read, a view-only token and no identity', async () => {
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

  test('a connection that works to the local service names that service in each step', async () => {
    suite.provider.answer('groups', () => ({ body: { value: [{ id: groupId, name: 'Saúde' }] } }))
    const etapas = await run(await connect({ provedor: 'local', tenantId: null }))
    expect(etapas.map(({ detalhe }) => detalhe)).toEqual([
      'O serviço local aceitou a credencial.',
      'A conexão enxerga 1 grupo.',
      'A conexão lê o relatório "Gestão".',
      'O serviço local emitiu um token de visualização para o relatório "Gestão".',
    ])
    expect(suite.provider.seen[0]?.path).toBe('/organizations/oauth2/v2.0/token')
  })

  test('a connection that works tests a registered report first, with its roles and the identity of the ADMIN', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    const registered = await register(idPowerBi, ['Operadora'])
    expect(outcomes(await run(idPowerBi))).toEqual([true, true, true, true])
    expect(sent(`/groups/${registered.idGrupo}/reports/${registered.reportId}`)).toHaveLength(1)
    expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '').identities).toEqual([
      { username: email, customData: 'CNU', roles: ['Operadora'], datasets: [datasetId] },
    ])
  })

  test('a connection that works is taken out of the bell, where it was failing', async () => {
    const idPowerBi = await connect()
    const failing = { idPowerBi, nomeConexao: 'C', nomeRelatorio: 'R' }
    const { db, services } = suite.app
    const unread = async () =>
      (await db.selectFrom('notificacao').select('assunto').where('lidaEm', 'is', null).execute()).length
    await notifyConnectionFailing(db, new Problem('bi_sem_acesso'), failing, services.now())
    suite.provider.answer('groups', () => ({ status: 403, body: {} }))
    await run(idPowerBi)
    expect(await unread()).toBe(1)
    suite.provider.restore()
    await run(idPowerBi)
    expect(await unread()).toBe(0)
  })

  test('a connection that works requests a new Entra token for each test', async () => {
    const idPowerBi = await connect()
    await suite.admin.get(`/usuarios/powerbi/${idPowerBi}/grupos`)
    await run(idPowerBi)
    await run(idPowerBi)
    expect(sent('/token')).toHaveLength(3)
    suite.provider.answer('token', () => ({ status: 401, body: { error: 'invalid_client' } }))
    expect(outcomes(await run(idPowerBi))).toEqual([false, null, null, null])
  })
})

describe('a connection without a report to test', () => {
  test('a connection without a report to test fails at the groups when the principal is a member of none', async () => {
    suite.provider.answer('groups', () => ({ body: { value: [] } }))
    const etapas = await run(await connect())
    expect(outcomes(etapas)).toEqual([true, false, null, null])
    expect(etapas[1]?.detalhe).toMatch(/não participa de nenhum workspace.*Gerenciar acesso/)
  })

  test('a connection without a report to test skips the rest when the local service has no workspace yet, and names the page that publishes', async () => {
    suite.provider.answer('groups', () => ({ body: { value: [] } }))
    const local = await run(await connect({ provedor: 'local' }))
    expect(outcomes(local)).toEqual([true, null, null, null])
    expect(local[1]?.detalhe).toMatch(/ainda não tem relatórios: publique o primeiro em Publicar relatórios/)
  })

  test.each([
    ['no report', []],
    ['reports without a dataset only', [{ id: reportId, name: 'Órfão', reportType: 'PowerBIReport' }]],
  ])('a connection without a report to test skips report and token with %s', async (_, value) => {
    suite.provider.answer('groupReports', () => ({ body: { value } }))
    const etapas = await run(await connect())
    expect(outcomes(etapas)).toEqual([true, true, null, null])
    expect(etapas[2]?.detalhe).toMatch(/^Não testado: não há relatório cadastrado/)
    expect(etapas[3]?.detalhe).toBe('Não testado: depende da etapa anterior.')
  })

  test('a connection without a report to test reads at most five groups', async () => {
    const value = Array.from({ length: 40 }, () => ({ id: crypto.randomUUID(), name: 'G' }))
    suite.provider.answer('groups', () => ({ body: { value } }))
    suite.provider.answer('groupReports', () => ({ body: { value: [] } }))
    await run(await connect())
    expect(sent('/reports')).toHaveLength(5)
  })
})

describe('row-level security', () => {
  test('row-level security fails for a registered report without the roles its dataset requires, and requests no token', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    await register(idPowerBi)
    const etapas = await run(idPowerBi)
    expect(outcomes(etapas)).toEqual([true, true, true, false])
    expect(etapas[3]?.detalhe).toMatch(/exige uma identidade.*Gerenciar funções/)
    expect(sent('/GenerateToken')).toEqual([])
  })

  test('row-level security sends the identity without roles when the report says so, if the dataset requires no roles', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    await register(idPowerBi, [], { enviaIdentidade: true })
    expect(outcomes(await run(idPowerBi))).toEqual([true, true, true, true])
    expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '').identities).toEqual([
      { username: email, customData: 'CNU', datasets: [datasetId] },
    ])
    suite.provider.answer('dataset', () => ({
      body: { id: datasetId, isEffectiveIdentityRolesRequired: true },
    }))
    const etapas = await run(idPowerBi)
    expect(outcomes(etapas)).toEqual([true, true, true, false])
    expect(etapas[3]?.detalhe).toMatch(/Informe no cadastro do relatório os papéis/)
    expect(sent('/GenerateToken')).toHaveLength(1)
  })

  test('row-level security reads the additional datasets, and says how to name one that is not found', async () => {
    const [missing, found] = [crypto.randomUUID(), crypto.randomUUID()]
    suite.provider.answer('dataset', ({ path }) =>
      path.endsWith(missing) ? refusals.missing : { body: { id: datasetId } },
    )
    const idPowerBi = await connect()
    await register(idPowerBi, [], { datasetsAdicionais: [missing] })
    const [warning] = (await runWhole(idPowerBi)).avisos
    expect(warning?.relatorio).toBe('Cadastrado')
    expect(warning?.motivo).toMatch(/confira o id de cada conjunto adicional/)
    suite.provider.seen.length = 0
    const other = await connect()
    await register(other, [], { datasetsAdicionais: [`${groupId}/${found}`] })
    expect(outcomes(await run(other))).toEqual([true, true, true, true])
    expect(sent(`/groups/${groupId}/datasets/${found}`)).toHaveLength(1)
    expect(JSON.parse(sent('/GenerateToken')[0]?.body ?? '').datasets).toHaveLength(2)
  })

  test('row-level security gives an ADMIN with an unverified e-mail the reason, and requests no token', async () => {
    answerDataset(true)
    const idPowerBi = await connect()
    await register(idPowerBi, ['Operadora'])
    const setProven = (isProven: boolean) =>
      suite.app.db
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

  test('row-level security says how to register an unregistered report that restricts rows', async () => {
    answerDataset(true)
    const etapas = await run(await connect())
    expect(outcomes(etapas)).toEqual([true, true, true, null])
    expect(etapas[3]?.detalhe).toMatch(/^Não testado: o relatório "Gestão" restringe linhas por pessoa/)
  })
})

describe('a service principal profile', () => {
  const [profile, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const simulate = () => {
    const shown = { id: crypto.randomUUID(), name: 'Vendas', datasetId: crypto.randomUUID() }
    const own = { id: crypto.randomUUID(), name: 'Do perfil', profile, reports: [shown] }
    const workspaces = [own, { id: crypto.randomUUID(), name: 'Do aplicativo' }]
    simulateTenant(suite.provider, { workspaces, profiles: [profile, other] })
  }

  test('a service principal profile passes with the workspaces of the profile', async () => {
    simulate()
    const etapas = await run(await connect({ perfilPrincipal: profile }))
    expect(outcomes(etapas)).toEqual([true, true, true, true])
    expect(etapas[1]?.detalhe).toBe('A conexão enxerga 1 grupo.')
    const [token, ...calls] = suite.provider.seen.map((call) => call.profile)
    expect([token, new Set(calls)]).toEqual([undefined, new Set([profile])])
  })

  test.each([
    [
      'of another application',
      crypto.randomUUID(),
      /não aceita este perfil.*criado por este mesmo aplicativo/,
    ],
    ['without workspaces', other, /perfil do service principal não participa de nenhum workspace/],
  ])('%s fails at the groups, with the reason', async (_, perfilPrincipal, reason) => {
    simulate()
    const etapas = await run(await connect({ perfilPrincipal }))
    expect(outcomes(etapas)).toEqual([true, false, null, null])
    expect(etapas[1]?.detalhe).toMatch(reason)
  })

  test('a service principal profile that is no member of a registered workspace is told so', async () => {
    simulate()
    const idPowerBi = await connect({ perfilPrincipal: profile })
    const { idGrupo } = await register(idPowerBi)
    const workspaces = [
      { id: idGrupo, name: 'Do aplicativo' },
      { id: crypto.randomUUID(), name: 'Do perfil', profile },
    ]
    simulateTenant(suite.provider, { workspaces, profiles: [profile] })
    const etapas = await run(idPowerBi)
    expect(outcomes(etapas)).toEqual([true, true, false, null])
    expect(etapas[2]?.detalhe).toMatch(/perfil desta conexão não participa deste workspace/)
  })
})

test('a report with an embedUrl of another origin names the setting to change', async () => {
  suite.provider.answer('report', () => ({
    body: { id: reportId, name: 'R', embedUrl: 'https://relatorios.example/reportEmbed', datasetId },
  }))
  const micro = await run(await connect())
  expect(outcomes(micro)).toEqual([true, true, false, null])
  expect(micro[2]?.detalhe).toMatch(/https:\/\/relatorios\.example.*POWERBI_EMBED_URL/)
  expect((await run(await connect({ provedor: 'local' })))[2]?.detalhe).toMatch(/REPORTS_URL/)
})

test('slow calls, each within its limit, have one limit in total', async () => {
  for (const kind of ['groups', 'groupReports'] as const) {
    const body =
      kind === 'groups'
        ? { value: [{ id: groupId, name: 'G' }] }
        : { value: [{ id: reportId, name: 'R', datasetId }] }
    suite.provider.answer(kind, () => ({ body, delay: 0.8 * limitMs }))
  }
  suite.provider.answer('report', () => ({ delay: 0.8 * limitMs }))
  const etapas = await run(await connect())
  // The third call is within its own limit too, and ends with the limit of all.
  expect(outcomes(etapas)).toEqual([true, true, false, null])
  expect(etapas[2]?.detalhe).toMatch(/não respondeu em/)
})

test('a secret whose key is lost must be typed again, says the test, the groups and the viewer', async () => {
  const idPowerBi = await connect({ segredo: 'v1.outra.a.b.c' })
  const { idGrupo, reportId } = await register(idPowerBi)
  const etapas = await run(idPowerBi)
  expect(outcomes(etapas)).toEqual([false, null, null, null])
  expect(etapas[0]?.detalhe).toMatch(/digite a senha de novo/)
  const groups = await suite.admin.get(`/usuarios/powerbi/${idPowerBi}/grupos`)
  expect([groups.status, groups.body.codigo]).toEqual([502, 'bi_credencial_recusada'])
  expect(groups.body.detail).toMatch(/digite a senha de novo/)
  const embed = await suite.admin.post('/usuarios/relatorio/embed', { groupId: idGrupo, reportId })
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

test.each(['global', 'usgov-high', 'china'] as const)(
  'a tenant of %s passes with POWERBI_CLOUD, and its own advice names that setting without it',
  async (cloud) => {
    simulateTenant(suite.provider, {
      scope: powerBiClouds[cloud].scope,
      workspaces: [
        {
          id: groupId,
          name: 'Saúde',
          reports: [{ id: reportId, name: 'Gestão', datasetId }],
        },
      ],
    })
    const testIn = async (name: string) => {
      const portal = await startTestApp({
        POWERBI_CLOUD: name,
        ...suite.provider.settings,
      })
      try {
        const user = await portal.as(await createUser(portal, { tipoUsuario: 'ADMIN' }))
        const { idPowerBi } = await createConnection(portal)
        const { body } = await user.post(`/usuarios/powerbi/${idPowerBi}/testar`)
        return body.etapas as ConnectionTest['etapas']
      } finally {
        await portal.close()
      }
    }
    expect(outcomes(await testIn(cloud))).toEqual([true, true, true, true])
    const [credential] = await testIn(cloud === 'global' ? 'china' : 'global')
    expect(credential?.ok).toBe(false)
    expect(credential?.detalhe).toMatch(/Corrija POWERBI_CLOUD/)
  },
)
