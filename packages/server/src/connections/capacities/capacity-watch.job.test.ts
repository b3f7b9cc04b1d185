import { describe, expect, test } from 'vitest'
import { azureRefusals, type SimulatedAzureCapacity } from '../../../test/stand-ins/azure-capacities.ts'
import { capacityWatchSuite, schedule, wednesday } from '../../../test/stand-ins/capacity-watch-suite.ts'
import { simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import { createUser } from '../../../test/users.ts'
import { setTestRestore } from '../../platform/installation/test-environment.ts'
import { findKnownCapacity } from './capacity-store.ts'

const { suite, look, at, begin, lines, notifications, stored, refreshing, starts, pauses } =
  capacityWatchSuite()

describe('the schedule', () => {
  test('the schedule starts a capacity in the morning and pauses it in the evening, once each', async () => {
    const { resource } = await begin({}, schedule)
    await look()
    expect(resource.state).toBe('Paused')
    for (const time of ['08:00:30', '08:01:30', '08:02:30']) {
      await at(`${wednesday}T${time}`)
      await look()
    }
    expect(resource.state).toBe('Active')
    for (const time of ['19:00:30', '19:01:30', '19:02:30']) {
      await at(`${wednesday}T${time}`)
      await look()
    }
    expect(resource.state).toBe('Paused')
    expect([starts(), pauses()]).toEqual([1, 1])
    const causa = 'agenda'
    expect(await lines('capacity.start-requested')).toEqual([{ idUsuario: null, detalhes: { causa } }])
    expect(await lines('capacity.pause-requested')).toEqual([{ idUsuario: null, detalhes: { causa } }])
  })

  test("the schedule changes nothing in a test restore, which knows production's credentials", async () => {
    const { idCapacidade } = await begin({}, schedule)
    const moment = new Date().toISOString()
    await setTestRestore(suite.app.db, { restauradaEm: moment, copiaDe: moment, bucket: null })
    await at(`${wednesday}T08:30:00`)
    await look()
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    const answer = await admin.post(`/usuarios/capacidade/${idCapacidade}/iniciar`)
    expect([answer.status, answer.body.codigo]).toEqual([409, 'ambiente_de_ensaio'])
    expect(starts()).toBe(0)
  })

  test.each([
    ['a day that is not in it', '2027-03-11', {}],
    ['a holiday', wednesday, { feriados: [wednesday] }],
  ])('the schedule starts nothing on %s', async (_, day, fields) => {
    await begin({}, { ...schedule, ...fields })
    await at(`${day}T08:30:00`)
    await look()
    expect(starts()).toBe(0)
  })

  test('the schedule makes up for a start that the portal missed, but not for one before the capacity was registered', async () => {
    const { resource } = await begin({}, schedule)
    await at(`${wednesday}T15:00:00`)
    await look()
    expect(resource.state).toBe('Resuming')
    await at('2027-03-12T12:00:00')
    await suite.app.db.deleteFrom('capacidade').execute()
    const later = await begin({}, schedule)
    await at('2027-03-12T12:02:00')
    await look()
    expect(later.resource.state).toBe('Paused')
  })

  test('the schedule leaves a capacity alone that a person paused after it had started', async () => {
    const { resource } = await begin({}, schedule)
    for (const minute of ['01', '02']) {
      await at(`${wednesday}T08:${minute}:00`)
      await look()
    }
    resource.state = 'Paused'
    await at(`${wednesday}T08:10:00`)
    await look()
    await at(`${wednesday}T08:12:00`)
    await look()
    expect(starts()).toBe(1)
  })

  test('the schedule is carried out by one of several processes that run at once', async () => {
    await begin({ changeMs: 60_000 }, schedule)
    await at(`${wednesday}T08:00:30`)
    await Promise.all([look(), look(), look()])
    expect(starts()).toBe(1)
    expect(await lines('capacity.start-requested')).toHaveLength(1)
  })

  test('the schedule waits with the pause while data are being refreshed, and says so', async () => {
    const { resource } = await begin({ state: 'Active' }, schedule)
    refreshing()
    for (const minute of ['01', '02', '07', '13']) {
      await at(`${wednesday}T19:${minute}:00`)
      await look()
    }
    expect([resource.state, pauses()]).toEqual(['Active', 0])
    expect((await stored()).naoPausada).toMatch(/“Custos”.* está em andamento desde as/)
    expect(await lines('capacity.pause-withheld')).toMatchObject([
      { idUsuario: null, detalhes: { causa: 'agenda', motivo: expect.stringMatching(/em andamento/) } },
    ])
    expect(await notifications()).toEqual([])
    suite.provider.answer('refreshes', () => ({ body: { value: [] } }))
    await at(`${wednesday}T19:20:00`)
    await look()
    expect([resource.state, pauses(), (await stored()).naoPausada]).toEqual(['Pausing', 1, null])
  })

  test('the schedule does not pause when refreshes cannot be read, and notifies administrators once a day', async () => {
    const { resource } = await begin({ state: 'Active' }, schedule)
    suite.provider.answer('refreshes', () => ({ status: 403, body: {} }))
    for (const minute of ['01', '07', '13']) {
      await at(`${wednesday}T19:${minute}:00`)
      await look()
      await suite.app.db.updateTable('notificacao').set({ lidaEm: new Date() }).execute()
    }
    expect(resource.state).toBe('Active')
    expect(await notifications()).toEqual([
      {
        titulo: 'A capacidade “Capacidade” não foi pausada',
        texto: expect.stringMatching(/não conseguiu ver se uma atualização de dados está em andamento/),
      },
    ])
  })
})

describe('a change that Azure accepts and does not carry out', () => {
  const every = async (minutes: number[], hour: string) => {
    for (const minute of minutes) {
      await at(`${wednesday}T${hour}:${String(minute).padStart(2, '0')}:00`)
      await look()
    }
  }

  test('the watch notifies administrators once after ten minutes, and sends the change again until the state comes', async () => {
    const { resource } = await begin({ changeMs: 3_600_000 }, schedule)
    await every([1, 5, 10], '08')
    expect([starts(), await notifications()]).toEqual([1, []])
    await every([12, 18], '08')
    expect([starts(), (await stored()).agendaFeita?.toISOString()]).toEqual([
      1,
      expect.stringContaining('T09:00'),
    ])
    await suite.app.db.updateTable('notificacao').set({ lidaEm: new Date() }).execute()
    // Azure gave up.
    resource.state = 'Paused'
    await every([20, 25, 31], '08')
    expect([starts(), resource.state]).toEqual([2, 'Resuming'])
    expect(await notifications()).toEqual([
      {
        titulo: 'A capacidade “Capacidade” não iniciou',
        texto: expect.stringMatching(/não ficou ativa em 10 minutos/),
      },
    ])
    resource.state = 'Active'
    await every([32, 33], '08')
    expect((await stored()).agendaFeita?.toISOString()).toContain('T11:00')
  })

  test('a change that Azure accepts and does not carry out is taken out of the bell when the state comes', async () => {
    const { resource } = await begin({ changeMs: 3_600_000 }, schedule)
    const unread = async () =>
      (await suite.app.db.selectFrom('notificacao').select('titulo').where('lidaEm', 'is', null).execute())
        .length
    await every([1, 12], '08')
    expect(await unread()).toBe(1)
    resource.state = 'Active'
    await every([20], '08')
    expect(await unread()).toBe(0)
  })

  test('a change that Azure accepts and does not carry out is not sent again when a person decides otherwise', async () => {
    const { resource, idCapacidade } = await begin({ state: 'Active' }, schedule)
    await every([0], '18')
    await every([1], '19')
    const { db, capacityControl } = suite.app.services
    const known = await findKnownCapacity(db, idCapacidade)
    if (!known) return expect.fail()
    const paused = await capacityControl.refresh(known, 0)
    expect(paused.estado).toBe('PAUSADA')
    await capacityControl.change(paused, { acao: 'INICIAR' }, { causa: 'abertura' })
    await every([2, 3, 13, 14], '19')
    expect([resource.state, pauses()]).toEqual(['Active', 1])
  })

  test('a change that Azure accepts and does not carry out is sent again for a pause, too', async () => {
    const { resource } = await begin({ state: 'Active', changeMs: 3_600_000 }, schedule)
    await every([0], '18')
    await every([1], '19')
    resource.state = 'Active'
    await every([2, 12, 13], '19')
    expect(pauses()).toBe(2)
    expect(await notifications()).toMatchObject([{ titulo: 'A capacidade “Capacidade” não foi pausada' }])
  })
})

describe('a start that Azure refuses', () => {
  test('a start that Azure refuses notifies administrators once with the cause, and is retried until it succeeds', async () => {
    const { resource } = await begin({}, schedule)
    suite.provider.answer('capacityStart', () => azureRefusals.throttled)
    for (const minute of ['01', '02', '03', '04', '05', '07']) {
      await at(`${wednesday}T08:${minute}:00`)
      await look()
    }
    expect(starts()).toBe(2)
    expect(await notifications()).toEqual([
      {
        titulo: 'A capacidade “Capacidade” não iniciou',
        texto: expect.stringMatching(/chamadas demais/),
      },
    ])
    expect(await lines('capacity.action-failed')).toHaveLength(2)
    simulateAgain(resource)
    await at(`${wednesday}T08:15:00`)
    await look()
    expect(resource.state).toBe('Resuming')
  })

  test('a start that Azure refuses notifies administrators when the state cannot be read', async () => {
    await begin({ refusal: azureRefusals.forbidden }, schedule)
    await at(`${wednesday}T08:01:00`)
    await look()
    expect(await notifications()).toEqual([
      {
        titulo: 'A capacidade “Capacidade” não pode ser lida',
        texto: expect.stringMatching(/papel de Colaborador/),
      },
    ])
    expect((await stored()).falha).toMatch(/papel de Colaborador/)
  })

  const unread = async () =>
    (
      await suite.app.db
        .selectFrom('notificacao')
        .select('titulo')
        .where('lidaEm', 'is', null)
        .orderBy('idNotificacao')
        .execute()
    ).map(({ titulo }) => titulo)

  test('a start that Azure refuses stays in the bell when the pause of the day finds the capacity paused', async () => {
    await begin({}, schedule)
    suite.provider.answer('capacityStart', () => azureRefusals.throttled)
    await at(`${wednesday}T08:01:00`)
    await look()
    await at(`${wednesday}T19:01:00`)
    await look()
    expect((await stored()).agendaFeita?.toISOString()).toContain('T22:00')
    expect(await unread()).toEqual(['A capacidade “Capacidade” não iniciou'])
  })

  test('a state that could not be read is taken out of the bell when it can, before any moment is due', async () => {
    const { resource } = await begin({ refusal: azureRefusals.forbidden }, { ...schedule, iniciaAs: null })
    await at(`${wednesday}T19:01:00`)
    await look()
    expect(await unread()).toEqual(['A capacidade “Capacidade” não pode ser lida'])
    simulateAgain({ ...resource, state: 'Active', refusal: undefined })
    await at(`${wednesday}T19:07:00`)
    await look()
    expect(await unread()).not.toContain('A capacidade “Capacidade” não pode ser lida')
  })
})

describe('a capacity that the portal cannot change', () => {
  const lookAt = async (...minutes: number[]) => {
    for (const minute of minutes) {
      await at(`${wednesday}T10:${minute}:00`)
      await look()
    }
  }
  const titles = async () => (await notifications()).map(({ titulo }) => titulo)

  test('a capacity that the portal cannot change notifies administrators once when its state cannot be read for ten minutes', async () => {
    const { resource } = await begin({ state: 'Active' }, { ociosaMinutos: 30 })
    await lookAt(10)
    resource.refusal = azureRefusals.forbidden
    await lookAt(11, 19)
    expect(await titles()).toEqual([])
    await lookAt(21, 22, 30)
    expect(await titles()).toEqual(['A capacidade “Capacidade” não pode ser lida'])
  })

  test.each(['Suspended', 'Failed', 'Unheard'])(
    'a capacity that the portal cannot change notifies administrators once in the state %s',
    async (state) => {
      await begin({ state: 'Active' }, { ociosaMinutos: 30 })
      suite.provider.answer('capacity', () => ({ body: { properties: { state } } }))
      await lookAt(10, 11, 20)
      expect(await titles()).toEqual(['A capacidade “Capacidade” não pode ser iniciada nem pausada'])
    },
  )

  test('a capacity that the portal cannot change sends no notification without a schedule and a limit', async () => {
    await begin({ refusal: azureRefusals.forbidden })
    await lookAt(10, 30)
    expect(await titles()).toEqual([])
  })
})

const simulateAgain = (resource: SimulatedAzureCapacity) =>
  simulateTenant(suite.provider, { workspaces: [], azure: [resource] })
