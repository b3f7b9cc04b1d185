import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { createFirstAdmin } from './first-admin.ts'

const app = useTestApp()
beforeEach(async () => {
  for (const name of passwordFiles()) rmSync(join(app.dataDir, name))
})

const adminEmail = 'chefe@clinica.com.br'
const senha = 'janela aberta ao sol'
const passwordFiles = () => readdirSync(app.dataDir).filter((name) => name.startsWith('first-password'))

/** Creates the first ADMIN on an empty database, without ADMIN_PASSWORD. */
const begin = async () => {
  const logged: string[] = []
  const config = { ...app.services.config, adminEmail }
  await createFirstAdmin({ ...app.services, config }, (sentence) => logged.push(sentence))
  const [name = ''] = passwordFiles()
  const file = join(app.dataDir, name)
  const password = /^Senha: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  return { file, password, logged: logged.join('\n') }
}

const signIn = (password: string) =>
  app.anonymous.post('/usuarios/authorizer', { username: adminEmail, password })

test('the portal logs the path of the password file, and never the password', async () => {
  const { file, password, logged } = await begin()
  expect(password).toMatch(/^[\w-]{16}$/)
  expect(logged).toContain(file)
  expect(logged).not.toContain(password)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('the portal refuses every call until the generated password is changed, then deletes its file', async () => {
  const { file, password } = await begin()
  const { status, body } = await signIn(password)
  expect([status, body.pendencia]).toEqual([200, 'senha_provisoria'])
  const admin = app.withHeaders({ authorization: `Bearer ${body.access_token}` })
  const refused = { status: 403, body: { codigo: 'troca_de_senha_obrigatoria' } }
  expect(await admin.get('/usuarios')).toMatchObject(refused)
  expect(await admin.post('/perfis', { nomePerfil: 'Diretoria' })).toMatchObject(refused)
  const path = `/usuario/mudarsenha/${body.usuario_id}`
  expect((await admin.put(path, { senha: 'curta' })).status).toBe(422)
  expect(existsSync(file)).toBe(true)
  expect((await admin.put(path, { senha })).status).toBeLessThan(300)
  expect(existsSync(file)).toBe(false)
  expect((await admin.get('/usuarios')).status).toBe(200)
  expect((await signIn(password)).status).toBe(401)
  expect((await signIn(senha)).body.pendencia).toBeNull()
})

test.each(['the form without a session', 'another ADMIN'])(
  '%s replaces the generated password and deletes the file',
  async (way) => {
    const { file, password } = await begin()
    const { body } = await signIn(password)
    const other = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { status } =
      way === 'another ADMIN'
        ? await other.put(`/usuarios/${body.usuario_id}`, { senhaUsuario: senha })
        : await app.anonymous.post('/login/RecoveryPassword', {
            loginUsuario: adminEmail,
            senhaAtual: password,
            novaSenha: senha,
          })
    expect(status).toBeLessThan(300)
    expect(existsSync(file)).toBe(false)
  },
)

test("the portal keeps the file when another user's password changes", async () => {
  const { file } = await begin()
  const other = await createUser(app)
  const own = await app.as(other)
  expect((await own.put(`/usuario/mudarsenha/${other.idUsuario}`, { senha })).status).toBeLessThan(300)
  expect(existsSync(file)).toBe(true)
})

test('a password from ADMIN_PASSWORD is written to no file and need not be changed', async () => {
  const config = { ...app.services.config, adminEmail, adminPassword: senha }
  await createFirstAdmin({ ...app.services, config })
  expect((await signIn(senha)).body.pendencia).toBeNull()
  expect(passwordFiles()).toEqual([])
})
