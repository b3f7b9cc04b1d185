import { EXPORTS_UNDER_WAY, MAX_EXPORTS_PER_HOUR, problems } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { createReport, grantReport } from '../../../test/reports.ts'
import type { ScriptedAnswer } from '../../../test/stand-ins/provider-stand-in.ts'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'

const { suite, start, provideState, isFull, auditOf } = exportSuite()

type Begun = Awaited<ReturnType<typeof start>>

describe('limits', () => {
  test('limits allow two exports under way, free a place when one ends, and not when one is cancelled', async () => {
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
    suite.app.clock.offsetMs += 61_000
    expect((await ask()).status).toBe(429)
  })

  test.each([
    ['cancelled', async ({ del }: Begun, address: string) => expect((await del(address)).status).toBe(204)],
    ['abandoned', async () => {}],
    [
      'of a report that the user may no longer see',
      async ({ report }: Begun) =>
        suite.app.db.deleteFrom('relatorioUsuario').where('idRelatorio', '=', report.idRelatorio).execute(),
    ],
  ] as const)('limits count an export that is %s until the provider reports its end', async (_, leave) => {
    const one = await start()
    const addresses = [await one.begun(), await one.begun()]
    for (const address of addresses) await leave(one, address)
    const other = await createReport(suite.app, { idGrupoRelatorio: one.workspace.idGrupoRelatorio })
    await grantReport(suite.app, one.user.idUsuario, other.idRelatorio)
    const askOther = () => one.post(`/usuarios/relatorio/${other.idRelatorio}/exportacao`, { formato: 'PDF' })
    provideState('Running')
    // Attack: start, leave, wait and start again, so that the provider works on many exports for
    // one user.
    for (const minutes of [0, 2, 11, 40]) {
      suite.app.clock.offsetMs = minutes * 60_000
      await isFull(askOther)
    }
    suite.provider.answer('exportState', () => ({ status: 503 }))
    await isFull(askOther)
    provideState('Failed')
    expect((await askOther()).status).toBe(201)
  })

  test('limits do not count an export that the provider no longer knows, nor one older than an hour', async () => {
    const { begun, ask } = await start()
    await begun()
    await begun()
    suite.provider.answer('exportState', () => ({ status: 404 }))
    await begun()
    await begun()
    provideState('Running')
    await isFull(ask)
    suite.app.clock.offsetMs = 30 * 60_000
    await isFull(ask)
    suite.app.clock.offsetMs = 61 * 60_000
    await begun()
  })

  test('limits count an export without an answer from the provider for ten minutes', async () => {
    const { begun, ask } = await start()
    suite.provider.answer('exportTo', () => ({ delay: 3_000 }))
    for (let n = 0; n < EXPORTS_UNDER_WAY; n += 1) expect((await ask()).body.codigo).toBe('bi_sem_resposta')
    suite.provider.restore()
    suite.app.clock.offsetMs = 4 * 60_000
    const { status, body, headers } = await ask()
    expect([status, body.detail]).toEqual([
      429,
      expect.stringMatching(
        /^O serviço de BI não respondeu a 2 pedidos de exportação seus, .+ Você pode pedir outra em 6 minutos\.$/,
      ),
    ])
    expect(Number(headers['retry-after'])).toBeGreaterThan(340)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(360)
    suite.app.clock.offsetMs = 11 * 60_000
    await begun()
  })

  test('limits count no failed export in the hour, whether the provider refused it or could not make it', async () => {
    const { ask, begun, get } = await start()
    for (let n = 0; n < MAX_EXPORTS_PER_HOUR; n += 1) {
      const refuses = n % 2 === 0
      suite.provider.answer('exportTo', () => ({ status: 500 }))
      if (refuses) expect((await ask()).status).toBe(503)
      suite.provider.restore()
      if (refuses) continue
      const address = await begun()
      provideState('Failed')
      expect((await get(address)).body.estado).toBe('FALHOU')
      suite.provider.restore()
    }
    await begun()
  })

  test('limits count no export in the hour that the provider forgot, or never answered for ten minutes', async () => {
    const { ask, user, report } = await start()
    const book = (externo: string | null, minutesAgo: number) => ({
      idExportacao: crypto.randomUUID(),
      idUsuario: user.idUsuario,
      idRelatorio: report.idRelatorio,
      formato: 'PDF' as const,
      externo,
      alcance: '',
      pedidaEm: new Date(Date.now() - minutesAgo * 60_000),
      encerradaEm: externo === null ? null : new Date(),
    })
    const made = Array.from({ length: MAX_EXPORTS_PER_HOUR - EXPORTS_UNDER_WAY }, () => book('x', 5))
    const unanswered = [book(null, 20), book(null, 30)]
    const insert = (rows: ReturnType<typeof book>[]) =>
      suite.app.db.insertInto('exportacao').values(rows).execute()
    await insert([...made, ...unanswered])
    for (let n = 0; n < EXPORTS_UNDER_WAY; n += 1) expect((await ask()).status).toBe(201)
    const endOf = ({ idExportacao }: { idExportacao: string }) =>
      suite.app.db
        .selectFrom('exportacao')
        .select(['encerradaEm', 'falhou'])
        .where('idExportacao', '=', idExportacao)
        .executeTakeFirstOrThrow()
    for (const row of unanswered)
      expect(await endOf(row)).toEqual({ encerradaEm: expect.any(Date), falhou: true })
    // The hour is full until the two open exports are forgotten.
    suite.provider.answer('exportState', () => ({ status: 404 }))
    expect((await ask()).status).toBe(201)
    await insert([book('x', 1)])
    const { status, body } = await ask()
    expect([status, body.detail]).toEqual([429, expect.stringMatching(/^Você já pediu 30 exportações/)])
  })

  test('limits count in the hour a file that the provider deleted after it was made', async () => {
    const { begun, get } = await start()
    const address = await begun()
    provideState('Succeeded')
    expect((await get(address)).body.estado).toBe('PRONTA')
    suite.provider.answer('exportState', () => ({ status: 404 }))
    expect((await get(address)).status).toBe(404)
    const rows = await suite.app.db.selectFrom('exportacao').select('falhou').execute()
    expect(rows).toEqual([{ falhou: false }])
  })

  test("limits apply to the user's digest at the local service, which Microsoft does not receive", async () => {
    const [one, other, elsewhere] = [
      await start({}, {}, 'local'),
      await start({}, {}, 'local'),
      await start(),
    ]
    for (const { begun } of [one, one, other, elsewhere]) await begun()
    const people = suite.provider.seen
      .filter(({ path }) => path.endsWith('/ExportTo'))
      .map(({ requestedFor }) => requestedFor)
    expect(people).toEqual([people[0], people[0], people[2], undefined])
    expect(people[0]).toMatch(/^[\w-]{43}$/)
    expect(people[2]).toMatch(/^[\w-]{43}$/)
    expect(people[2]).not.toBe(people[0])
  })

  test('limits apply to concurrent calls, ignore ended exports, and cap the exports per hour', async () => {
    const { ask, user, report } = await start()
    provideState('Running')
    const burst = await Promise.all([ask(), ask(), ask(), ask()])
    expect(burst.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429])
    provideState('Succeeded')
    suite.app.clock.offsetMs = 11 * 60_000
    expect((await ask()).status).toBe(201)
    const { idUsuario } = user
    const { idRelatorio } = report
    const rows = Array.from({ length: MAX_EXPORTS_PER_HOUR - 3 }, () => ({
      idExportacao: crypto.randomUUID(),
      idUsuario,
      idRelatorio,
      formato: 'PDF' as const,
      externo: 'x',
      alcance: '',
      pedidaEm: new Date(),
      encerradaEm: new Date(),
    }))
    await suite.app.db.insertInto('exportacao').values(rows).execute()
    const { status, body, headers } = await ask()
    expect([status, body.codigo]).toEqual([429, 'muitas_exportacoes'])
    expect(body.detail).toBe(
      `Você já pediu ${MAX_EXPORTS_PER_HOUR} exportações na última hora. Você pode pedir outra em 49 minutos.`,
    )
    expect(Number(headers['retry-after'])).toBeGreaterThan(2_800)
    suite.app.clock.offsetMs = 62 * 60_000
    expect((await ask()).status).toBe(201)
  })

  test.each<[string, ScriptedAnswer]>([
    ['is cut', { status: 202, cut: true, body: { id: 'PDF-1', status: 'NotStarted' } }],
    ['is half of one', { status: 202, body: '{"id":"PDF-1","sta' }],
    ['is not as expected', { status: 202, body: { status: 'NotStarted' } }],
  ])('limits count an export whose accepting answer %s', async (_, answer) => {
    const { ask } = await start()
    suite.provider.answer('exportTo', () => answer)
    for (let n = 0; n < EXPORTS_UNDER_WAY; n += 1) {
      const { status, body } = await ask()
      expect([status, body.codigo]).toEqual([502, 'bi_resposta_invalida'])
    }
    suite.provider.restore()
    await isFull(ask)
    const rows = await suite.app.db.selectFrom('exportacao').select(['encerradaEm', 'falhou']).execute()
    expect(rows).toEqual(rows.map(() => ({ encerradaEm: null, falhou: false })))
    suite.app.clock.offsetMs += 11 * 60_000
    expect((await ask()).status).toBe(201)
  })

  test('limits do not count an export that the provider refused', async () => {
    const { ask, begun } = await start()
    suite.provider.answer('exportTo', () => ({ status: 500 }))
    for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(503)
    suite.provider.restore()
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
  ] as const)(
    'a failing provider makes the start answer its own problem code: %s',
    async (_, answer, codigo) => {
      const { ask } = await start()
      suite.provider.answer('exportTo', () => answer)
      const { status, body, headers } = await ask()
      expect([status, body.codigo, body.detail]).toEqual([
        problems[codigo].status,
        codigo,
        problems[codigo].detail,
      ])
      if (codigo === 'bi_sobrecarregado') expect(headers['retry-after']).toBe('17')
      expect(await auditOf('export.requested')).toEqual([])
    },
  )

  test.each([
    ['ExportTimedOut', 'O relatório demorou demais para ser desenhado. Exporte uma página de cada vez.'],
    ['ExportFileTooLarge', 'O arquivo passou de 250 MB. Exporte uma página de cada vez.'],
    ['Other_1.x', 'O serviço de BI não conseguiu gerar o arquivo (Other_1.x). Peça-o de novo.'],
    ['<b>não</b>', 'O serviço de BI não conseguiu gerar o arquivo. Peça-o de novo.'],
    [undefined, 'O serviço de BI não conseguiu gerar o arquivo. Peça-o de novo.'],
  ])('a failing provider fails the export with our own text for %s', async (reason, sentence) => {
    const { begun, get } = await start()
    const address = await begun()
    const error = reason && { code: reason, message: 'Segredo do provedor' }
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Failed', error },
    }))
    expect((await get(address)).body).toMatchObject({ estado: 'FALHOU', motivo: sentence })
    expect((await get(`${address}/arquivo`)).body.detail).toBe(sentence)
    suite.provider.answer('exportState', ({ path }) => ({
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
  ] as const)(
    'a failing provider makes the state answer its own problem code: %s',
    async (_, answer, codigo) => {
      const { begun, get } = await start()
      const address = await begun()
      suite.provider.answer('exportState', () => answer)
      const { status, body } = await get(address)
      expect([status, body.codigo]).toEqual([problems[codigo].status, codigo])
    },
  )

  test('a failing provider fails the export without a file', async () => {
    const { begun, get } = await start()
    const address = await begun()
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Failed' },
    }))
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
  ] as const)(
    'a failing provider makes the file answer its own problem code: %s',
    async (_, answer, codigo) => {
      const { begun, get } = await start()
      const address = await begun()
      suite.provider.answer('exportFile', () => answer)
      const { status, body } = await get(`${address}/arquivo`)
      expect([status, body.codigo]).toEqual([problems[codigo].status, codigo])
      expect(await auditOf('export.downloaded')).toEqual([])
    },
  )
})
