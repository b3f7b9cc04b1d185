import { EXPORTS_AN_HOUR, EXPORTS_UNDER_WAY, problems } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import {
  datasetId,
  exportedFiles,
  type ScriptedAnswer,
  startProvider,
} from '../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  POWERBI_AUTHORITY_URL: provider.origin,
  POWERBI_API_URL: provider.origin,
  POWERBI_EMBED_URL: provider.origin,
  REPORTS_URL: provider.origin,
  BI_TIMEOUT_SECONDS: '1',
}))
beforeEach(() => provider.restore())

type Begun = Awaited<ReturnType<typeof start>>

const start = async (
  fields: { filtro?: string; papeisRls?: string[] } = {},
  person = {},
  provedor: 'microsoft' | 'local' = 'microsoft',
) => {
  // Ids restart with every test, and the caches use them as keys: a random version keeps the tests
  // apart.
  const versao = Math.floor(Math.random() * 1e9)
  const { idPowerBi } = await createConnection(app, { versao, provedor })
  const workspace = await createWorkspace(app, { idPowerBi })
  const { idGrupoRelatorio } = workspace
  const report = await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Gestão à vista', ...fields })
  const user = await createUser(app, person)
  await grantReport(app, user.idUsuario, report.idRelatorio)
  const signedIn = await app.as(user)
  const address = `/usuarios/relatorio/${report.idRelatorio}/exportacao`
  const ask = (body: object = { formato: 'PDF' }) => signedIn.post(address, body)
  const begun = async (body?: object): Promise<string> => {
    const answer = await ask(body)
    expect([answer.status, answer.body.estado]).toEqual([201, 'NA_FILA'])
    return `${address}/${answer.body.idExportacao}`
  }
  return { ...signedIn, idPowerBi, workspace, report, user, address, ask, begun }
}

const sentOrder = () => {
  const asked = provider.seen.find(({ path }) => path.endsWith('/ExportTo'))
  return asked && { path: asked.path, ...JSON.parse(asked.body) }
}

/** Makes the provider report this state for every export. */
const provideState = (status: 'Running' | 'Succeeded' | 'Failed') =>
  provider.answer('exportState', ({ path }) => ({ body: { id: path.split('/').at(-1), status } }))

const isFull = async (ask: () => Promise<{ status: number; body: { codigo?: string } }>) => {
  const { status, body } = await ask()
  expect([status, body.codigo]).toEqual([429, 'muitas_exportacoes'])
}

const auditOf = (action: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', action).execute()

describe('POST /usuarios/relatorio/:id/exportacao', () => {
  test('passes page, filters and bookmark on; the export can be followed and downloaded', async () => {
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
    provider.answer('exportState', ({ path }) => ({
      status: 202,
      headers: { 'retry-after': '5' },
      body: { id: path.split('/').at(-1), status: 'Running', percentComplete: 40 },
    }))
    expect((await get(address)).body).toMatchObject({ estado: 'GERANDO', percentual: 40 })
    const early = await get(`${address}/arquivo`)
    expect([early.status, early.body.codigo]).toEqual([409, 'exportacao_nao_pronta'])
    provider.restore()
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
    const { marcador: _, ...asked } = body
    expect(await auditOf('export.requested')).toMatchObject([
      {
        objeto: `relatorio:${report.idRelatorio}`,
        idUsuario: user.idUsuario,
        detalhes: {
          idExportacao,
          ...asked,
          filtros: { sexo: 'feminino' },
          comMarcador: true,
          identidade: null,
        },
      },
    ])
    expect(await auditOf('export.downloaded')).toMatchObject([
      { objeto: `relatorio:${report.idRelatorio}`, detalhes: { idExportacao, formato: 'PNG', bytes: 8 } },
    ])
  })

  test('applies the bookmark to all pages of a whole report, and requires a page for an image', async () => {
    const { begun, ask } = await start()
    await begun({ formato: 'PDF', marcador: 'eyJ9' })
    expect(sentOrder().powerBIReportConfiguration).toEqual({
      settings: { locale: 'pt-BR' },
      defaultBookmark: { state: 'eyJ9' },
    })
    const { status, body } = await ask({ formato: 'PNG' })
    expect([status, Object.keys(body.campos)]).toEqual([422, ['pagina']])
  })

  test('sends the same effective identity as the embed token', async () => {
    provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { begun, post, report, workspace, user } = await start(
      { papeisRls: ['Operadora'] },
      { identidadeRls: 'CNU' },
    )
    await begun()
    await post('/usuarios/relatorio/embed', { groupId: workspace.idGrupo, reportId: report.reportId })
    const token = provider.seen.find(({ path }) => path.endsWith('/GenerateToken'))
    const { identities } = sentOrder().powerBIReportConfiguration
    expect(identities).toEqual([
      { username: user.emailUsuario, roles: ['Operadora'], customData: 'CNU', datasets: [datasetId] },
    ])
    expect(identities).toEqual(JSON.parse(token?.body ?? '').identities)
  })

  test('is refused when the dataset requires an identity and the report has no roles', async () => {
    provider.answer('dataset', () => ({ body: { id: datasetId, isEffectiveIdentityRequired: true } }))
    const { ask } = await start()
    const { status, body } = await ask()
    expect([status, body.codigo]).toEqual([502, 'bi_identidade_necessaria'])
    expect(sentOrder()).toBeUndefined()
  })
})

describe('permission for an export', () => {
  test('is checked on each call, before the provider is called', async () => {
    const { begun, get, del, ask, report } = await start()
    const address = await begun()
    await app.db.deleteFrom('relatorioUsuario').where('idRelatorio', '=', report.idRelatorio).execute()
    const seen = provider.seen.length
    for (const { status, body } of [
      await get(address),
      await get(`${address}/arquivo`),
      await del(address),
      await ask(),
    ]) {
      expect([status, body.codigo]).toEqual([403, 'relatorio_sem_permissao'])
    }
    expect(provider.seen).toHaveLength(seen)
  })

  test('covers counting and audit when the user is blocked while the provider starts the export', async () => {
    const { ask, address, user } = await start()
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    provider.answer('exportTo', () => ({ status: 202, body: { id: 'x', status: 'NotStarted' }, delay: 700 }))
    const asked = ask()
    await expect.poll(() => provider.seen.some(({ path }) => path.endsWith('/ExportTo'))).toBe(true)
    expect((await admin.put(`/usuarios/${user.idUsuario}`, { situacao: 'BLOQUEADO' })).status).toBe(200)
    expect((await asked).body.codigo).toBe('sessao_encerrada')
    const row = await app.db.selectFrom('exportacao').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ externo: 'x', encerradaEm: null, desistidaEm: expect.any(Date) })
    expect(await auditOf('export.requested')).toHaveLength(1)
    const other = await app.as(await createUser(app))
    expect((await other.get(`${address}/${row.idExportacao}`)).status).toBe(403)
  })

  test("does not extend to another user's export, nor to one's own under another report", async () => {
    const { begun, get, user, workspace } = await start()
    const address = await begun()
    const id = address.split('/').at(-1)
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const other = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
    await grantReport(app, user.idUsuario, other.idRelatorio)
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
        app.db
          .updateTable('relatorio')
          .set({ papeisRls: ['Outro'] })
          .where('idRelatorio', '=', id)
          .execute(),
    ],
    [
      "the report's filter",
      (id: number) =>
        app.db.updateTable('relatorio').set({ filtro: "T/a eq 'y'" }).where('idRelatorio', '=', id).execute(),
    ],
    [
      "the user's identity",
      () =>
        app.db
          .updateTable('usuario')
          .set({ identidadeRls: 'BRADESCO' })
          .where('identidadeRls', '=', 'CNU')
          .execute(),
    ],
  ])('is lost for a file once %s changed', async (_, change) => {
    const { begun, get, report } = await start({ papeisRls: ['Operadora'] }, { identidadeRls: 'CNU' })
    const address = await begun()
    expect((await get(`${address}/arquivo`)).status).toBe(200)
    await change(report.idRelatorio)
    const { status, body } = await get(`${address}/arquivo`)
    expect([status, body.codigo]).toEqual([404, 'exportacao_inexistente'])
  })
})

describe('limits', () => {
  test('allow two exports under way, free a place when one ends, and not when one is cancelled', async () => {
    const { begun, ask, get, del } = await start()
    const addresses = [await begun(), await begun()]
    provideState('Running')
    expect(addresses).toHaveLength(EXPORTS_UNDER_WAY)
    const full = await ask()
    expect([full.status, full.body.codigo, full.headers['retry-after']]).toEqual([
      429,
      'muitas_exportacoes',
      '30',
    ])
    provideState('Succeeded')
    expect((await get(addresses[0] ?? '')).body.estado).toBe('PRONTA')
    provideState('Running')
    await begun()
    expect((await ask()).status).toBe(429)
    expect((await del(addresses[1] ?? '')).status).toBe(204)
    expect((await get(addresses[1] ?? '')).status).toBe(404)
    // It continues at the provider, which cannot cancel it.
    expect((await ask()).status).toBe(429)
    app.clock.offsetMs += 61_000
    expect((await ask()).status).toBe(429)
  })

  test.each([
    ['cancelled', async ({ del }: Begun, address: string) => expect((await del(address)).status).toBe(204)],
    ['abandoned', async () => {}],
    [
      'of a report that the user may no longer see',
      async ({ report }: Begun) =>
        app.db.deleteFrom('relatorioUsuario').where('idRelatorio', '=', report.idRelatorio).execute(),
    ],
  ] as const)('count an export that is %s until the provider reports its end', async (_, leave) => {
    const one = await start()
    const addresses = [await one.begun(), await one.begun()]
    for (const address of addresses) await leave(one, address)
    const other = await createReport(app, { idGrupoRelatorio: one.workspace.idGrupoRelatorio })
    await grantReport(app, one.user.idUsuario, other.idRelatorio)
    const askOther = () => one.post(`/usuarios/relatorio/${other.idRelatorio}/exportacao`, { formato: 'PDF' })
    provideState('Running')
    // Attack: start, leave, wait and start again, so that the provider works on many exports for
    // one user.
    for (const minutes of [0, 2, 11, 40]) {
      app.clock.offsetMs = minutes * 60_000
      await isFull(askOther)
    }
    provider.answer('exportState', () => ({ status: 503 }))
    await isFull(askOther)
    provideState('Failed')
    expect((await askOther()).status).toBe(201)
  })

  test('do not count an export that the provider no longer knows, nor one older than an hour', async () => {
    const { begun, ask } = await start()
    await begun()
    await begun()
    provider.answer('exportState', () => ({ status: 404 }))
    await begun()
    await begun()
    provideState('Running')
    await isFull(ask)
    app.clock.offsetMs = 30 * 60_000
    await isFull(ask)
    app.clock.offsetMs = 61 * 60_000
    await begun()
  })

  test('count an export without an answer from the provider for ten minutes', async () => {
    const { begun, ask } = await start()
    provider.answer('exportTo', () => ({ delay: 3_000 }))
    for (let n = 0; n < EXPORTS_UNDER_WAY; n += 1) expect((await ask()).body.codigo).toBe('bi_sem_resposta')
    provider.restore()
    await isFull(ask)
    app.clock.offsetMs = 11 * 60_000
    await begun()
  })

  test("apply to the user's digest at the local service, which Microsoft does not receive", async () => {
    const [one, other, elsewhere] = [
      await start({}, {}, 'local'),
      await start({}, {}, 'local'),
      await start(),
    ]
    for (const { begun } of [one, one, other, elsewhere]) await begun()
    const people = provider.seen
      .filter(({ path }) => path.endsWith('/ExportTo'))
      .map(({ requestedFor }) => requestedFor)
    expect(people).toEqual([people[0], people[0], people[2], undefined])
    expect(people[0]).toMatch(/^[\w-]{43}$/)
    expect(people[2]).toMatch(/^[\w-]{43}$/)
    expect(people[2]).not.toBe(people[0])
  })

  test('apply to concurrent calls, ignore ended exports, and cap the exports per hour', async () => {
    const { ask, user, report } = await start()
    provideState('Running')
    const burst = await Promise.all([ask(), ask(), ask(), ask()])
    expect(burst.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429])
    provideState('Succeeded')
    app.clock.offsetMs = 11 * 60_000
    expect((await ask()).status).toBe(201)
    const { idUsuario } = user
    const { idRelatorio } = report
    const rows = Array.from({ length: EXPORTS_AN_HOUR - 3 }, () => ({
      idExportacao: crypto.randomUUID(),
      idUsuario,
      idRelatorio,
      formato: 'PDF' as const,
      externo: 'x',
      alcance: '',
      pedidaEm: new Date(),
      encerradaEm: new Date(),
    }))
    await app.db.insertInto('exportacao').values(rows).execute()
    const { status, body, headers } = await ask()
    expect([status, body.codigo]).toEqual([429, 'muitas_exportacoes'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(2_800)
    app.clock.offsetMs = 62 * 60_000
    expect((await ask()).status).toBe(201)
  })

  test('do not count an export that the provider refused', async () => {
    const { ask, begun } = await start()
    provider.answer('exportTo', () => ({ status: 500 }))
    for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(503)
    provider.restore()
    await begun()
  })
})

describe('a failing provider', () => {
  const code = (status: number, name: string, message = ''): ScriptedAnswer => ({
    status,
    body: { error: { code: name, message } },
  })
  test.each([
    ['a missing feature', code(403, 'FeatureNotAvailableError'), 'exportacao_nao_suportada'],
    ['a missing implementation', code(501, 'NotImplemented'), 'exportacao_nao_suportada'],
    [
      'an unsupported report',
      code(400, 'BadRequest', 'Export is not supported for this report'),
      'exportacao_nao_suportada',
    ],
    ['a paused capacity', code(400, 'CapacityNotActive', 'Export is not available: paused'), 'bi_pausado'],
    ['too many requests', { status: 429, headers: { 'retry-after': '17' } }, 'bi_sobrecarregado'],
    ['missing permission', code(403, 'PowerBINotAuthorizedException'), 'bi_sem_acesso'],
    ['a missing report', code(404, 'PowerBIEntityNotFound'), 'bi_relatorio_inexistente'],
    [
      'a missing identity',
      code(400, 'InvalidRequest', 'requires effective identity'),
      'bi_identidade_necessaria',
    ],
    ['a full disk', code(507, 'InsufficientStorage', 'The disk of the service is full'), 'sem_espaco'],
    ['a deleted page', code(400, 'InvalidRequest', 'The report has no such page'), 'exportacao_recusada'],
    ['no answer', { delay: 3_000 }, 'bi_sem_resposta'],
    ['a broken connection', { drop: true }, 'bi_indisponivel'],
    ['an unexpected body', { body: { id: '../../x', status: 'Running' } }, 'bi_resposta_invalida'],
  ] as const)('makes the start answer its own problem code: %s', async (_, answer, codigo) => {
    const { ask } = await start()
    provider.answer('exportTo', () => answer)
    const { status, body, headers } = await ask()
    expect([status, body.codigo, body.detail]).toEqual([
      problems[codigo].status,
      codigo,
      problems[codigo].detail,
    ])
    if (codigo === 'bi_sobrecarregado') expect(headers['retry-after']).toBe('17')
    expect(await auditOf('export.requested')).toEqual([])
  })

  test.each([
    ['ExportTimedOut', 'O relatório demorou demais para ser desenhado. Exporte uma página de cada vez.'],
    ['ExportFileTooLarge', 'O arquivo passou de 250 MB. Exporte uma página de cada vez.'],
    ['Other_1.x', 'O serviço de BI não conseguiu gerar o arquivo (Other_1.x). Peça-o de novo.'],
    ['<b>não</b>', 'O serviço de BI não conseguiu gerar o arquivo. Peça-o de novo.'],
    [undefined, 'O serviço de BI não conseguiu gerar o arquivo. Peça-o de novo.'],
  ])('fails the export with our own text for %s', async (reason, sentence) => {
    const { begun, get } = await start()
    const address = await begun()
    const error = reason && { code: reason, message: 'Segredo do provedor' }
    provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Failed', error },
    }))
    expect((await get(address)).body).toMatchObject({ estado: 'FALHOU', motivo: sentence })
    expect((await get(`${address}/arquivo`)).body.detail).toBe(sentence)
    provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Running', error: 'x' },
    }))
    expect((await get(address)).body).toMatchObject({ estado: 'GERANDO', motivo: null })
  })

  test.each([
    ['an unknown export', code(404, 'EntityNotFound'), 'exportacao_inexistente'],
    ['an expired export', { status: 410 }, 'exportacao_inexistente'],
    ['too many requests', { status: 429, headers: { 'retry-after': '9' } }, 'bi_sobrecarregado'],
    ['an outage', { status: 503 }, 'bi_indisponivel'],
    ['an unexpected body', { body: { status: 'Who knows' } }, 'bi_resposta_invalida'],
  ] as const)('makes the state answer its own problem code: %s', async (_, answer, codigo) => {
    const { begun, get } = await start()
    const address = await begun()
    provider.answer('exportState', () => answer)
    const { status, body } = await get(address)
    expect([status, body.codigo]).toEqual([problems[codigo].status, codigo])
  })

  test('fails the export without a file', async () => {
    const { begun, get } = await start()
    const address = await begun()
    provider.answer('exportState', ({ path }) => ({ body: { id: path.split('/').at(-1), status: 'Failed' } }))
    expect((await get(address)).body).toMatchObject({ estado: 'FALHOU', percentual: 0 })
    const { status, body } = await get(`${address}/arquivo`)
    expect([status, body.detail]).toEqual([
      409,
      'O serviço de BI não conseguiu gerar o arquivo. Peça-o de novo.',
    ])
  })

  test.each([
    ['an unknown file', code(404, 'EntityNotFound'), 'exportacao_inexistente'],
    ['an HTML page of a proxy', { body: '<html><script>alert(1)</script>' }, 'bi_resposta_invalida'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'bi_indisponivel'],
  ] as const)('makes the file answer its own problem code: %s', async (_, answer, codigo) => {
    const { begun, get } = await start()
    const address = await begun()
    provider.answer('exportFile', () => answer)
    const { status, body } = await get(`${address}/arquivo`)
    expect([status, body.codigo]).toEqual([problems[codigo].status, codigo])
    expect(await auditOf('export.downloaded')).toEqual([])
  })
})

test('deleting the report or the user deletes their exports', async () => {
  const [one, other] = [await start(), await start()]
  await one.begun()
  await other.begun()
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  expect((await admin.del(`/usuarios/relatorio/${one.report.idRelatorio}`)).status).toBe(204)
  expect((await admin.del(`/usuarios/${other.user.idUsuario}`)).status).toBe(204)
  expect(await app.db.selectFrom('exportacao').selectAll().execute()).toEqual([])
})
