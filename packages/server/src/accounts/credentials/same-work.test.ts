import { expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { hashPassword } from './passwords.ts'

/* The response time must not reveal whether a user exists. Compares this process's processor
   time, which other load does not change; the password hash is most of it. */

const app = useTestApp({ SIGN_IN_FAILURES_PER_ADDRESS: '1000000' }, { resets: false })

const work = async (call: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  for (let n = 0; n < 4; n += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * The minimum of three interleaved rounds, because threads on one core can make a single one
 * slower. Stays below the limit of failures.
 */
const leastWork = async (names: (() => string)[], call: (name: string) => Promise<unknown>) => {
  const least = names.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < 3; round += 1) {
    for (const [at, name] of names.entries()) {
      least[at] = Math.min(least[at] ?? 0, await work(() => call(name())))
    }
  }
  return least
}

const calls: [string, (name: string) => Promise<{ status: number }>][] = [
  ['sign-in', (username) => app.anonymous.post('/usuarios/authorizer', { username, password: 'errada' })],
  [
    'sign-in with a password of two forms',
    (username) =>
      app.anonymous.post('/usuarios/authorizer', { username, password: 'errado é'.normalize('NFD') }),
  ],
  [
    'a change of password without a session',
    (loginUsuario) =>
      app.anonymous.post('/login/RecoveryPassword', {
        loginUsuario,
        senhaAtual: 'errada',
        novaSenha: 'Outra senha boa 11',
      }),
  ],
]

test.each(calls)(
  '%s does the same work for a known, unknown and blocked user, and one without a password',
  { timeout: 60_000 },
  async (_name, call) => {
    // Hashed with the production parameters, unlike in other tests.
    const senhaHash = await hashPassword(password)
    const known = await createUser(app, { senhaHash })
    const blocked = await createUser(app, { senhaHash, situacao: 'BLOQUEADO' })
    const unset = await createUser(app, { senhaHash: null })
    await app.as(known)
    // Warm-up with another user, since failures are counted.
    const other = await createUser(app, { senhaHash })
    await work(() => call(other.emailUsuario))
    let strangers = 0
    const [expected = 0, ...others] = await leastWork(
      [
        () => known.emailUsuario,
        () => `ninguem${strangers++}@exemplo.com.br`,
        () => blocked.emailUsuario,
        () => unset.emailUsuario,
      ],
      call,
    )
    for (const [at, name] of ['unknown', 'blocked', 'without a password'].entries()) {
      expect((others[at] ?? 0) / expected, name).toBeGreaterThan(0.6)
      expect((others[at] ?? 0) / expected, name).toBeLessThan(1.7)
    }
  },
)
