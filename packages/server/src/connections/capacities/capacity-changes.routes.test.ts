import { beforeEach, describe, expect, test } from 'vitest'
import { azureIdOf } from '../../../test/connections/capacities.ts'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { createConnection } from '../../../test/reports.ts'
import { azureRefusals, type SimulatedAzureCapacity } from '../../../test/stand-ins/azure-capacities.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { datasetId } from '../../../test/stand-ins/provider-stand-in.ts'
import { registerSimulatedCapacity } from '../../../test/stand-ins/simulated-capacity.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'

const { suite } = embeddingSuite({ BI_TIMEOUT_SECONDS: '10' })

let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
})

const audited = (action: string) =>
  suite.app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes', 'idUsuario'])
    .where('acao', '=', action)
    .execute()
const sent = (end: string) =>
  suite.provider.seen.filter((request) => request.path.split('?')[0]?.endsWith(end))

/** A running capacity, unless `azure` says otherwise. */
const begin = async (azure: Partial<SimulatedAzureCapacity> = {}, kind: 'F' | 'A' = 'F') => {
  const running: Pick<SimulatedAzureCapacity, 'sku' | 'state'> =
    kind === 'F' ? { sku: 'F2', state: 'Active' } : { sku: 'A1', state: 'Succeeded' }
  const resource = { id: azureIdOf(kind), ...running, ...azure }
  const registered = await registerSimulatedCapacity(suite, resource)
  return { ...registered, url: `/usuarios/capacidade/${registered.idCapacidade}` }
}

describe.each(['F', 'A'] as const)('a capacity of kind %s', (kind) => {
  test('a capacity is read, paused, started and resized at Azure, each change audited', async () => {
    const { url, idCapacidade: id, resource } = await begin({}, kind)
    const [size, larger] = kind === 'F' ? ['F2', 'F8'] : ['A1', 'A4']
    expect((await admin.get(`${url}/estado`)).body).toMatchObject({
      estado: 'ATIVA',
      sku: size,
      falha: null,
      lidoEm: expect.any(String),
    })
    const paused = await admin.post(`${url}/pausar`)
    expect([paused.status, paused.body.estado]).toEqual([200, 'PAUSANDO'])
    await moveClockTo(suite.app, suite.app.clock.offsetMs + 10_000)
    expect((await admin.get(`${url}/estado`)).body.estado).toBe('PAUSADA')
    const started = await admin.post(`${url}/iniciar`)
    expect([started.status, started.body.estado]).toEqual([200, 'INICIANDO'])
    await moveClockTo(suite.app, suite.app.clock.offsetMs + 10_000)
    expect((await admin.get(`${url}/tamanhos`)).body).toContain(larger)
    const resized = await admin.post(`${url}/redimensionar`, { sku: larger })
    expect([resized.status, resized.body.estado]).toEqual([200, 'REDIMENSIONANDO'])
    await moveClockTo(suite.app, suite.app.clock.offsetMs + 10_000)
    expect((await admin.get(`${url}/estado`)).body).toMatchObject({ estado: 'ATIVA', sku: larger })
    expect(resource.sku).toBe(larger)
    const objeto = `capacidade:${id}`
    const idUsuario = admin.signedIn.usuario_id
    const causa = 'manual'
    expect(await audited('capacity.pause-requested')).toEqual([{ objeto, idUsuario, detalhes: { causa } }])
    expect(await audited('capacity.start-requested')).toEqual([{ objeto, idUsuario, detalhes: { causa } }])
    expect(await audited('capacity.resize-requested')).toEqual([
      { objeto, idUsuario, detalhes: { causa, de: size, para: larger } },
    ])
    const [token] = sent('/token')
    expect(new URLSearchParams(token?.body).get('scope')).toBe(`${suite.provider.origin}/.default`)
  })
})

describe('a change', () => {
  test.each([
    ['forbidden', 502, 'capacidade_recusada', /papel de Colaborador.*AuthorizationFailed/],
    ['missing', 502, 'capacidade_recusada', /não encontrou esta capacidade/],
    ['conflict', 409, 'capacidade_ocupada', /outra mudança/],
    ['throttled', 503, 'capacidade_sem_resposta', /chamadas demais/],
  ] as const)(
    'a change that Azure refuses as %s says why, and is audited',
    async (kind, status, codigo, sentence) => {
      const { url, resource } = await begin({ state: 'Paused' })
      await admin.get(`${url}/estado`)
      suite.provider.answer('capacityStart', () => azureRefusals[kind])
      const answer = await admin.post(`${url}/iniciar`)
      expect([answer.status, answer.body.codigo]).toEqual([status, codigo])
      expect(answer.body.detail).toMatch(sentence)
      expect(await audited('capacity.action-failed')).toMatchObject([
        { detalhes: { acao: 'INICIAR', causa: 'manual', motivo: expect.stringMatching(sentence) } },
      ])
      // The claim ended: another attempt reaches Azure.
      await admin.post(`${url}/iniciar`)
      expect(sent('/resume')).toHaveLength(2)
      expect(resource.state).toBe('Paused')
    },
  )

  test('a change that does not fit the state is refused without a call', async () => {
    const { url, resource } = await begin()
    expect((await admin.post(`${url}/iniciar`)).body.codigo).toBe('capacidade_ocupada')
    resource.state = 'Resuming'
    expect((await admin.post(`${url}/pausar`)).body.codigo).toBe('capacidade_ocupada')
    expect([...sent('/resume'), ...sent('/suspend')]).toEqual([])
  })

  test('a change to a size that Azure does not offer is refused at its field', async () => {
    const { url } = await begin()
    for (const sku of ['A1', 'F9999']) {
      const { status, body } = await admin.post(`${url}/redimensionar`, { sku })
      expect([status, Object.keys(body.campos)]).toEqual([422, ['sku']])
    }
    expect(suite.provider.seen.filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(await audited('capacity.resize-requested')).toEqual([])
  })

  test('a change is sent once when several administrators ask at the same moment', async () => {
    const { url } = await begin({ state: 'Paused', changeMs: 60_000 })
    const answers = await Promise.all([1, 2, 3].map(() => admin.post(`${url}/iniciar`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(sent('/resume')).toHaveLength(1)
    expect(await audited('capacity.start-requested')).toHaveLength(1)
  })

  test.each([
    ['iniciar', 'Paused', '/resume', 'INICIANDO'],
    ['pausar', 'Active', '/suspend', 'PAUSANDO'],
  ] as const)(
    '%s is sent once when a reading began before it and ends after it',
    async (order, state, call, next) => {
      const { url } = await begin({ state, changeMs: 60_000 })
      const reading = suite.provider.hold('capacity')
      const late = admin.post(`${url}/${order}`)
      const answerReading = await reading
      expect((await admin.post(`${url}/${order}`)).body.estado).toBe(next)
      answerReading()
      const { status, body } = await late
      expect([status, body.codigo]).toEqual([409, 'capacidade_ocupada'])
      expect(sent(call)).toHaveLength(1)
    },
  )
})

describe('POST /usuarios/capacidade/:id/pausar', () => {
  const runningFor = (minutes: number) =>
    suite.provider.answer('refreshes', () => ({
      body: {
        value: [{ status: 'Unknown', startTime: new Date(Date.now() - minutes * 60_000).toISOString() }],
      },
    }))
  const refused = async (url: string, codigo: string, sentence: RegExp) => {
    const { status, body } = await admin.post(`${url}/pausar`)
    expect([status, body.codigo]).toEqual([409, codigo])
    expect(body.detail).toMatch(sentence)
    expect(sent('/suspend')).toEqual([])
  }

  test('POST /usuarios/capacidade/:id/pausar is refused while a dataset is being refreshed, even one without a registered report', async () => {
    const { url } = await begin()
    runningFor(30)
    await refused(url, 'capacidade_atualizando', /“Custos”, do workspace “Saúde”, está em andamento desde as/)
    runningFor(25 * 60)
    expect((await admin.post(`${url}/pausar`)).status).toBe(200)
  })

  test('POST /usuarios/capacidade/:id/pausar is refused while an older refresh than the newest one is in progress', async () => {
    const { url } = await begin()
    const entry = (status: string, minutes: number) => ({
      status,
      startTime: new Date(Date.now() - minutes * 60_000).toISOString(),
    })
    suite.provider.answer('refreshes', () => ({
      body: { value: [entry('Disabled', 1), entry('Unknown', 30)] },
    }))
    await refused(url, 'capacidade_atualizando', /“Custos”/)
    expect(await audited('capacity.pause-requested')).toEqual([])
  })

  test.each(['groups', 'groupDatasets', 'refreshes'] as const)(
    'POST /usuarios/capacidade/:id/pausar is refused when the answer to %s cannot be read',
    async (kind) => {
      const { url } = await begin()
      suite.provider.answer(kind, () => ({ status: 500, body: '' }))
      await refused(
        url,
        'capacidade_atualizacoes_desconhecidas',
        /não conseguiu ver se .* não puderam ser lidos/,
      )
    },
  )

  test('POST /usuarios/capacidade/:id/pausar is refused when the connection cannot see a registered workspace', async () => {
    const { url, connection } = await begin()
    await suite.app.db
      .insertInto('grupoRelatorio')
      .values({ nomeGrupo: 'Oculto', idGrupo: crypto.randomUUID(), idPowerBi: connection.idPowerBi })
      .execute()
    await refused(url, 'capacidade_atualizacoes_desconhecidas', /não vê o workspace “Oculto”/)
  })

  test('POST /usuarios/capacidade/:id/pausar asks all connections of the same service principal, and no workspace of a shared capacity', async () => {
    const { url, connection } = await begin()
    const { tenantId, applicationId } = connection
    await createConnection(suite.app, { tenantId, applicationId, perfilPrincipal: crypto.randomUUID() })
    suite.provider.answer('groups', ({ profile }) => ({
      body: {
        value: [
          {
            id: crypto.randomUUID(),
            name: profile ? 'Do perfil' : 'Própria',
            isOnDedicatedCapacity: !!profile,
          },
        ],
      },
    }))
    suite.provider.answer('groupDatasets', () => ({ body: { value: [{ id: datasetId, name: 'Custos' }] } }))
    runningFor(1)
    await refused(url, 'capacidade_atualizando', /do workspace “Do perfil”/)
  })
})

describe('GET /usuarios/capacidade/:id/horas', () => {
  test('GET /usuarios/capacidade/:id/horas splits the periods by local day and month', async () => {
    const { idCapacidade: id, url } = await begin()
    const period = (inicio: string, fim: string) => ({
      idCapacidade: id,
      inicio: new Date(`${inicio}-03:00`),
      fim: new Date(`${fim}-03:00`),
      sku: 'F2',
    })
    await suite.app.db
      .insertInto('capacidadePeriodo')
      .values([
        period('2026-03-31T22:00:00', '2026-04-01T01:30:00'),
        period('2026-04-02T08:00:00', '2026-04-02T20:15:00'),
      ])
      .execute()
    const { status, body } = await admin.get(`${url}/horas?mes=2026-04`)
    expect(status).toBe(200)
    const dias = Object.fromEntries(
      body.dias.map(({ dia, horas }: { dia: string; horas: number }) => [dia, horas]),
    )
    expect(dias).toMatchObject({ '2026-04-01': 1.5, '2026-04-02': 12.25, '2026-04-03': 0 })
    const csv = String((await admin.get(`${url}/horas.csv`)).body).split('\r\n')
    expect(csv[0]).toBe('\uFEFFInício;Fim;Horas;Tamanho')
    expect(csv[1]).toBe('31/03/2026 22:00:00;01/04/2026 01:30:00;"3,5";F2')
    expect((await admin.get(`${url}/horas?mes=2026-13`)).status).toBe(422)
  })

  test('GET /usuarios/capacidade/:id/horas counts the time between two readings in which the capacity ran', async () => {
    const { url } = await begin()
    const now = suite.app.services.now
    for (const minutes of [0, 1, 2]) {
      await moveClockTo(suite.app, minutes * 60_000)
      await admin.get(`${url}/estado`)
    }
    const periods = await suite.app.db.selectFrom('capacidadePeriodo').selectAll().execute()
    expect(periods.map(({ inicio, fim }) => Math.round((fim.getTime() - inicio.getTime()) / 60_000))).toEqual(
      [2],
    )
    await moveClockTo(suite.app, 20 * 60_000)
    await admin.get(`${url}/estado`)
    expect(await suite.app.db.selectFrom('capacidadePeriodo').selectAll().execute()).toHaveLength(2)
    const { body } = await admin.get(`${url}/horas?mes=${now().toISOString().slice(0, 7)}`)
    expect(body.meses).toHaveLength(12)
  })
})

test('the hours of use do not count the time in which a paused capacity is resized', async () => {
  const { url, resource } = await begin()
  const periods = async () =>
    (await suite.app.db.selectFrom('capacidadePeriodo').selectAll().execute()).map(({ inicio, fim }) =>
      Math.round((fim.getTime() - inicio.getTime()) / 60_000),
    )
  for (const state of ['Paused', 'Scaling', 'Scaling', 'Active', 'Scaling', 'Active', 'Paused'] as const) {
    resource.state = state
    await admin.get(`${url}/estado`)
    await moveClockTo(suite.app, suite.app.clock.offsetMs + 60_000)
  }
  expect(await periods()).toEqual([2])
})

describe('/usuarios/capacidade/:id/autorizados', () => {
  test('an administrator allows and disallows people and profiles, each change audited once', async () => {
    const { url, idCapacidade: id } = await begin()
    const { idUsuario } = await createUser(suite.app, { nomeUsuario: 'Ana' })
    const { idPerfil } = await suite.app.db
      .insertInto('perfil')
      .values({ nomePerfil: 'Gestores' })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
    const person = `${url}/autorizados/pessoas/${idUsuario}`
    const profile = `${url}/autorizados/perfis/${idPerfil}`
    for (const address of [person, person, profile]) expect((await admin.put(address)).status).toBe(204)
    expect((await admin.get(`${url}/autorizados`)).body).toEqual({
      pessoas: [{ idUsuario, nomeUsuario: 'Ana' }],
      perfis: [{ idPerfil, nomePerfil: 'Gestores' }],
    })
    for (const address of [person, profile]) expect((await admin.del(address)).status).toBe(204)
    expect((await admin.get(`${url}/autorizados`)).body).toEqual({ pessoas: [], perfis: [] })
    expect(await audited('capacity.starters-changed')).toMatchObject([
      { objeto: `capacidade:${id}`, detalhes: { idUsuario, pode: true } },
      { detalhes: { idPerfil, pode: true } },
      { detalhes: { idUsuario, pode: false } },
      { detalhes: { idPerfil, pode: false } },
    ])
    expect((await admin.put(`${url}/autorizados/pessoas/999999`)).status).toBe(404)
  })
})
