import { beforeEach, describe, expect, test } from 'vitest'
import { azureIdOf, createCapacity } from '../../../test/connections/capacities.ts'
import { connectedScreen, createKiosk } from '../../../test/distribution/kiosks.ts'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { azureRefusals, type SimulatedAzureCapacity } from '../../../test/stand-ins/azure-capacities.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import { datasetId } from '../../../test/stand-ins/provider-stand-in.ts'
import { createUser } from '../../../test/users.ts'
import { listKnownCapacities } from '../../connections/capacities/capacity-store.ts'
import { Problem } from '../../platform/lib/problem.ts'

const { suite, publish, viewer } = embeddingSuite({ BI_TIMEOUT_SECONDS: '10' })

beforeEach(() => suite.app.services.capacityGate.forget())

const embed = '/usuarios/relatorio/embed'
const background = { 'x-segundo-plano': '1' }
const starts = () => suite.provider.seen.filter(({ path }) => path.includes('/resume')).length

/** A granted report on a paused capacity that starts at 08:00 from Monday to Friday. */
const begin = async (
  azure: Partial<SimulatedAzureCapacity> = {},
  tipoRelatorio: 'INTERATIVO' | 'PAGINADO' = 'INTERATIVO',
) => {
  const { connection, workspace, report, address } = await publish({ tipoRelatorio })
  const resource: SimulatedAzureCapacity = {
    id: azureIdOf(),
    sku: 'F2',
    state: 'Paused',
    capacityId: 'c',
    ...azure,
  }
  const reportType = tipoRelatorio === 'PAGINADO' ? 'PaginatedReport' : 'PowerBIReport'
  const reports = [{ id: report.reportId, name: 'Custos', reportType, datasetId }]
  simulateTenant(suite.provider, {
    workspaces: [{ id: workspace.idGrupo, name: 'Saúde', capacityId: 'c', reports }],
    azure: [resource],
  })
  const capacity = await createCapacity(suite.app, {
    idPowerBi: connection.idPowerBi,
    recurso: resource.id,
    diasAgenda: ['segunda', 'terca', 'quarta', 'quinta', 'sexta'],
    iniciaAs: '08:00',
  })
  return { connection, report, address, resource, capacity, person: await viewer(report.idRelatorio) }
}

type Begun = Awaited<ReturnType<typeof begin>>

const allow = ({ capacity, person }: Begun) =>
  suite.app.db
    .insertInto('capacidadePessoa')
    .values({ idCapacidade: capacity.idCapacidade, idUsuario: person.user.idUsuario })
    .execute()

const allowProfile = async ({ capacity, person }: Begun) => {
  const { idPerfil } = await suite.app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'Gestores' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await suite.app.db
    .insertInto('perfilUsuario')
    .values({ idPerfil, idUsuario: person.user.idUsuario })
    .execute()
  await suite.app.db
    .insertInto('capacidadePerfil')
    .values({ idCapacidade: capacity.idCapacidade, idPerfil })
    .execute()
}

const stored = () => suite.app.db.selectFrom('capacidadeEstado').selectAll().executeTakeFirstOrThrow()

/** Lets the processes forget, and Azure finish. */
const later = (seconds: number) => moveClockTo(suite.app, suite.app.clock.offsetMs + seconds * 1_000)

describe('POST /usuarios/relatorio/embed with a paused capacity', () => {
  test.each(['Suspended', 'Failed'] as const)(
    'POST /usuarios/relatorio/embed with a paused capacity does not start one that Azure made %s',
    async (state) => {
      const begun = await begin({ state })
      await allow(begun)
      const { status, body } = await begun.person.post(embed, begun.address)
      expect([status, body.codigo, body.detail]).toEqual([
        503,
        'bi_pausado',
        'A capacidade do serviço de BI foi parada pelo Azure e não pode ser iniciada pelo portal. Avise um administrador.',
      ])
      expect([starts(), begun.resource.state]).toEqual([0, state])
    },
  )

  test.each([
    ['a person', allow],
    ['the member of a profile', allowProfile],
  ])(
    'POST /usuarios/relatorio/embed with a paused capacity starts it for %s whom the ADMIN allowed, and then opens the report',
    async (_, permit) => {
      const begun = await begin()
      await permit(begun)
      const { address, person, capacity, resource } = begun
      const first = await person.post(embed, address)
      expect([first.status, first.body.codigo, first.headers['retry-after']]).toEqual([
        503,
        'capacidade_iniciando',
        '10',
      ])
      expect(resource.state).toBe('Resuming')
      expect(await stored()).toMatchObject({ iniciadaPor: 'abertura', usadaEm: expect.any(Date) })
      await later(10)
      expect((await person.post(embed, address, background)).status).toBe(200)
      expect(starts()).toBe(1)
      const lines = await suite.app.db
        .selectFrom('auditoria')
        .select(['idUsuario', 'objeto', 'detalhes'])
        .where('acao', '=', 'capacity.start-requested')
        .execute()
      expect(lines).toEqual([
        {
          idUsuario: person.user.idUsuario,
          objeto: `capacidade:${capacity.idCapacidade}`,
          detalhes: { causa: 'abertura' },
        },
      ])
    },
  )

  test('POST /usuarios/relatorio/embed with a paused capacity is told as starting to other readers too, who do not start it again', async () => {
    const begun = await begin({ changeMs: 60_000 })
    await allow(begun)
    await begun.person.post(embed, begun.address)
    const other = await viewer(begun.report.idRelatorio)
    for (const { post } of [other, begun.person]) {
      await later(6)
      expect((await post(embed, begun.address)).body.codigo).toBe('capacidade_iniciando')
    }
    expect(starts()).toBe(1)
  })

  test('POST /usuarios/relatorio/embed with a paused capacity is not started again because of a reading from before the start', async () => {
    const begun = await begin()
    await allow(begun)
    const open = async () => (await begun.person.post(embed, begun.address)).body.codigo
    await open()
    suite.provider.answer('capacity', () => ({ body: { properties: { state: 'Paused' } } }))
    await later(6)
    expect([await open(), starts()]).toEqual(['capacidade_iniciando', 1])
    expect((await stored()).estado).toBe('INICIANDO')
    begun.resource.state = 'Paused'
    await later(120)
    expect([await open(), starts()]).toEqual(['capacidade_iniciando', 2])
  })

  test('POST /usuarios/relatorio/embed with a paused capacity tells a person who may not start it when it starts and whom to ask', async () => {
    const { address, person, capacity } = await begin()
    const { status, body } = await person.post(embed, address)
    expect([status, body.codigo]).toEqual([503, 'bi_pausado'])
    expect(body.detail).toMatch(
      /^A capacidade do serviço de BI está pausada\. Ela inicia (hoje|em \d\d\/\d\d\/\d{4}) às 08:00, e o relatório abre sozinho\. Para abrir antes, peça a um administrador\.$/,
    )
    await suite.app.db
      .updateTable('capacidade')
      .set({ diasAgenda: [] })
      .where('idCapacidade', '=', capacity.idCapacidade)
      .execute()
    suite.app.services.capacityGate.forget()
    expect((await person.post(embed, address)).body.detail).toMatch(/não tem hora para iniciar/)
    expect(starts()).toBe(0)
  })

  test('POST /usuarios/relatorio/embed with a paused capacity is not started by a prefetch, nor when the page asks again by itself', async () => {
    const begun = await begin()
    await allow(begun)
    const { body } = await begun.person.post(embed, begun.address, background)
    expect([body.codigo, starts()]).toEqual(['bi_pausado', 0])
    expect(body.detail).toMatch(/Tentar novamente para iniciá-la/)
  })

  test('POST /usuarios/relatorio/embed with a paused capacity is not started for a person to whom the report is not granted', async () => {
    const begun = await begin()
    const stranger = await createUser(suite.app)
    await suite.app.db
      .insertInto('capacidadePessoa')
      .values({ idCapacidade: begun.capacity.idCapacidade, idUsuario: stranger.idUsuario })
      .execute()
    const { post } = await suite.app.as(stranger)
    expect((await post(embed, begun.address)).status).toBe(403)
    expect(starts()).toBe(0)
  })

  test('POST /usuarios/relatorio/embed with a paused capacity says that it did not start, and notifies each ADMIN once a day', async () => {
    const begun = await begin()
    await allow(begun)
    await createUser(suite.app, { tipoUsuario: 'ADMIN' })
    suite.provider.answer('capacityStart', () => azureRefusals.forbidden)
    for (const _ of [1, 2]) {
      const { body } = await begun.person.post(embed, begun.address)
      expect([body.codigo, body.detail]).toEqual([
        'bi_pausado',
        expect.stringMatching(/não conseguiu iniciá-la\. Os administradores foram avisados/),
      ])
      await suite.app.db.updateTable('notificacao').set({ lidaEm: new Date() }).execute()
    }
    // The second opening came within five minutes.
    expect(starts()).toBe(1)
    const told = await suite.app.db
      .selectFrom('notificacao')
      .select(['titulo', 'texto', 'rota'])
      .where('titulo', 'like', 'A capacidade%')
      .execute()
    expect(told).toEqual([
      {
        titulo: 'A capacidade “Capacidade” não iniciou',
        texto: expect.stringMatching(/papel de Colaborador/),
        rota: `/cadastrar-capacidade/${begun.capacity.idCapacidade}`,
      },
    ])
    await later(301)
    await begun.person.post(embed, begun.address)
    expect(starts()).toBe(2)
  })

  test('POST /usuarios/relatorio/embed with a paused capacity tells a person whose session ended that it ended, and tells no ADMIN', async () => {
    const begun = await begin()
    await createUser(suite.app, { tipoUsuario: 'ADMIN' })
    await begun.person.post(embed, begun.address)
    const [capacity] = await listKnownCapacities(suite.app.db)
    if (!capacity) return expect.fail()
    const opened = suite.app.services.capacityGate.assertRunning({
      idPowerBi: capacity.idPowerBi,
      user: { idUsuario: begun.person.user.idUsuario, tipo: 'ADMIN' },
      isUserActivity: true,
      begin: () => Promise.reject(new Problem('sessao_encerrada')),
    })
    await expect(opened).rejects.toMatchObject({ codigo: 'sessao_encerrada' })
    const titles = await suite.app.db.selectFrom('notificacao').select('titulo').execute()
    expect(titles.filter(({ titulo }) => titulo.startsWith('A capacidade'))).toEqual([])
  })

  test('POST /usuarios/relatorio/embed with a paused capacity opens the report when Azure cannot be asked and Power BI answers', async () => {
    const { address, person, resource } = await begin()
    await person.post(embed, address)
    resource.state = 'Active'
    suite.provider.answer('capacity', () => azureRefusals.forbidden)
    await later(6)
    expect((await person.post(embed, address)).status).toBe(200)
  })

  test('POST /usuarios/relatorio/embed with a paused capacity is not opened with a shared token that was issued before the pause', async () => {
    const begun = await begin({ state: 'Active' })
    const { address, person, resource } = begun
    expect((await person.post(embed, address)).status).toBe(200)
    resource.state = 'Paused'
    const { capacityControl } = suite.app.services
    for (const known of await listKnownCapacities(suite.app.db)) await capacityControl.refresh(known, 0)
    await later(6)
    expect((await person.post(embed, address)).body.codigo).toBe('bi_pausado')
  })
})

test('no refresh is started while its capacity is being paused', async () => {
  const { capacity, report } = await begin({ state: 'Active', changeMs: 60_000 })
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  const refused = async () => {
    const { status, body } = await admin.post(`/usuarios/relatorio/${report.idRelatorio}/dados/atualizacoes`)
    expect([status, body.codigo]).toEqual([409, 'capacidade_ocupada'])
    expect(body.detail).toMatch(/está sendo pausada/)
  }
  const held = suite.provider.hold('refreshes')
  const pausing = admin.post(`/usuarios/capacidade/${capacity.idCapacidade}/pausar`)
  const release = await held
  await refused()
  release()
  expect((await pausing).body.estado).toBe('PAUSANDO')
  await refused()
  expect(
    suite.provider.seen.some(({ method, path }) => method === 'POST' && path.endsWith('/refreshes')),
  ).toBe(false)
  // A refused request is no request.
  const requests = suite.app.db.selectFrom('auditoria').where('acao', '=', 'data.refresh-requested')
  expect(await requests.select('idAuditoria').execute()).toEqual([])
})

test('no pause is sent while a refresh that the portal asked for may not be in the history yet', async () => {
  const { capacity, report } = await begin({ state: 'Active' })
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  const pause = () => admin.post(`/usuarios/capacidade/${capacity.idCapacidade}/pausar`)
  const refused = async () => {
    const { status, body } = await pause()
    expect([status, body.codigo]).toEqual([409, 'capacidade_atualizando'])
    expect(body.detail).toMatch(/^Uma atualização de dados foi pedida no portal às \d\d:\d\d/)
  }
  const held = suite.provider.hold('startRefresh')
  const refreshing = admin.post(`/usuarios/relatorio/${report.idRelatorio}/dados/atualizacoes`)
  const release = await held
  await refused()
  release()
  expect((await refreshing).status).toBeLessThan(300)
  await later(60)
  await refused()
  await later(180)
  expect((await pause()).body.estado).toBe('PAUSANDO')
})

test("a paused capacity is started by an ADMIN who opens a report as another person, and not by the ADMIN's page", async () => {
  const { address, person } = await begin()
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  const url = `/usuarios/${person.user.idUsuario}/ver-como`
  expect((await admin.post(url, address, background)).body.codigo).toBe('bi_pausado')
  expect(starts()).toBe(0)
  const { body, headers } = await admin.post(url, address)
  expect([body.codigo, headers['retry-after']]).toEqual(['capacidade_iniciando', '10'])
  await later(10)
  expect((await admin.post(url, address, background)).status).toBe(200)
  expect(starts()).toBe(1)
})

test.each(['INTERATIVO', 'PAGINADO'] as const)(
  'an open report (%s) notes the use of its capacity, at most once a minute',
  async (tipo) => {
    const { address, person, report } = await begin({ state: 'Active' }, tipo)
    const used = async () =>
      (await suite.app.db.selectFrom('capacidadeEstado').select('usadaEm').executeTakeFirstOrThrow()).usadaEm
    expect(await used()).toBeNull()
    await person.post(embed, address)
    const first = await used()
    expect(first).toBeInstanceOf(Date)
    await later(20)
    await person.get(`/usuarios/relatorio/${report.idRelatorio}/dados`)
    expect(await used()).toEqual(first)
    await later(60)
    await person.get(`/usuarios/relatorio/${report.idRelatorio}/dados`)
    expect((await used())?.getTime()).toBeGreaterThan(first?.getTime() ?? Number.POSITIVE_INFINITY)
  },
)

test('waiting for a capacity does not count as an error of the report', async () => {
  const begun = await begin()
  const { address, person } = begun
  expect((await person.post(embed, address)).body.codigo).toBe('bi_pausado')
  await allow(begun)
  await later(6)
  expect((await person.post(embed, address)).body.codigo).toBe('capacidade_iniciando')
  expect(await suite.app.db.selectFrom('usoEvento').selectAll().execute()).toEqual([])
})

describe('POST /telao/paginas/:id/embed with a paused capacity', () => {
  test('POST /telao/paginas/:id/embed with a paused capacity starts nothing and notes no use, names no person, and opens once the capacity runs', async () => {
    const { report, resource } = await begin()
    const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Gestora Lima' })
    const { idTelao, pages } = await createKiosk(suite.app, [report.idRelatorio])
    const credential = await connectedScreen(suite.app, { idTelao, conectadaPor: admin.idUsuario })
    const screen = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
    const open = () => screen.post(`/telao/paginas/${pages[0]}/embed`)
    const { status, body } = await open()
    expect([status, body.codigo]).toEqual([503, 'bi_pausado'])
    expect(body.detail).toMatch(/^A capacidade do serviço de BI está pausada\. Ela inicia /)
    expect(JSON.stringify(body)).not.toContain('Gestora')
    expect([starts(), resource.state]).toEqual([0, 'Paused'])
    resource.state = 'Active'
    await later(30)
    expect((await open()).status).toBe(200)
    expect((await stored()).usadaEm).toBeNull()
  })
})
