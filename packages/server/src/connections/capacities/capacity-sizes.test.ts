import { describe, expect, test } from 'vitest'
import { azureRefusals, simulateAzure } from '../../../test/stand-ins/azure-capacities.ts'
import { capacityWatchSuite, schedule, wednesday } from '../../../test/stand-ins/capacity-watch-suite.ts'
import { findKnownCapacity } from './capacity-store.ts'

/* The sizes that the schedule of a capacity sets. */

const { suite, look, at, begin, lines, notifications, stored, starts, pauses } = capacityWatchSuite()

const sizes = { ...schedule, tamanhoInicio: 'F8', tamanhoFim: 'F2' }
const causa = 'agenda'

/** Lets the portal look once a minute, from this time on. */
const every = async (hour: number, minutes: number[]) => {
  for (const minute of minutes) {
    await at(`${wednesday}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:30`)
    await look()
  }
}

test('a capacity starts, grows, and shrinks at the end instead of a pause, once each', async () => {
  const { resource } = await begin({ sku: 'F4' }, sizes)
  await every(8, [0, 1, 2, 3, 4, 5])
  expect([resource.state, resource.sku]).toEqual(['Active', 'F8'])
  await every(19, [0, 1, 2, 3, 4])
  expect([resource.state, resource.sku]).toEqual(['Active', 'F2'])
  expect([starts(), pauses()]).toEqual([1, 0])
  expect(await lines('capacity.resize-requested')).toEqual([
    { idUsuario: null, detalhes: { causa, de: 'F4', para: 'F8' } },
    { idUsuario: null, detalhes: { causa, de: 'F8', para: 'F2' } },
  ])
  expect(await notifications()).toEqual([])
})

test('a size that the capacity has already is not asked for', async () => {
  const { resource } = await begin({ state: 'Active', sku: 'F8' }, sizes)
  await every(8, [0, 1, 2, 3])
  expect([resource.state, await lines('capacity.resize-requested')]).toEqual(['Active', []])
})

test('a size that an ADMIN sets by hand stays until the next moment of the schedule', async () => {
  const { resource, idCapacidade } = await begin({ sku: 'F4' }, sizes)
  await every(8, [0, 1, 2, 3, 4])
  const { db, capacityControl } = suite.app.services
  const known = await findKnownCapacity(db, idCapacidade)
  if (!known) return expect.fail()
  await capacityControl.change(known, { acao: 'REDIMENSIONAR', sku: 'F64' }, { causa: 'manual' })
  await every(8, [6, 7, 8, 30])
  expect(resource.sku).toBe('F64')
  await every(19, [0, 1, 2])
  expect(resource.sku).toBe('F2')
})

test('a size that Azure refuses leaves the capacity running, and is notified once with its cause', async () => {
  const { resource } = await begin({ sku: 'F4' }, sizes)
  await every(8, [0, 1])
  suite.provider.answer('capacityResize', () => azureRefusals.throttled)
  await every(8, [2, 3, 4, 9, 15])
  expect([resource.state, resource.sku]).toEqual(['Active', 'F4'])
  expect(await notifications()).toEqual([
    {
      titulo: 'A capacidade “Capacidade” não mudou de tamanho',
      texto: expect.stringMatching(/chamadas demais/),
    },
  ])
  simulateAzure(suite.provider, [resource])
  await every(8, [21, 22, 23])
  expect([resource.sku, (await stored()).tamanhoFeito?.toISOString()]).toEqual([
    'F8',
    `${wednesday}T11:00:00.000Z`,
  ])
})

test('a size that Azure accepts and does not set is notified after ten minutes, and asked for again', async () => {
  const { resource } = await begin({ state: 'Active', sku: 'F4', changeMs: 3_600_000 }, sizes)
  await every(8, [0, 1])
  // Azure gave up.
  resource.state = 'Active'
  await every(8, [5, 10, 13])
  expect(await notifications()).toMatchObject([{ titulo: 'A capacidade “Capacidade” não mudou de tamanho' }])
  expect(await lines('capacity.resize-requested')).toHaveLength(2)
})

test('a paused capacity takes the size of the end and stays paused', async () => {
  const { resource } = await begin({ sku: 'F4' }, { ...sizes, iniciaAs: null, tamanhoInicio: null })
  await every(19, [0, 1, 2])
  expect([resource.state, resource.sku, starts()]).toEqual(['Paused', 'F2', 0])
})

describe('while Azure refuses the size', () => {
  const begun = async (fields: object = {}) => {
    const registered = await begin({ sku: 'F4' }, { ...sizes, ...fields })
    await every(8, [0, 1])
    suite.provider.answer('capacityResize', () => azureRefusals.throttled)
    await every(8, [2])
    expect(await notifications()).toHaveLength(1)
    return registered
  }

  test('an idle capacity is paused', async () => {
    const { resource } = await begun({ ociosaMinutos: 30 })
    const minutes = Array.from({ length: 57 }, (_, index) => index + 3)
    await every(8, minutes)
    expect([resource.state, pauses()]).toEqual(['Paused', 1])
  })

  test('an idle capacity is paused, too, when Azure accepts the size and does not set it', async () => {
    const azure = { state: 'Active', sku: 'F4', changeMs: 24 * 3_600_000 } as const
    const { resource } = await begin(azure, { ...sizes, ociosaMinutos: 30 })
    await every(8, [0, 1])
    for (let minute = 2; minute < 60 && pauses() === 0; minute += 1) {
      // Azure gives each change up.
      resource.state = 'Active'
      await every(8, [minute])
    }
    expect(pauses()).toBe(1)
  })

  test('the next moment of the schedule is not delayed', async () => {
    await begun({ tamanhoFim: null })
    await every(18, [59])
    const refused = suite.provider.seen.filter(({ method }) => method === 'PATCH').length
    await every(19, [0])
    expect([refused, pauses()]).toEqual([2, 1])
  })

  test('a reader starts the capacity at once', async () => {
    const { resource } = await begun()
    resource.state = 'Paused'
    const { tentarEm, tamanhoTentarEm } = await stored()
    expect([tentarEm, tamanhoTentarEm]).toEqual([null, expect.any(Date)])
  })

  test('a failed pause of the same day is notified once, and the size once', async () => {
    await begun({ ociosaMinutos: 30 })
    suite.provider.answer('capacityPause', () => azureRefusals.forbidden)
    for (let minute = 3; minute < 60; minute += 1) {
      await every(8, [minute])
      await suite.app.db.updateTable('notificacao').set({ lidaEm: new Date() }).execute()
    }
    expect((await notifications()).map(({ titulo }) => titulo)).toEqual([
      'A capacidade “Capacidade” não mudou de tamanho',
      'A capacidade “Capacidade” não foi pausada',
    ])
  })
})
