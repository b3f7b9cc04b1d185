import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import { bookAttempt, windowSeconds } from '../credentials/attempt-limits.ts'

/** The default of SIGN_IN_FAILURES. */
const limit = 15

const app = useTestApp()

const signIn = (username: string, secret: string, headers = {}) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: secret }, headers)

describe('guessing passwords', () => {
  test('guessing passwords is stopped for the account, with Retry-After, until the window has passed', async () => {
    const user = await createUser(app)
    for (let i = 0; i < limit; i += 1)
      expect((await signIn(user.emailUsuario, `errada ${i}`)).status).toBe(401)
    const refused = await signIn(user.emailUsuario, password)
    expect(refused.status).toBe(429)
    expect(refused.body.codigo).toBe('muitas_tentativas')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(windowSeconds - 60)
    app.clock.offsetMs = windowSeconds * 1000 + 1000
    expect((await signIn(user.emailUsuario, password)).status).toBe(200)
  })

  test('guessing passwords cannot exceed the limit with concurrent requests', async () => {
    const user = await createUser(app)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => signIn(user.emailUsuario, `errada ${i}`)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(limit).fill(401), ...Array(40 - limit).fill(429)])
  })

  test('guessing passwords does not refuse concurrent sign-ins with the right password', async () => {
    const user = await createUser(app)
    const answers = await Promise.all(
      Array.from({ length: limit }, () => signIn(user.emailUsuario, password)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(limit).fill(200))
  })

  test.each([
    ['Helena Duarte', 'Helená  Duarte'],
    ['kelvin@exemplo.com.br', '\u212Aelvin@exemplo.com.br'],
  ])(
    'guessing passwords stops at the same point whether or not the user exists: %s, %s',
    async (name, spelling) => {
      const stopsFor = async (typed: string, other: string) => {
        for (let i = 0; i < limit; i += 1) await signIn(typed, 'errada')
        return (await signIn(other, 'errada')).status
      }
      const unknown = await stopsFor(name, spelling)
      await app.db.deleteFrom('falhaLogin').execute()
      await createUser(app, {
        nomeUsuario: name,
        emailUsuario: name.includes('@') ? name : 'outra@exemplo.com.br',
      })
      expect(await stopsFor(name, spelling)).toBe(unknown)
      await app.db.deleteFrom('falhaLogin').execute()
      // The count does not link a name to its e-mail either.
      await stopsFor(name, spelling)
      expect((await signIn('outra@exemplo.com.br', 'errada')).status).toBe(401)
    },
  )

  test('guessing passwords from one shared address does not lock users out on known devices', async () => {
    const user = await createUser(app)
    const device = { 'x-dispositivo': 'mQ9c1vY0b2pXo3nZ4rT5uWvA' }
    expect((await signIn(user.emailUsuario, password, device)).status).toBe(200)
    await Promise.all(Array.from({ length: 101 }, (_, i) => signIn(`inventado${i}@exemplo.com.br`, 'errada')))
    expect((await signIn(user.emailUsuario, password)).status).toBe(429)
    expect((await signIn(user.emailUsuario, password, device)).status).toBe(200)
  })

  test('guessing passwords is audited: each failure, and one refusal per window', async () => {
    // The next day: the refusals of the other tests are outside the window.
    app.clock.offsetMs = 24 * 3_600_000
    const user = await createUser(app)
    for (let i = 0; i < limit + 5; i += 1) await signIn(user.emailUsuario, 'errada')
    const rows = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'session.refused')
      .orderBy('idAuditoria')
      .execute()
    const reasons = rows.map(({ detalhes }) => detalhes.motivo)
    expect(reasons).toEqual([...Array(limit).fill('credenciais'), 'limite de tentativas'])
  })

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('the limit counts %s as network %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test.each([
    ['203.0.113.7', 48, '203.0.113.7'],
    ['::ffff:203.0.113.7', 56, '203.0.113.7'],
    ['2001:db8:1:2f3:4:5:6:7', 56, '2001:db8:1:200'],
    ['2001:db8:1:2f:4:5:6:7', 56, '2001:db8:1:0'],
    ['2001:db8:1:fff0::9', 56, '2001:db8:1:ff00'],
    ['2001:db8:1:2f3::9', 48, '2001:db8:1'],
    ['::1', 56, '0:0:0:0'],
  ] as const)('the limit counts %s in its /%s as network %s', (address, bits, network) => {
    expect(networkOf(address, bits)).toBe(network)
  })

  test('the limit counts unknown names too', async () => {
    for (let i = 0; i < limit; i += 1) expect((await signIn('x@exemplo.com.br', 'errada')).status).toBe(401)
    expect((await signIn('X@exemplo.com.br', 'errada')).status).toBe(429)
  })

  test('guessing passwords does not lock the owner out on a known device', async () => {
    const user = await createUser(app)
    const device = { 'x-dispositivo': 'mQ9c1vY0b2pXo3nZ4rT5uWvA' }
    expect((await signIn(user.emailUsuario, password, device)).status).toBe(200)
    for (let i = 0; i < 30; i += 1) await signIn(user.emailUsuario, 'errada')
    expect((await signIn(user.emailUsuario, password)).status).toBe(429)
    expect((await signIn(user.emailUsuario, password, device)).status).toBe(200)
  })

  test('guessing passwords does not count successful sign-ins', async () => {
    const user = await createUser(app)
    for (let i = 0; i < limit * 2; i += 1)
      expect((await signIn(user.emailUsuario, password)).status).toBe(200)
  })
})

test('an attempt counts earlier ones that are not committed yet', async () => {
  const book = (db: Db) =>
    bookAttempt(
      db,
      [
        { key: 'outra', limit: 9 },
        { key: 'chave', limit: 1 },
      ],
      new Date(),
    )
  let written = () => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const first = inTransaction(app.db, async (tx) => {
    await book(tx)
    written()
    await new Promise((resolve) => setTimeout(resolve, 300))
  })
  await isWritten
  await expect(book(app.db)).rejects.toMatchObject({ codigo: 'muitas_tentativas' })
  await first
})
