import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createUser, password } from '../../test/users.ts'
import { hashPassword } from './passwords.ts'

/*
 * Whether there is such a person must not show in how long the answer takes. What is compared is the work (processor time of
 * this process), which other programs on the machine do not change; the hash is by far the most of it.
 */

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ SIGN_IN_FAILURES_PER_ADDRESS: '1000000' })
})
afterAll(() => app.close())

const work = async (call: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  for (let n = 0; n < 4; n += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** The least of several rounds, each name in its turn: two threads on one core make any single one dearer. Below the limit of failures. */
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
  '%s does the same work for somebody, nobody, the blocked and who has no password',
  async (_name, call) => {
    // Hashed at the product's own cost, unlike those of other tests.
    const senhaHash = await hashPassword(password)
    const known = await createUser(app, { senhaHash })
    const blocked = await createUser(app, { senhaHash, situacao: 'BLOQUEADO' })
    const unset = await createUser(app, { senhaHash: null })
    await app.as(known)
    // The first calls pay for what is done once; those of another person, since wrong ones are counted.
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
    for (const [at, name] of ['nobody', 'blocked', 'without a password'].entries()) {
      expect((others[at] ?? 0) / expected, name).toBeGreaterThan(0.6)
      expect((others[at] ?? 0) / expected, name).toBeLessThan(1.7)
    }
  },
)
