import { hash, verify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/*
 * Kind: one text has several sequences of code points, and each is another password. Looked for at
 * sign-in, each place that asks for the password again, new passwords, imports and the first account:
 * all hash and verify in accounts/credentials/passwords.ts.
 */

const app = useTestApp()
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const composed = 'Canção é boa ½ 7'.normalize('NFC')
const decomposed = composed.normalize('NFD')

const enter = ({ emailUsuario }: { emailUsuario: string }, password: string) =>
  app.anonymous.post('/usuarios/authorizer', { username: emailUsuario, password })
const storedHash = async ({ idUsuario }: { idUsuario: number }) => {
  const row = await app.db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()
  return row.senhaHash ?? ''
}

test.each([
  ['NFC', composed],
  ['NFD', decomposed],
  ['full width', 'Canção é boa ½ ７'],
])('a password that was set on one computer opens the account from another: %s', async (_form, typed) => {
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const made = await createUser(app)
  const change = { senhaUsuario: decomposed, tipoUsuario: 'USER' }
  const { body: user } = await admin.get(`/usuarios/${made.idUsuario}`)
  expect((await admin.put(`/usuarios/${made.idUsuario}`, { ...user, ...change })).status).toBe(200)
  expect((await enter(made, typed)).status).toBe(200)
  expect((await enter(made, `${typed}x`)).status).toBe(401)
})

test('a hash of the text as it was typed still opens the account, and is renewed', async () => {
  const ana = await createUser(app, { senhaHash: await hash(decomposed, cheap) })
  expect((await enter(ana, 'errada')).status).toBe(401)
  expect((await enter(ana, decomposed)).status).toBe(200)
  expect(await verify(await storedHash(ana), composed.normalize('NFKC'))).toBe(true)
  expect((await enter(ana, composed)).status).toBe(200)
})

test('a hash that needs no renewal is kept', async () => {
  const ana = await createUser(app)
  const before = await storedHash(ana)
  expect((await enter(ana, ana.password)).status).toBe(200)
  expect(await storedHash(ana)).toBe(before)
})
