import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/*
 * The kind is in client-addresses.test.ts: a proxy writes one address in several spellings. Here the
 * whole portal runs behind a proxy on this machine that writes the port, as Azure's gateway does.
 */

const app = useTestApp({ TRUST_PROXY: 'true' })

/** The default of SIGN_IN_FAILURES_PER_ADDRESS. */
const perAddress = 100

const from = (address: string) => ({ 'x-forwarded-for': address })
const signIn = (username: string, secret: string, address: string) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: secret }, from(address))

const clients: [address: string, spellings: ((port: number) => string)[], other: string][] = [
  [
    '192.0.2.66',
    [
      (port) => `192.0.2.66:${port}`,
      (port) => `[::ffff:192.0.2.66]:${port}`,
      () => '::ffff:192.0.2.66',
      () => '::FFFF:c000:242',
    ],
    '192.0.2.67:51234',
  ],
  [
    '2001:db8::1',
    [(port) => `[2001:db8::1]:${port}`, () => '2001:0DB8:0:0::0001', (port) => `[2001:db8::1%eth0]:${port}`],
    '[2001:db8:0:1::1]:443',
  ],
  ['fe80::1', [(port) => `[fe80::1%25eth${port}]:${port}`, (port) => `fe80::1%eth${port}`], '192.0.2.67:443'],
]

describe.each(clients)('a client at %s behind a proxy that writes ports', (address, spellings, other) => {
  beforeEach(async () => void (await app.db.deleteFrom('falhaLogin').execute()))

  const spelt = (port: number) => spellings[port % spellings.length]?.(port) ?? address

  test(`${address} is one client for the limit of wrong sign-ins, whatever ports it has`, async () => {
    const user = await createUser(app)
    // Each attempt has another port, and another name, so that only the limit per address counts it.
    for (let port = 1; port <= perAddress; port += 1) {
      const { status } = await signIn(`inventado${port}@exemplo.com.br`, 'errada', spelt(50_000 + port))
      expect(status, spelt(50_000 + port)).toBe(401)
    }
    for (const spelling of spellings) {
      const { status, body } = await signIn(user.emailUsuario, password, spelling(60_001))
      expect([status, body.codigo], spelling(60_001)).toEqual([429, 'muitas_tentativas'])
    }
    expect((await signIn(user.emailUsuario, password, other)).status).toBe(200)
  })

  test(`${address} is audited without port, brackets and zone`, async () => {
    const user = await createUser(app)
    for (let port = 0; port < spellings.length; port += 1) {
      expect((await signIn(user.emailUsuario, 'errada', spelt(port))).status).toBe(401)
      expect((await signIn(user.emailUsuario, password, spelt(port))).status).toBe(200)
    }
    const rows = await app.db
      .selectFrom('auditoria')
      .select('endereco')
      .where('idUsuario', '=', user.idUsuario)
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(2 * spellings.length)
    expect(new Set(rows.map(({ endereco }) => endereco))).toEqual(new Set([address]))
  })

  test(`${address} may use the portal from its permitted network, and from no other`, async () => {
    const allow = (redesUsuario: string[]) =>
      app.db.updateTable('configuracao').set({ redesUsuario }).execute()
    const user = await createUser(app)
    const own = await app.as(user)
    const call = async (spelling: string) => (await own.get('/usuarios/sessao', from(spelling))).status
    await allow([address])
    for (const spelling of spellings) {
      expect((await signIn(user.emailUsuario, password, spelling(51_234))).status).toBe(200)
      expect(await call(spelling(443)), spelling(443)).toBe(200)
    }
    expect(await call(other)).toBe(403)
    await allow(['203.0.113.0/24'])
    for (const spelling of spellings) expect(await call(spelling(443)), spelling(443)).toBe(403)
    await allow([])
  })
})
