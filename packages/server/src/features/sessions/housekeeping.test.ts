import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'
import { dropWhatIsOver } from './housekeeping.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const rows = async () => {
  const [failures, sessions, devices] = await Promise.all([
    app.db.selectFrom('falhaLogin').selectAll().execute(),
    app.db.selectFrom('sessao').selectAll().execute(),
    app.db.selectFrom('dispositivoConhecido').selectAll().execute(),
  ])
  return [failures.length, sessions.length, devices.length]
}

test('drops failures after their window, sessions after a month, devices after a year', async () => {
  const user = await createUser(app)
  const device = { 'x-dispositivo': 'mQ9c1vY0b2pXo3nZ4rT5uWvA' }
  await app.anonymous.post(
    '/usuarios/authorizer',
    { username: user.emailUsuario, password: user.password },
    device,
  )
  await app.anonymous.post('/usuarios/authorizer', { username: user.emailUsuario, password: 'errada' })
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
  await dropWhatIsOver(app.db, inDays(0))
  expect(await rows()).toEqual([2, 1, 1])
  await dropWhatIsOver(app.db, inDays(0.02))
  expect(await rows()).toEqual([0, 1, 1])
  await dropWhatIsOver(app.db, inDays(32))
  expect(await rows()).toEqual([0, 0, 1])
  await dropWhatIsOver(app.db, inDays(366))
  expect(await rows()).toEqual([0, 0, 0])
})
