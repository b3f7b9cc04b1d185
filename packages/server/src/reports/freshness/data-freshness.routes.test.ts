import { describe, expect, test, vi } from 'vitest'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'
import { setTestRestore } from '../../platform/installation/test-environment.ts'

const { suite, publish, viewer } = embeddingSuite()

const refresh = (fields: object) => ({
  requestId: crypto.randomUUID(),
  refreshType: 'Scheduled',
  startTime: '2025-11-23T10:55:00Z',
  ...fields,
})
const completed = (endTime: string) => refresh({ status: 'Completed', endTime })

const answerRefreshes = (...value: unknown[]) =>
  suite.provider.answer('refreshes', () => ({ body: { value } }))

const asked = () => suite.provider.seen.filter(({ path }) => path.includes('/refreshes'))

const open = async () => {
  const { report } = await publish()
  const { get } = await viewer(report.idRelatorio)
  return { report, ask: () => get(`/usuarios/relatorio/${report.idRelatorio}/dados`) }
}

describe('GET /usuarios/relatorio/:id/dados', () => {
  test.each([
    [
      'the last completed refresh',
      [completed('2025-11-23T11:00:00.153Z'), completed('2025-11-22T11:00:00Z')],
    ],
    [
      'the one before a running, a failed and a cancelled one',
      [
        refresh({ status: 'Unknown' }),
        refresh({ status: 'Failed', endTime: '2025-11-24T11:00:00Z' }),
        refresh({ status: 'Cancelled', endTime: '2025-11-24T10:00:00Z' }),
        completed('2025-11-23T11:00:00.153'),
      ],
    ],
    [
      'the readable entries',
      [{ status: 'Completed', startTime: 'x' }, null, completed('2025-11-23T08:00:00.153-03:00')],
    ],
  ])('GET /usuarios/relatorio/:id/dados returns the end of %s', async (_name, history) => {
    answerRefreshes(...history)
    const { ask } = await open()
    expect(await ask()).toMatchObject({ status: 200, body: { atualizadosEm: '2025-11-23T11:00:00.153Z' } })
  })

  test.each([
    ['the history is empty', () => ({ body: { value: [] } })],
    ['the history is null', () => ({ body: { value: null } })],
    ['the connection may not read it', () => ({ status: 403, body: { error: { code: 'Forbidden' } } })],
    [
      'the dataset is not refreshed',
      () => ({ status: 415, body: { error: { code: 'InvalidDatasetType' } } }),
    ],
    ['the provider does not answer', () => ({ drop: true })],
  ])('GET /usuarios/relatorio/:id/dados returns null when %s', async (_name, answer) => {
    suite.provider.answer('refreshes', answer)
    const { ask } = await open()
    expect(await ask()).toMatchObject({ status: 200, body: { atualizadosEm: null } })
  })

  test('GET /usuarios/relatorio/:id/dados returns null when the metadata cannot be read', async () => {
    suite.provider.answer('report', () => ({ status: 404, body: '' }))
    const { ask } = await open()
    expect((await ask()).body).toMatchObject({ atualizadosEm: null, podeAtualizar: false })
  })

  test('GET /usuarios/relatorio/:id/dados answers 500 when the portal itself fails', async () => {
    const { ask } = await open()
    const failing = suite.app.services.refreshHistories
    const reading = vi.spyOn(failing, 'read').mockRejectedValue(new TypeError('a defect'))
    expect((await ask()).status).toBe(500)
    reading.mockRestore()
  })

  test("GET /usuarios/relatorio/:id/dados asks the dataset's workspace once for all viewers, and again after five minutes", async () => {
    const workspace = crypto.randomUUID()
    const datasetId = crypto.randomUUID()
    suite.provider.answer('report', ({ path }) => ({
      body: {
        id: path.split('/').at(-1),
        embedUrl: `${suite.provider.origin}/reportEmbed`,
        datasetId,
        datasetWorkspaceId: workspace,
      },
    }))
    const { report, ask } = await open()
    const other = await viewer(report.idRelatorio)
    await Promise.all([ask(), ask(), other.get(`/usuarios/relatorio/${report.idRelatorio}/dados`)])
    expect(asked().map(({ path }) => path)).toEqual([
      `/v1.0/myorg/groups/${workspace}/datasets/${datasetId}/refreshes?$top=60`,
    ])
    await moveClockTo(suite.app, 4 * 60_000)
    await ask()
    expect(asked()).toHaveLength(1)
    await moveClockTo(suite.app, 6 * 60_000)
    await ask()
    expect(asked()).toHaveLength(2)
  })

  test('GET /usuarios/relatorio/:id/dados asks again after ten seconds while a refresh is running', async () => {
    answerRefreshes(refresh({ status: 'Unknown' }))
    const { ask } = await open()
    expect((await ask()).body.atualizadosEm).toBeNull()
    answerRefreshes(completed('2025-11-23T11:00:00.000Z'))
    await moveClockTo(suite.app, 11_000)
    expect((await ask()).body.atualizadosEm).toBe('2025-11-23T11:00:00.000Z')
  })

  test('GET /usuarios/relatorio/:id/dados does not ask a refusing provider again for five minutes', async () => {
    suite.provider.answer('refreshes', () => ({ status: 403, body: '' }))
    const { ask } = await open()
    await ask()
    await ask()
    expect(asked()).toHaveLength(1)
  })

  test('GET /usuarios/relatorio/:id/dados is not asked for when a report opens', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    expect(asked()).toEqual([])
  })

  test('GET /usuarios/relatorio/:id/dados answers 403 without a grant and 404 to an ADMIN for an unknown report', async () => {
    const { report } = await publish()
    const stranger = await suite.app.as(await createUser(suite.app))
    expect((await stranger.get(`/usuarios/relatorio/${report.idRelatorio}/dados`)).status).toBe(403)
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    expect((await admin.get('/usuarios/relatorio/999999/dados')).status).toBe(404)
    expect(asked()).toEqual([])
  })
})

describe('POST /usuarios/relatorio/:id/dados/atualizacoes', () => {
  const started = () =>
    suite.provider.seen.filter(({ path, method }) => method === 'POST' && path.endsWith('/refreshes'))
  const allowed = async () => {
    const { report } = await publish()
    const reader = await viewer(report.idRelatorio)
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const { idUsuario } = reader.user
    const path = `/usuarios/relatorio/${report.idRelatorio}/dados`
    const refresher = `${path}/autorizados/${idUsuario}`
    expect((await admin.put(refresher)).status).toBe(204)
    return { report, reader, admin, path, refresher, start: () => reader.post(`${path}/atualizacoes`) }
  }
  const lines = () =>
    suite.app.db
      .selectFrom('auditoria')
      .select(['acao', 'idUsuario', 'objeto', 'detalhes'])
      .where('acao', 'like', 'data.%')
      .orderBy('idAuditoria')
      .execute()

  test('POST /usuarios/relatorio/:id/dados/atualizacoes starts a refresh for a user whom an ADMIN allows, and audits it', async () => {
    const { report, reader, path, start } = await allowed()
    expect((await reader.get(path)).body).toMatchObject({ podeAtualizar: true, limiteDiario: 8 })
    expect((await start()).status).toBe(204)
    expect(started().map(({ body }) => JSON.parse(body))).toEqual([{ notifyOption: 'NoNotification' }])
    const objeto = `relatorio:${report.idRelatorio}`
    const { idUsuario } = reader.user
    expect(await lines()).toMatchObject([
      { acao: 'data.refreshers-changed', objeto, detalhes: { idUsuario, pode: true } },
      { acao: 'data.refresh-requested', objeto, idUsuario },
    ])
  })

  test("POST /usuarios/relatorio/:id/dados/atualizacoes is refused in a test restore, which would use up production's refreshes", async () => {
    const { start } = await allowed()
    const moment = new Date().toISOString()
    await setTestRestore(suite.app.db, { restauradaEm: moment, copiaDe: moment, bucket: null })
    expect(await start()).toMatchObject({ status: 409, body: { codigo: 'ambiente_de_ensaio' } })
  })

  test('the running refresh is visible at once, and so is its end', async () => {
    const { reader, path, start } = await allowed()
    const before = (await reader.get(path)).body
    expect(before.ultima.estado).toBe('CONCLUIDA')
    await start()
    const inicio = new Date().toISOString()
    answerRefreshes(refresh({ status: 'Unknown', startTime: inicio }))
    expect((await reader.get(path)).body).toMatchObject({
      atualizadosEm: null,
      ultima: { inicio, estado: 'EM_ANDAMENTO' },
      nasUltimas24h: 1,
    })
    answerRefreshes(refresh({ status: 'Completed', startTime: inicio, endTime: inicio }))
    await moveClockTo(suite.app, 6_000)
    expect((await reader.get(path)).body).toMatchObject({ atualizadosEm: inicio })
  })

  test('POST /usuarios/relatorio/:id/dados/atualizacoes is looked for when the provider lists it late', async () => {
    const { reader, path, start } = await allowed()
    await start()
    expect((await reader.get(path)).body.ultima.estado).toBe('CONCLUIDA')
    answerRefreshes(refresh({ status: 'Unknown' }))
    await moveClockTo(suite.app, 6_000)
    expect((await reader.get(path)).body.ultima.estado).toBe('EM_ANDAMENTO')
  })

  test.each([
    ['the provider does not answer in time', { delay: 1_500 }, 'bi_sem_resposta'],
    [
      'another refresh is running',
      { status: 400, body: { error: { message: 'Another refresh request is already executing' } } },
      'atualizacao_em_andamento',
    ],
  ])('POST /usuarios/relatorio/:id/dados/atualizacoes is watched when %s', async (_name, answer, codigo) => {
    const { reader, path, start } = await allowed()
    answerRefreshes(completed('2025-11-23T11:00:00Z'))
    expect((await reader.get(path)).body.ultima.estado).toBe('CONCLUIDA')
    suite.provider.answer('startRefresh', () => answer)
    expect((await start()).body.codigo).toBe(codigo)
    answerRefreshes(refresh({ status: 'Unknown' }))
    expect((await reader.get(path)).body.ultima.estado).toBe('EM_ANDAMENTO')
  })

  test('POST /usuarios/relatorio/:id/dados/atualizacoes is refused without the permission, or when it or the grant is removed', async () => {
    const { report, reader, admin, path, refresher, start } = await allowed()
    const other = await viewer(report.idRelatorio)
    expect((await other.get(path)).body.podeAtualizar).toBe(false)
    expect((await other.post(`${path}/atualizacoes`)).status).toBe(403)
    await suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', reader.user.idUsuario).execute()
    expect((await start()).body.codigo).toBe('relatorio_sem_permissao')
    expect((await admin.del(refresher)).status).toBe(204)
    expect((await start()).status).toBe(403)
    expect(started()).toEqual([])
  })

  test.each([
    [
      'atualizacao_em_andamento',
      409,
      {
        status: 400,
        body: {
          error: {
            code: 'InvalidRequest',
            message: 'Invalid dataset refresh request. Another refresh request is already executing',
          },
        },
      },
    ],
    [
      'atualizacoes_esgotadas',
      429,
      {
        status: 429,
        body: {
          error: {
            code: 'RequestThrottled',
            message:
              'Invalid dataset refresh request. Number of refresh requests in last 24 hours exceeded limit',
          },
        },
      },
    ],
    ['bi_sobrecarregado', 503, { status: 429, headers: { 'retry-after': '17' }, body: '' }],
    ['bi_sem_acesso', 502, { status: 403, body: '' }],
    ['bi_pausado', 503, { status: 400, body: { error: { code: 'CapacityNotActive' } } }],
  ])('a refresh answers %s when the provider refuses so', async (codigo, status, answer) => {
    const { start } = await allowed()
    suite.provider.answer('startRefresh', () => answer)
    expect(await start()).toMatchObject({ status, body: { codigo } })
  })

  test('a refresh that runs at the provider already is visible after the refusal', async () => {
    const { reader, path, start } = await allowed()
    expect((await reader.get(path)).body.ultima.estado).toBe('CONCLUIDA')
    answerRefreshes(refresh({ status: 'Unknown' }))
    suite.provider.answer('startRefresh', () => ({ status: 409, body: '' }))
    expect((await start()).body.codigo).toBe('atualizacao_em_andamento')
    expect((await reader.get(path)).body.ultima.estado).toBe('EM_ANDAMENTO')
  })

  test('an allowed USER gets no advice for administrators', async () => {
    const { start, admin, path } = await allowed()
    suite.provider.answer('startRefresh', () => ({ status: 403, body: '' }))
    expect((await start()).body.detail).toMatch(/Avise um administrador/)
    expect((await admin.post(`${path}/atualizacoes`)).body.detail).toMatch(/Dataset\.ReadWrite\.All/)
  })

  test('POST /usuarios/relatorio/:id/dados/atualizacoes is limited per user and hour, also for concurrent requests', async () => {
    const { start, reader, path } = await allowed()
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await start()).status))
    expect(statuses.sort()).toEqual([204, 204, 204, 204, 204, 204, 429, 429])
    const refused = await start()
    expect(refused.body.codigo).toBe('muitas_atualizacoes')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    await moveClockTo(suite.app, 3_601_000)
    const later = await suite.app.as(reader.user)
    expect((await later.post(`${path}/atualizacoes`)).status).toBe(204)
  })
})

test('PUT and DELETE /usuarios/relatorio/:id/dados/autorizados/:idUsuario change the list, once each', async () => {
  const { report } = await publish()
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  const path = `/usuarios/relatorio/${report.idRelatorio}/dados/autorizados`
  const { idUsuario, nomeUsuario } = await createUser(suite.app, { nomeUsuario: 'Ana Souza' })
  for (const _ of [1, 2]) expect((await admin.put(`${path}/${idUsuario}`)).status).toBe(204)
  expect((await admin.get(path)).body).toEqual([{ idUsuario, nomeUsuario }])
  for (const _ of [1, 2]) expect((await admin.del(`${path}/${idUsuario}`)).status).toBe(204)
  expect((await admin.get(path)).body).toEqual([])
  const changes = suite.app.db
    .selectFrom('auditoria')
    .select('idAuditoria')
    .where('acao', '=', 'data.refreshers-changed')
  expect(await changes.execute()).toHaveLength(2)
  expect((await admin.put(`${path}/999999`)).status).toBe(404)
  expect((await admin.put(`/usuarios/relatorio/999999/dados/autorizados/${idUsuario}`)).status).toBe(404)
})

const asAdmin = async () => {
  const { report } = await publish()
  const { get } = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  return (what: string) => get(`/usuarios/relatorio/${report.idRelatorio}/dados/${what}`)
}

describe('GET /usuarios/relatorio/:id/dados/atualizacoes', () => {
  test('GET /usuarios/relatorio/:id/dados/atualizacoes returns each refresh with its kind, state and cause', async () => {
    const exception = JSON.stringify({ errorCode: 'ModelRefreshFailed_CredentialsNotSpecified' })
    answerRefreshes(
      refresh({ status: 'Unknown', refreshType: 'ViaApi' }),
      refresh({
        status: 'Failed',
        endTime: '2025-11-23T10:56:00Z',
        refreshType: 'OnDemand',
        serviceExceptionJson: exception,
      }),
      refresh({ status: 'Completed', endTime: '2025-11-23T10:57:00Z', serviceExceptionJson: null }),
      refresh({ status: 'Disabled', endTime: '2025-11-23T10:58:00Z', refreshType: 'ViaXmlaEndpoint' }),
    )
    const ask = await asAdmin()
    const inicio = '2025-11-23T10:55:00.000Z'
    const none = { causa: null, codigo: null }
    expect(await ask('atualizacoes')).toMatchObject({
      status: 200,
      body: [
        { inicio, fim: null, tipo: 'API', estado: 'EM_ANDAMENTO', ...none },
        {
          inicio,
          fim: '2025-11-23T10:56:00.000Z',
          tipo: 'MANUAL',
          estado: 'FALHOU',
          causa: expect.stringMatching(/^Faltam as credenciais/),
          codigo: 'ModelRefreshFailed_CredentialsNotSpecified',
        },
        { inicio, fim: '2025-11-23T10:57:00.000Z', tipo: 'AGENDADA', estado: 'CONCLUIDA', ...none },
        { inicio, fim: '2025-11-23T10:58:00.000Z', tipo: 'OUTRA', estado: 'DESATIVADA', ...none },
      ],
    })
  })

  test.each([
    ['bi_sem_acesso', 403, 502, /papel de Membro .*Dataset\.Read\.All/],
    ['bi_resposta_invalida', 415, 502, /DirectQuery/],
    ['bi_sobrecarregado', 429, 503, /./],
  ])('the list answers %s when the provider refuses with %i', async (codigo, refusal, status, advice) => {
    suite.provider.answer('refreshes', () => ({ status: refusal, body: { error: { code: 'X' } } }))
    suite.provider.answer('refreshSchedule', () => ({ status: refusal, body: { error: { code: 'X' } } }))
    const ask = await asAdmin()
    for (const what of ['atualizacoes', 'agenda'])
      expect(await ask(what)).toMatchObject({
        status,
        body: { codigo, detail: expect.stringMatching(advice) },
      })
  })
})

describe('GET /usuarios/relatorio/:id/dados/agenda', () => {
  test('GET /usuarios/relatorio/:id/dados/agenda returns days, times and time zone', async () => {
    const ask = await asAdmin()
    expect((await ask('agenda')).body).toEqual({
      ativa: true,
      dias: ['sexta', 'sabado', 'domingo'],
      horarios: ['05:00', '16:30'],
      fuso: 'horário de Brasília',
    })
  })

  test('GET /usuarios/relatorio/:id/dados/agenda accepts nulls and an unknown time zone', async () => {
    const body = { days: null, times: null, enabled: null, localTimeZoneId: 'Tonga Standard Time' }
    suite.provider.answer('refreshSchedule', () => ({ body }))
    const ask = await asAdmin()
    expect((await ask('agenda')).body).toEqual({
      ativa: false,
      dias: [],
      horarios: [],
      fuso: 'Tonga Standard Time',
    })
  })
})
