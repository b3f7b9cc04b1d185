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

const work = async (call: (n: number) => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  for (let n = 0; n < 10; n += 1) await call(n)
  const { user, system } = process.cpuUsage(before)
  return user + system
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
    const expected = await work(() => call(known.emailUsuario))
    for (const name of ['nobody', blocked.emailUsuario, unset.emailUsuario]) {
      const spent = await work((n) => call(name === 'nobody' ? `ninguem${n}@exemplo.com.br` : name))
      expect(spent / expected, name).toBeGreaterThan(0.6)
      expect(spent / expected, name).toBeLessThan(1.7)
    }
  },
)
