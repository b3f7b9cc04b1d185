import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { ConfigError } from '../../platform/config/config.ts'
import { createFirstAdmin } from './first-admin.ts'

/* Passwords that an ADMIN types for others must pass the rules, and be replaced at the first
   sign-in. */

let admin: Awaited<ReturnType<TestApp['as']>>
let adminId: number
const app = useTestApp({ COMPANY_NAME: 'Rede Horizonte' })
beforeEach(async () => {
  const user = await createUser(app, { tipoUsuario: 'ADMIN' })
  adminId = user.idUsuario
  admin = await app.as(user)
})

const bia = { nomeUsuario: 'Beatriz Nogueira', emailUsuario: 'bia@clinica.com.br' }
const good = 'janela aberta ao sol'
const weak = [
  ['common', 'Senha@123', /mais usadas/],
  ['the name', 'Nogueira99', /não pode ser o nome/],
  ['the company', 'horizonte2026', /não pode ser o nome/],
  ['a sequence', '12345678', /fáceis de adivinhar/],
] as const

describe.each(weak)('a weak password (%s)', (_, senhaUsuario, sentence) => {
  test('a weak password is refused for a new user', async () => {
    const { status, body } = await admin.post('/usuarios', { ...bia, senhaUsuario })
    expect([status, body.codigo]).toEqual([422, 'campos_invalidos'])
    expect(body.campos).toEqual({ senhaUsuario: expect.stringMatching(sentence) })
  })

  test('a weak password is refused in an edit, which then changes nothing', async () => {
    const user = await createUser(app, bia)
    const { status, body } = await admin.put(`/usuarios/${user.idUsuario}`, {
      situacao: 'BLOQUEADO',
      senhaUsuario,
    })
    expect(status).toBe(422)
    expect(body.campos.senhaUsuario).toMatch(sentence)
    expect((await admin.get(`/usuarios/${user.idUsuario}`)).body.situacao).toBe('ATIVO')
  })

  test('a weak password is reported by line in an import', async () => {
    const linhas = [
      { linha: 2, ...bia, senhaUsuario },
      { linha: 3, nomeUsuario: 'Caio Reis', emailUsuario: 'caio@clinica.com.br', senhaUsuario: good },
    ]
    const preview = await admin.post('/usuarios/importacao/previa', { linhas })
    expect(preview.body).toMatchObject({ validas: 1, invalidas: 1 })
    expect(preview.body.linhas[0].erros).toEqual({ senhaUsuario: expect.stringMatching(sentence) })
    const { status, body } = await admin.post('/usuarios/importacao', { linhas })
    expect([status, Object.keys(body.campos)]).toEqual([422, ['linhas.2.senhaUsuario']])
  })
})

test('an edit checks the password against the name that it sets', async () => {
  const user = await createUser(app, bia)
  const url = `/usuarios/${user.idUsuario}`
  expect((await admin.put(url, { nomeUsuario: 'Olga Prado', senhaUsuario: 'Pradoprado1' })).status).toBe(422)
  expect((await admin.put(url, { nomeUsuario: 'Olga Prado', senhaUsuario: 'Nogueira1999!' })).status).toBe(
    200,
  )
})

const pendingOf = async (emailUsuario: string, password = good) =>
  (await app.as({ emailUsuario, password })).signedIn.pendencia

describe('a password typed by an ADMIN', () => {
  test('a password typed by an ADMIN must be replaced at the first sign-in: new user, import and edit', async () => {
    await admin.post('/usuarios', { ...bia, senhaUsuario: good })
    expect(await pendingOf(bia.emailUsuario)).toBe('trocar_senha')
    const caio = { nomeUsuario: 'Caio Reis', emailUsuario: 'caio@clinica.com.br' }
    const linhas = [{ linha: 2, ...caio, senhaUsuario: good }]
    expect((await admin.post('/usuarios/importacao', { linhas })).status).toBe(201)
    expect(await pendingOf(caio.emailUsuario)).toBe('trocar_senha')
    const davi = await createUser(app)
    expect(await pendingOf(davi.emailUsuario, davi.password)).toBeNull()
    await admin.put(`/usuarios/${davi.idUsuario}`, { senhaUsuario: good })
    expect(await pendingOf(davi.emailUsuario)).toBe('trocar_senha')
  })

  test('a password typed by an ADMIN blocks no call before it is replaced', async () => {
    await admin.post('/usuarios', { ...bia, senhaUsuario: good })
    const own = await app.as({ emailUsuario: bia.emailUsuario, password: good })
    expect((await own.get('/usuarios/menus')).status).toBe(200)
  })

  test("a password typed by an ADMIN need not be replaced when it is the ADMIN's own", async () => {
    const { status } = await admin.put(`/usuarios/${adminId}`, { senhaUsuario: good })
    expect(status).toBe(200)
    expect((await admin.get('/usuarios/sessao')).body.pendencia).toBeNull()
  })

  test('a password typed by an ADMIN notifies the user in the portal and by e-mail, except for a first password', async () => {
    const user = await createUser(app)
    await admin.put(`/usuarios/${user.idUsuario}`, { senhaUsuario: good })
    await admin.post('/usuarios', { ...bia, senhaUsuario: good })
    const told = await app.db.selectFrom('notificacao').select(['idUsuario', 'tipo']).execute()
    expect(told).toEqual([{ idUsuario: user.idUsuario, tipo: 'senha_alterada' }])
    expect(await app.db.selectFrom('mensagem').selectAll().execute()).toHaveLength(1)
  })
})

describe('ADMIN_PASSWORD', () => {
  const createWith = async (adminPassword: string) => {
    await app.reset()
    const config = { ...app.services.config, adminEmail: 'chefe@clinica.com.br', adminPassword }
    await createFirstAdmin({ ...app.services, config })
  }

  test.each(['Administrador1', 'senha123', 'Horizonte2026', 'clinica2026', '11111111'])(
    '%s is refused',
    async (password) => {
      await expect(createWith(password)).rejects.toThrow(ConfigError)
      await expect(createWith(password)).rejects.toThrow(
        /^Configuração inválida: ADMIN_PASSWORD não pode ser usada\. /,
      )
      expect(await app.db.selectFrom('usuario').selectAll().execute()).toEqual([])
    },
  )

  test('ADMIN_PASSWORD accepts any other password', async () => {
    await createWith(good)
    expect(await pendingOf('chefe@clinica.com.br')).toBeNull()
  })
})
