import { beforeEach, describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor, wrongCode } from '../../../test/accounts/second-factor.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/* 'Confirme que é você': password or code again, for changes that need a recent proof. */

const minute = 60_000
const stepMs = 30_000

let rita: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
let idOther: number
const app = useTestApp()
beforeEach(async () => {
  const now = Date.now()
  app.clock.offsetMs = Math.ceil(now / stepMs) * stepMs + stepMs / 2 - now
  rita = await createUser(app, { tipoUsuario: 'ADMIN' })
  admin = await app.as(rita)
  idOther = (await createUser(app)).idUsuario
})

const path = '/conta/confirmacao'
/** Returns 200, or `reautenticacao_necessaria` for a 403. */
const grant = async (session = admin) => {
  const { status, body } = await session.put(`/usuarios/${idOther}`, { acessoProntuario: true })
  await app.db
    .updateTable('usuario')
    .set({ acessoProntuario: false })
    .where('idUsuario', '=', idOther)
    .execute()
  return status === 403 ? body.codigo : status
}
const pass = (minutes: number) => {
  app.clock.offsetMs += minutes * minute
}
const trail = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'idUsuario', 'detalhes'])
    .where('acao', 'like', 'session.confirm%')
    .orderBy('idAuditoria')
    .execute()
  return rows.map(({ acao, idUsuario, detalhes }) => [acao, idUsuario, detalhes])
}

describe('a confirmation', () => {
  test('a confirmation is valid for ten minutes, in its own session only, and is audited', async () => {
    const elsewhere = await app.as(rita)
    expect(await grant()).toBe(200)
    pass(11)
    expect(await grant()).toBe('reautenticacao_necessaria')
    expect((await admin.post(path, { senha: rita.password })).status).toBe(204)
    expect(await grant()).toBe(200)
    expect(await grant(elsewhere)).toBe('reautenticacao_necessaria')
    pass(9)
    expect(await grant()).toBe(200)
    pass(2)
    expect(await grant()).toBe('reautenticacao_necessaria')
    expect(await trail()).toEqual([['session.confirmed', rita.idUsuario, { meio: 'senha' }]])
  })

  test('a confirmation by a code of the second factor is accepted, and consumes the code', async () => {
    const { secret, recoveryCodes } = await giveSecondFactor(app, rita.idUsuario)
    expect((await admin.get(path)).body).toEqual({ meios: ['senha', 'codigo'] })
    pass(11)
    const codigo = codeNow(app, secret)
    expect((await admin.post(path, { codigo })).status).toBe(204)
    expect(await grant()).toBe(200)
    const again = await admin.post(path, { codigo })
    expect([again.status, Object.keys(again.body.campos)]).toEqual([422, ['codigo']])
    expect((await admin.post(path, { codigo: recoveryCodes[0] })).status).toBe(204)
    expect(await trail()).toEqual([
      ['session.confirmed', rita.idUsuario, { meio: 'codigo' }],
      ['session.confirmation-refused', rita.idUsuario, { meio: 'codigo', motivo: 'código errado' }],
      ['session.confirmed', rita.idUsuario, { meio: 'codigo' }],
    ])
  })

  test("a confirmation by a code does not replace the password for a change of the caller's own password", async () => {
    const { secret } = await giveSecondFactor(app, rita.idUsuario)
    const own = `/usuarios/${rita.idUsuario}`
    const change = { senhaUsuario: 'Uma senha de teste 9' }
    pass(11)
    await admin.post(path, { codigo: codeNow(app, secret) })
    expect((await admin.put(own, change)).body.codigo).toBe('reautenticacao_necessaria')
    await admin.post(path, { senha: rita.password })
    expect((await admin.put(own, change)).status).toBe(200)
  })

  test('a confirmation requires either the password or a code', async () => {
    for (const body of [{}, { senha: rita.password, codigo: '123456' }, { senha: '' }, { codigo: ' ' }]) {
      expect((await admin.post(path, body)).status).toBe(422)
    }
    expect((await app.anonymous.post(path, { senha: rita.password })).status).toBe(401)
  })
})

describe('a wrong proof', () => {
  test.each([
    ['senha', () => 'errada', 'senha errada'],
    ['codigo', (secret: string) => wrongCode(app, secret), 'código errado'],
  ] as const)(
    '%s is counted and audited, so that an open session cannot be used for guessing',
    async (meio, wrong, motivo) => {
      const { secret } = await giveSecondFactor(app, rita.idUsuario)
      pass(11)
      const limit = app.services.config.signInFailures.perName
      for (let attempt = 0; attempt < limit; attempt += 1) {
        const answer = await admin.post(path, { [meio]: wrong(secret) })
        expect([answer.status, Object.keys(answer.body.campos)]).toEqual([422, [meio]])
      }
      const right = { senha: rita.password, codigo: codeNow(app, secret) }
      const refused = await admin.post(path, { [meio]: right[meio] })
      expect([refused.status, refused.body.codigo]).toEqual([429, 'muitas_tentativas'])
      expect(await grant()).toBe('reautenticacao_necessaria')
      const refusal = ['session.confirmation-refused', rita.idUsuario, { meio, motivo }]
      expect(await trail()).toEqual(Array.from({ length: limit }, () => refusal))
    },
  )

  test("a wrong proof shares its limit with the caller's own password change", async () => {
    const limit = app.services.config.signInFailures.perName
    pass(11)
    const body = { senha: 'Uma senha de teste 9', senhaAtual: 'errada' }
    for (let attempt = 0; attempt < limit; attempt += 1) {
      await admin.put(`/usuario/mudarsenha/${rita.idUsuario}`, body)
    }
    expect((await admin.post(path, { senha: rita.password })).status).toBe(429)
  })
})

describe('a user who signed in through the identity provider', () => {
  const throughProvider = async () => {
    await app.db
      .updateTable('usuario')
      .set({ senhaHash: null })
      .where('idUsuario', '=', rita.idUsuario)
      .execute()
    await app.db.updateTable('sessao').set({ metodo: 'provedor' }).execute()
  }

  test('a user who signed in through the identity provider without a second factor must sign in again: only a recent sign-in is a proof', async () => {
    await throughProvider()
    expect((await admin.get(path)).body).toEqual({ meios: [] })
    expect(await grant()).toBe(200)
    pass(11)
    expect(await grant()).toBe('reautenticacao_necessaria')
    const { body } = await admin.put(`/usuarios/${idOther}`, { acessoProntuario: true })
    expect(body.detail).toContain('Saia, entre novamente')
    expect((await admin.post(path, { senha: rita.password })).status).toBe(422)
  })

  test('a user who signed in through the identity provider with a second factor must show a code, even right after the sign-in', async () => {
    const { secret } = await giveSecondFactor(app, rita.idUsuario)
    await throughProvider()
    expect((await admin.get(path)).body).toEqual({ meios: ['codigo'] })
    expect(await grant()).toBe('reautenticacao_necessaria')
    expect((await admin.post(path, { codigo: codeNow(app, secret) })).status).toBe(204)
    expect(await grant()).toBe(200)
  })
})

describe('the second factor of another user', () => {
  test('the second factor of another user is reset only after a confirmation, and every other ADMIN and data protection officer is notified', async () => {
    const officer = await createUser(app, { encarregadoDados: true })
    const colleague = await createUser(app, { tipoUsuario: 'ADMIN' })
    await giveSecondFactor(app, idOther)
    const reset = () => admin.post(`/usuarios/${idOther}/segundo-fator/redefinir`)
    pass(11)
    const refused = await reset()
    expect([refused.status, refused.body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
    await admin.post(path, { senha: rita.password })
    expect((await reset()).status).toBe(204)
    const rows = await app.db
      .selectFrom('notificacao')
      .select(['idUsuario', 'texto'])
      .where('tipo', '=', 'seguranca_alterada')
      .orderBy('idUsuario')
      .execute()
    expect(rows.map(({ idUsuario }) => idUsuario)).toEqual([officer.idUsuario, colleague.idUsuario])
    expect(rows[0]?.texto).toMatch(/redefiniu o segundo fator de Pessoa \d+\.$/)
  })
})

test('tightening the second-factor rule needs no confirmation, loosening it does', async () => {
  await giveSecondFactor(app, rita.idUsuario)
  const rule = async (segundoFator: string) =>
    (await admin.put('/configuracao/seguranca', { segundoFator })).status
  pass(11)
  expect(await rule('prontuarios')).toBe(200)
  expect(await rule('todos')).toBe(200)
  expect(await rule('administradores')).toBe(403)
  await admin.post(path, { senha: rita.password })
  expect(await rule('administradores')).toBe(200)
  // Neither rule covers everyone that the other one covers, so this counts as loosening.
  pass(11)
  expect(await rule('prontuarios')).toBe(403)
  await app.db.updateTable('configuracao').set({ segundoFator: 'opcional' }).execute()
})
