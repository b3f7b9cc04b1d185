import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'

/* Calls are counted per user too, so that more sessions do not allow more calls. */

const perSession = 30
const perPerson = 60

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: String(perSession) })
let minuteStart = 0
beforeEach(() => {
  // Starts a new minute for each test.
  minuteStart += 61_000
  app.clock.offsetMs = minuteStart
})

type Session = Awaited<ReturnType<TestApp['as']>>
const sessionsOf = async (person: Awaited<ReturnType<typeof createUser>>, count: number) => {
  const sessions: Session[] = []
  for (let n = 0; n < count; n += 1) sessions.push(await app.as(person))
  return sessions
}

/** The statuses of `each` calls of every session. */
const statusesOf = async (sessions: Session[], each: number, url: string): Promise<number[]> => {
  const statuses: number[] = []
  for (let n = 0; n < each; n += 1) for (const { get } of sessions) statuses.push((await get(url)).status)
  return statuses
}
const countOf = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe('calls of a user', () => {
  test('calls of a user are refused with 429 beyond the limit of all sessions together; another user is unaffected', async () => {
    const person = await createUser(app)
    const sessions = await sessionsOf(person, 5)
    const statuses = await statusesOf(sessions, 20, '/usuarios/sessao')
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([perPerson, 100 - perPerson])
    const refused = await sessions[0]?.get('/usuarios/sessao')
    expect([refused?.status, refused?.body.codigo]).toEqual([429, 'muitas_tentativas'])
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    const other = await app.as(await createUser(app))
    expect((await other.get('/usuarios/sessao')).status).toBe(200)
    app.clock.offsetMs += 61_000
    expect((await sessions[0]?.get('/usuarios/sessao'))?.status).toBe(200)
  })

  test('calls of a user are not counted while they come from outside the networks of the role', async () => {
    const [first, second, third] = await sessionsOf(await createUser(app), 3)
    if (!first || !second || !third) throw new Error('There are not three sessions.')
    const setNetworks = (redesUsuario: string[]) =>
      app.db.updateTable('configuracao').set({ redesUsuario }).execute()
    await setNetworks(['192.0.2.0/24'])
    const statuses = await statusesOf([first, second], perSession, '/usuarios/sessao')
    await setNetworks([])
    expect(countOf(statuses, 403)).toBe(perPerson)
    expect((await third.get('/usuarios/sessao')).status).toBe(200)
  })

  test('calls of a user are counted together by two processes', async () => {
    const sessions = await sessionsOf(await createUser(app), 4)
    const second = await app.anotherServer()
    let answered = 0
    for (let n = 0; n < 100; n += 1) {
      const headers = { authorization: `Bearer ${sessions[n % 4]?.token}` }
      const { statusCode } = await (n % 8 < 4 ? app.app : second).inject({
        url: '/api/usuarios/sessao',
        headers,
      })
      if (statusCode === 200) answered += 1
    }
    // Each process may let through a tenth of the limit before it shares its count.
    expect(answered).toBeLessThanOrEqual(perPerson + (2 * perPerson) / 10)
    await second.close()
  })

  test('calls of a user never keep the owner from ending the sessions that used them up', async () => {
    const [own, ...stolen] = await sessionsOf(await createUser(app), 4)
    expect(countOf(await statusesOf(stolen, 25, '/usuarios/sessao'), 429)).toBe(75 - perPerson)
    expect((await own?.get('/usuarios/sessao'))?.status).toBe(429)
    expect((await own?.del('/conta/sessoes'))?.status).toBe(200)
    expect((await stolen[0]?.get('/usuarios/sessao'))?.status).toBe(401)
    expect((await own?.post('/usuarios/sair'))?.status).toBe(204)
  })

  test('calls of a user with ended sessions are limited too, and do not count against the open session', async () => {
    const person = await createUser(app)
    const stolen = await sessionsOf(person, 5)
    await app.db.updateTable('sessao').set({ encerradaEm: new Date() }).execute()
    const own = await app.as(person)
    const statuses = await statusesOf(stolen, 20, '/usuarios/sessao')
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([perPerson, 100 - perPerson])
    expect((await own.get('/usuarios/sessao')).status).toBe(200)
    expect(countOf(await statusesOf(stolen, 2, '/portal'), 429)).toBe(10)
    expect((await own.get('/portal')).status).toBe(200)
  })
})
