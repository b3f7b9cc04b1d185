import { beforeEach, describe, expect, test } from 'vitest'
import { ageSessions, expectReauthenticationDemanded } from '../../../test/accounts/old-session.ts'
import { azureIdOf } from '../../../test/connections/capacities.ts'
import { createConnection } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { registerSimulatedCapacity } from '../../../test/stand-ins/simulated-capacity.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/*
 * The kind of fault: an action with an effect outside the portal (every report of a capacity stops, or
 * its cost rises) needed no proof, neither at once nor by a schedule that does it later.
 */

const { suite } = embeddingSuite({ BI_TIMEOUT_SECONDS: '10' })
let admin: Awaited<ReturnType<TestApp['as']>>
let idPowerBi: number
beforeEach(async () => {
  admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  idPowerBi = (await createConnection(suite.app)).idPowerBi
})

const path = '/usuarios/capacidade'
const schedule = { diasAgenda: ['segunda'], iniciaAs: '08:00', pausaAs: '19:00' }
const draft = (fields = {}) => ({ nome: 'Produção', idPowerBi, recurso: azureIdOf(), ...fields })
const confirm = async () =>
  expect((await admin.post('/conta/confirmacao', { senha: password })).status).toBe(204)

test('in an old session, a capacity is not paused or resized, and is started', async () => {
  const resource = { id: azureIdOf(), sku: 'F2', state: 'Active' } as const
  const { idCapacidade } = await registerSimulatedCapacity(suite, resource)
  const url = `${path}/${idCapacidade}`
  ageSessions(suite.app)
  suite.provider.seen.length = 0
  expectReauthenticationDemanded(await admin.post(`${url}/pausar`))
  expectReauthenticationDemanded(await admin.post(`${url}/redimensionar`, { sku: 'F8' }))
  expect(suite.provider.seen).toEqual([])
  await confirm()
  expect((await admin.post(`${url}/pausar`)).status).toBe(200)
  suite.app.clock.offsetMs += 11 * 60_000
  expect((await admin.post(`${url}/iniciar`)).status).toBe(200)
})

describe('in an old session, the schedule of a capacity', () => {
  test.each<[string, object, object]>([
    ['is not begun', {}, schedule],
    ['is not ended', schedule, { iniciaAs: null, pausaAs: null }],
    ['keeps its hours', schedule, { pausaAs: '08:30' }],
    ['keeps its days', schedule, { diasAgenda: ['segunda', 'terca'] }],
    ['keeps its holidays', schedule, { feriados: ['2999-12-25'] }],
    ['keeps its size', schedule, { tamanhoInicio: 'F64' }],
    ['is not replaced by another size', schedule, { tamanhoFim: 'F2' }],
    ['does not begin to pause an idle capacity', {}, { ociosaMinutos: 15 }],
    ['does not move to another resource', schedule, { recurso: azureIdOf() }],
  ])('in an old session, the schedule of a capacity %s', async (_, before, change) => {
    const { body: capacity } = await admin.post(path, draft(before))
    const url = `${path}/${capacity.idCapacidade}`
    ageSessions(suite.app)
    expectReauthenticationDemanded(await admin.put(url, { ...capacity, ...change }))
    expect((await admin.get(url)).body).toEqual(capacity)
    await confirm()
    expect((await admin.put(url, { ...capacity, ...change })).status).toBe(200)
  })

  test('in an old session, the schedule of a capacity is not registered with a new capacity, nor deleted with its capacity', async () => {
    const { body: capacity } = await admin.post(path, draft(schedule))
    ageSessions(suite.app)
    expectReauthenticationDemanded(await admin.del(`${path}/${capacity.idCapacidade}`))
    const other = (await createConnection(suite.app)).idPowerBi
    expectReauthenticationDemanded(await admin.post(path, draft({ ...schedule, idPowerBi: other })))
    expect((await admin.get(path)).body).toHaveLength(1)
  })

  test('in an old session, the schedule of a capacity is left alone by other changes', async () => {
    const { body: capacity } = await admin.post(path, draft(schedule))
    ageSessions(suite.app)
    const renamed = { ...capacity, nome: 'Outro nome' }
    expect((await admin.put(`${path}/${capacity.idCapacidade}`, renamed)).status).toBe(200)
    const other = (await createConnection(suite.app)).idPowerBi
    const { status, body: idle } = await admin.post(path, draft({ idPowerBi: other }))
    expect(status).toBe(201)
    const moved = { ...idle, recurso: azureIdOf() }
    expect((await admin.put(`${path}/${idle.idCapacidade}`, moved)).status).toBe(200)
    expect((await admin.del(`${path}/${idle.idCapacidade}`)).status).toBe(204)
  })
})
