import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createUser, password } from '../../../../test/users.ts'

/* Several processes on one database, and restarted ones, share their counts. */

const callsPerMinute = 60
const shareEvery = callsPerMinute / 10

let first: TestApp
beforeAll(async () => {
  first = await startTestApp({ RATE_LIMIT_PER_MINUTE: String(callsPerMinute), SIGN_IN_FAILURES: '5' })
})
afterAll(() => first.close())

type App = Awaited<ReturnType<TestApp['anotherServer']>>
const another = (): Promise<App> => first.anotherServer()

const call = async (app: App, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  const { statusCode } = await app.inject({ url: '/api/usuarios/sessao', headers })
  return statusCode
}

describe('calls of a session', () => {
  test('calls of a session are counted together by two processes and by a restarted one', async () => {
    const { token } = await first.as(await createUser(first))
    const second = await another()
    let answered = 0
    for (let n = 0; n < callsPerMinute * 2; n += 1) {
      if ((await call(n % 2 === 0 ? first.app : second, token)) === 200) answered += 1
    }
    expect(answered).toBeGreaterThanOrEqual(callsPerMinute - shareEvery)
    expect(answered).toBeLessThanOrEqual(callsPerMinute + 2 * shareEvery)

    const restarted = await another()
    let again = 0
    for (let n = 0; n < callsPerMinute; n += 1) if ((await call(restarted, token)) === 200) again += 1
    // Calls before the process reads the shared count, and calls during that query.
    expect(again).toBeLessThanOrEqual(2 * shareEvery)
    // The limit ends with the minute.
    first.clock.offsetMs += 61_000
    expect(await call(restarted, token)).toBe(200)
    await Promise.all([second.close(), restarted.close()])
  })

  test('calls of a session need no write below a tenth of the limit', async () => {
    const { token } = await first.as(await createUser(first))
    const countRows = async () =>
      (await first.db.selectFrom('contagemChamadas').select('chave').execute()).length
    const before = await countRows()
    for (let n = 0; n < shareEvery - 1; n += 1) await call(first.app, token)
    expect(await countRows()).toBe(before)
    await call(first.app, token)
    await expect.poll(countRows).toBe(before + 1)
  })
})

describe('failed sign-ins', () => {
  const attempt = async (app: App, username: string, secret: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/usuarios/authorizer',
        payload: { username, password: secret },
      })
    ).statusCode

  test('failed sign-ins of one account are counted together by two processes and by a restarted one', async () => {
    const { emailUsuario } = await createUser(first)
    const apps = [first.app, await another()]
    const statuses: number[] = []
    for (let n = 0; n < 8; n += 1) {
      statuses.push(await attempt(apps[n % 2] ?? first.app, emailUsuario, `errada ${n}`))
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const restarted = await another()
    expect(await attempt(restarted, emailUsuario, password)).toBe(429)
    await Promise.all([apps[1]?.close(), restarted.close()])
  })
})
