import { describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor, wrongCode } from '../../../test/accounts/second-factor.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/** The default of SIGN_IN_FAILURES. */
const limit = 15
const ownDevice = { 'x-dispositivo': 'aQ9c1vY0b2pXo3nZ4rT5uWvA' }
const otherDevices = ['b', 'c', 'd'].map((first) => ({ 'x-dispositivo': `${first}Q9c1vY0b2pXo3nZ4rT5uWvA` }))

const app = useTestApp()

type Person = Awaited<ReturnType<typeof createUser>>

const signIn = (person: Person, headers: Record<string, string>, fields = {}) =>
  app.anonymous.post('/usuarios/authorizer', { username: person.emailUsuario, password, ...fields }, headers)

/** Creates a user who signed in on four devices and continues on the first. */
const personOnDevices = async (fields: Parameters<typeof createUser>[1] = {}) => {
  const person = await createUser(app, fields)
  for (const device of otherDevices) expect((await signIn(person, device)).status).toBe(200)
  const { body } = await signIn(person, ownDevice)
  const own = app.withHeaders({ ...ownDevice, authorization: `Bearer ${body.access_token}` })
  return { person, own }
}

const devicesOf = async ({ idUsuario }: Person) =>
  (
    await app.db
      .selectFrom('dispositivoConhecido')
      .select('marca')
      .where('idUsuario', '=', idUsuario)
      .execute()
  ).length

describe('only the current device stays known after', () => {
  test.each([
    [
      'a new password',
      async (own: TestApp['anonymous'], { idUsuario }: Person) =>
        own.put(`/usuario/mudarsenha/${idUsuario}`, { senha: 'Senha bem nova 2' }),
    ],
    [
      'a second factor',
      async (own: TestApp['anonymous']) => {
        const { body } = await own.post('/conta/segundo-fator')
        return own.post('/conta/segundo-fator/confirmar', { codigo: codeNow(app, body.segredo) })
      },
    ],
    ['ending the other sessions', async (own: TestApp['anonymous']) => own.del('/conta/sessoes')],
  ])('only the current device stays known after %s', async (_, change) => {
    const { person, own } = await personOnDevices()
    expect(await devicesOf(person)).toBe(4)
    const changed = await change(own, person)
    expect(changed.status, JSON.stringify(changed.body)).toBeLessThan(300)
    expect(await devicesOf(person)).toBe(1)
  })

  test('no device stays known after an ADMIN sets the password, blocks the user or resets the second factor', async () => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const changes = [
      ({ idUsuario }: Person) => admin.put(`/usuarios/${idUsuario}`, { senhaUsuario: 'Senha do ADMIN 2' }),
      ({ idUsuario }: Person) => admin.put(`/usuarios/${idUsuario}`, { situacao: 'BLOQUEADO' }),
      async ({ idUsuario }: Person) => {
        await giveSecondFactor(app, idUsuario)
        return admin.post(`/usuarios/${idUsuario}/segundo-fator/redefinir`)
      },
    ]
    for (const change of changes) {
      const { person } = await personOnDevices()
      const changed = await change(person)
      expect(changed.status, JSON.stringify(changed.body)).toBeLessThan(300)
      expect(await devicesOf(person)).toBe(0)
    }
  })
})

test("wrong codes from all known devices share a limit, which is separate from strangers'", async () => {
  const { person } = await personOnDevices()
  const { secret } = await giveSecondFactor(app, person.idUsuario)
  const codigo = wrongCode(app, secret)
  const answers: string[] = []
  for (let i = 0; i < 3 * limit; i += 1) {
    const { body } = await signIn(person, otherDevices[i % 3] ?? ownDevice, { codigo })
    answers.push(body.codigo)
  }
  expect(answers.filter((code) => code === 'codigo_invalido')).toHaveLength(limit)
  expect(answers.slice(limit)).toEqual(Array(2 * limit).fill('muitas_tentativas'))
  expect((await signIn(person, {}, { codigo })).body.codigo).toBe('codigo_invalido')
})
