import { describe, expect, test } from 'vitest'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { capacityWatchSuite, schedule, wednesday } from '../../../test/stand-ins/capacity-watch-suite.ts'

const { suite, look, at, begin, lines, stored, refreshing, starts, pauses } = capacityWatchSuite()

describe('idle time', () => {
  test('the job pauses a capacity that no report has used, and not before', async () => {
    const { resource, idCapacidade } = await begin({ state: 'Active' }, { ociosaMinutos: 30 })
    await at(`${wednesday}T10:00:00`)
    await look()
    for (let minute = 5; minute <= 50; minute += 5) {
      await at(`${wednesday}T10:${String(minute).padStart(2, '0')}:00`)
      if (minute === 20)
        await suite.app.db
          .updateTable('capacidadeEstado')
          .set({ usadaEm: suite.app.services.now() })
          .where('idCapacidade', '=', idCapacidade)
          .execute()
      await look()
      expect(pauses()).toBe(minute < 50 ? 0 : 1)
    }
    expect(resource.state).toBe('Pausing')
    expect(await lines('capacity.pause-requested')).toEqual([
      { idUsuario: null, detalhes: { causa: 'ociosidade' } },
    ])
  })

  test('idle time counts from the start of a capacity that was used before it was paused', async () => {
    const { resource, idCapacidade } = await begin({ state: 'Active' }, { ociosaMinutos: 30 })
    const usadaEm = new Date(suite.app.services.now().getTime() - 24 * 3_600_000)
    await suite.app.db
      .updateTable('capacidadeEstado')
      .set({ usadaEm })
      .where('idCapacidade', '=', idCapacidade)
      .execute()
    await look()
    expect([resource.state, pauses()]).toEqual(['Active', 0])
  })

  test('idle time counts from the start of a capacity that was paused a moment before', async () => {
    const { resource } = await begin({ state: 'Active' }, { ...schedule, ociosaMinutos: 30 })
    await at(`${wednesday}T07:28:00`)
    for (let minute = 0; minute < 30; minute += 5) {
      await look()
      await moveClockTo(suite.app, suite.app.clock.offsetMs + 5 * 60_000)
    }
    await look()
    await moveClockTo(suite.app, suite.app.clock.offsetMs + 60_000)
    expect([resource.state, pauses()]).toEqual(['Pausing', 1])
    // 07:59, 08:00 and 08:01: paused, started by the schedule, active.
    for (const wait of [1, 1, 5, 5, 5, 2, 0]) {
      await look()
      await moveClockTo(suite.app, suite.app.clock.offsetMs + wait * 60_000)
    }
    expect([resource.state, starts(), pauses()]).toEqual(['Active', 1, 1])
    const periods = await suite.app.db
      .selectFrom('capacidadePeriodo')
      .select(['inicio', 'fim'])
      .orderBy('inicio')
      .execute()
    const hours = periods.map(({ inicio, fim }) =>
      [inicio, fim].map((time) => time.toISOString().slice(11, 16)),
    )
    expect(hours).toEqual([
      ['10:28', '10:58'],
      ['11:01', '11:18'],
    ])
  })

  test('the job pauses a capacity without a limit after an hour if a reader started it', async () => {
    const { idCapacidade } = await begin({ state: 'Active' })
    await look()
    const changeMinutes = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        await moveClockTo(suite.app, suite.app.clock.offsetMs + 60_000)
        await look()
      }
    }
    await changeMinutes(70)
    expect(pauses()).toBe(0)
    await suite.app.db
      .updateTable('capacidadeEstado')
      .set({ iniciadaPor: 'abertura', usadaEm: suite.app.services.now() })
      .where('idCapacidade', '=', idCapacidade)
      .execute()
    await changeMinutes(59)
    expect(pauses()).toBe(0)
    await changeMinutes(2)
    expect(pauses()).toBe(1)
  })

  test('the job pauses nothing that is used while the refreshes are read', async () => {
    const { resource, idCapacidade } = await begin({ state: 'Active' }, { ociosaMinutos: 30 })
    for (let minute = 0; minute < 30; minute += 1) {
      await look()
      await moveClockTo(suite.app, suite.app.clock.offsetMs + 60_000)
    }
    const held = suite.provider.hold('refreshes')
    const looked = look()
    const release = await held
    await suite.app.db
      .updateTable('capacidadeEstado')
      .set({ usadaEm: suite.app.services.now() })
      .where('idCapacidade', '=', idCapacidade)
      .execute()
    release()
    await looked
    expect([resource.state, pauses(), (await stored()).ocupadaAte]).toEqual(['Active', 0, null])
  })

  test('the job pauses nothing without a limit, and nothing while data are being refreshed', async () => {
    const { idCapacidade } = await begin({ state: 'Active' })
    await look()
    const lookUntil = async (until: number) => {
      for (let minute = 1; minute <= until; minute += 1) {
        await moveClockTo(suite.app, suite.app.clock.offsetMs + 60_000)
        await look()
      }
    }
    await lookUntil(20)
    await suite.app.db
      .updateTable('capacidade')
      .set({ ociosaMinutos: 15 })
      .where('idCapacidade', '=', idCapacidade)
      .execute()
    refreshing()
    await lookUntil(3)
    expect(pauses()).toBe(0)
    expect(await lines('capacity.pause-withheld')).toMatchObject([{ detalhes: { causa: 'ociosidade' } }])
  })
})
