import type { SecondFactorPolicy } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor, wrongCode } from '../../../test/accounts/second-factor.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

const limit = 15
const stepMs = 30_000
const minute = 60_000

const app = useTestApp()
beforeEach(async () => {
  const now = Date.now()
  app.clock.offsetMs = Math.ceil(now / stepMs) * stepMs + stepMs / 2 - now
})

const path = '/conta/segundo-fator'

/** A signed-in user whose second factor is activated after the sign-in. */
const enrolled = async (fields: Parameters<typeof createUser>[1] = {}) => {
  const user = await createUser(app, fields)
  const own = await app.as(user)
  return { user, own, ...(await giveSecondFactor(app, user.idUsuario)) }
}

const demand = (segundoFator: SecondFactorPolicy) =>
  app.db.updateTable('configuracao').set({ segundoFator }).execute()

const trail = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'idUsuario', 'objeto', 'detalhes'])
    .where('acao', 'like', 'second-factor.%')
    .orderBy('idAuditoria')
    .execute()
  return rows.map(({ acao, idUsuario, objeto, detalhes }) => [acao, idUsuario, objeto, detalhes])
}

const told = async (idUsuario: number) => {
  const rows = await app.db
    .selectFrom('notificacao')
    .select('titulo')
    .where('idUsuario', '=', idUsuario)
    .where('tipo', '=', 'segundo_fator_alterado')
    .orderBy('idNotificacao')
    .execute()
  return rows.map(({ titulo }) => titulo)
}

const signIn = (username: string, codigo?: string) =>
  app.anonymous.post('/usuarios/authorizer', { username, password, codigo })

describe('setting up the second factor', () => {
  test('setting up the second factor leads from the secret through a code to ten recovery codes, and ends the other sessions', async () => {
    const user = await createUser(app)
    const [other, own] = [await app.as(user), await app.as(user)]
    expect((await own.get(path)).body).toEqual({
      ativo: false,
      desde: null,
      codigosRestantes: 0,
      exigido: false,
    })
    const started = await own.post(path)
    expect(started.status).toBe(200)
    const { segredo, uri } = started.body
    // 160 bits in Base32.
    expect(segredo).toMatch(/^[A-Z2-7]{32}$/)
    const address = new URL(uri)
    expect([address.protocol, address.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(address.pathname)).toBe(`/BI Manager:${user.emailUsuario}`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: 'BI Manager',
      secret: segredo,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    // Nothing is required before the confirmation.
    expect((await own.get(path)).body.ativo).toBe(false)

    const code = codeNow(app, segredo)
    const confirmed = await own.post(`${path}/confirmar`, { codigo: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect(confirmed.status).toBe(200)
    const codes: string[] = confirmed.body.codigosRecuperacao
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const recovery of codes)
      expect(recovery).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){6}$/)

    expect((await own.get(path)).body).toEqual({
      ativo: true,
      desde: expect.any(String),
      codigosRestantes: 10,
      exigido: false,
    })
    expect((await other.get('/usuarios/menus')).status).toBe(401)
    const { idUsuario } = user
    expect(await trail()).toEqual([
      ['second-factor.enabled', idUsuario, `usuario:${idUsuario}`, { sessoesEncerradas: 1 }],
    ])
    expect(await told(idUsuario)).toEqual(['Segundo fator ativado'])
    // The confirming code is consumed.
    expect((await signIn(user.emailUsuario, code)).body.codigo).toBe('codigo_invalido')
    expect((await signIn(user.emailUsuario, codes[9])).status).toBe(200)
  })

  test('setting up the second factor stores neither the secret nor a recovery code in clear text', async () => {
    const own = await app.as(await createUser(app))
    const { segredo } = (await own.post(path)).body
    const { codigosRecuperacao } = (await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) }))
      .body
    const stored = JSON.stringify([
      await app.db.selectFrom('segundoFator').selectAll().execute(),
      await app.db.selectFrom('codigoRecuperacao').selectAll().execute(),
      await app.db.selectFrom('auditoria').selectAll().execute(),
      await app.db.selectFrom('notificacao').selectAll().execute(),
    ])
    expect(stored).not.toContain(segredo)
    for (const code of codigosRecuperacao as string[]) {
      expect(stored).not.toContain(code)
      expect(stored).not.toContain(code.replaceAll('-', ''))
    }
  })

  test('setting up the second factor accepts only the newer secret after a second start', async () => {
    const own = await app.as(await createUser(app))
    const [first, second] = [(await own.post(path)).body.segredo, (await own.post(path)).body.segredo]
    expect(first).not.toBe(second)
    const old = await own.post(`${path}/confirmar`, { codigo: codeNow(app, first) })
    expect([old.status, Object.keys(old.body.campos)]).toEqual([422, ['codigo']])
    expect((await own.post(`${path}/confirmar`, { codigo: codeNow(app, second) })).status).toBe(200)
  })

  test('setting up the second factor requires the password ten minutes after the sign-in', async () => {
    const user = await createUser(app)
    const own = await app.as(user)
    app.clock.offsetMs += 10 * minute - 5_000
    expect((await own.post(path)).status).toBe(200)
    app.clock.offsetMs += 10_000
    for (const senhaAtual of [undefined, null, '']) {
      expect(await own.post(path, { senhaAtual })).toMatchObject({
        status: 403,
        body: { codigo: 'reautenticacao_necessaria' },
      })
    }
    for (let i = 0; i < limit; i += 1) {
      expect(await own.post(path, { senhaAtual: 'errada' })).toMatchObject({
        status: 422,
        body: { campos: { senhaAtual: 'A senha atual não confere.' } },
      })
    }
    expect((await own.post(path, { senhaAtual: password })).status).toBe(429)
    app.clock.offsetMs += 16 * minute
    expect((await own.post(path, { senhaAtual: password })).status).toBe(200)
  })

  test('the setup always requires the password in a session of the identity provider', async () => {
    const user = await createUser(app)
    const own = await app.as(user)
    await app.db.updateTable('sessao').set({ metodo: 'provedor' }).execute()
    expect((await own.post(path)).status).toBe(403)
    expect((await own.post(path, { senhaAtual: password })).status).toBe(200)
  })

  test('setting up the second factor is refused while a factor is active, and cannot be confirmed before the start', async () => {
    const own = await app.as(await createUser(app))
    const nothing = await own.post(`${path}/confirmar`, { codigo: '123456' })
    expect([nothing.status, nothing.body.codigo]).toEqual([409, 'segundo_fator_ausente'])
    const { segredo } = (await own.post(path)).body
    await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    const again = await own.post(path)
    expect([again.status, again.body.codigo]).toEqual([409, 'segundo_fator_ativo'])
    const twice = await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    expect([twice.status, twice.body.codigo]).toEqual([409, 'segundo_fator_ativo'])
  })

  test('setting up the second factor returns the recovery codes once for concurrent confirmations', async () => {
    const own = await app.as(await createUser(app))
    const { segredo } = (await own.post(path)).body
    const codigo = codeNow(app, segredo)
    const answers = await Promise.all([1, 2, 3].map(() => own.post(`${path}/confirmar`, { codigo })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await own.get(path)).body.codigosRestantes).toBe(10)
  })
})

describe('a wrong code', () => {
  test.each(['confirmar', 'codigos', 'desativar'])(
    'a wrong code is reported at its field and limited: %s',
    async (what) => {
      const user = await createUser(app)
      const own = await app.as(user)
      const { secret } = await giveSecondFactor(app, user.idUsuario, { isPending: what === 'confirmar' })
      for (let i = 0; i < limit; i += 1) {
        expect(await own.post(`${path}/${what}`, { codigo: wrongCode(app, secret) })).toMatchObject({
          status: 422,
          body: {
            campos: {
              codigo: 'Este código não confere ou já foi usado. Aguarde o próximo e tente novamente.',
            },
          },
        })
      }
      expect((await own.post(`${path}/${what}`, { codigo: codeNow(app, secret) })).status).toBe(429)
      expect(await trail()).toEqual([])
      app.clock.offsetMs += 16 * minute
      expect((await own.post(`${path}/${what}`, { codigo: codeNow(app, secret) })).status).toBeLessThan(300)
    },
  )

  test('a wrong code is reported at its field, without counting, when it is empty', async () => {
    const { own } = await enrolled()
    for (let i = 0; i <= limit; i += 1) {
      const { status, body } = await own.post(`${path}/desativar`, { codigo: ' - ' })
      expect([status, Object.keys(body.campos)]).toEqual([422, ['codigo']])
    }
  })
})

describe('changing the second factor', () => {
  test('changing the second factor voids the earlier recovery codes when new ones are created', async () => {
    const { user, own, secret, recoveryCodes } = await enrolled()
    const { status, body } = await own.post(`${path}/codigos`, { codigo: codeNow(app, secret) })
    expect([status, body.codigosRecuperacao.length]).toEqual([200, 10])
    expect((await signIn(user.emailUsuario, recoveryCodes[0])).status).toBe(401)
    expect((await signIn(user.emailUsuario, body.codigosRecuperacao[0])).status).toBe(200)
    expect((await own.get(path)).body.codigosRestantes).toBe(9)
    expect((await trail()).map(([acao]) => acao)).toEqual([
      'second-factor.codes-renewed',
      'second-factor.code-used',
    ])
    expect(await told(user.idUsuario)).toEqual([
      'Códigos de recuperação trocados',
      'Código de recuperação usado',
    ])
  })

  test('changing the second factor turns it off with a code of the app or a recovery code, after which the password suffices', async () => {
    const { user, own, recoveryCodes } = await enrolled()
    expect((await own.post(`${path}/desativar`, { codigo: recoveryCodes[0] })).status).toBe(204)
    expect((await own.get(path)).body).toMatchObject({ ativo: false, codigosRestantes: 0 })
    expect((await signIn(user.emailUsuario)).status).toBe(200)
    expect((await trail()).map(([acao]) => acao)).toEqual([
      'second-factor.code-used',
      'second-factor.disabled',
    ])
    expect(await told(user.idUsuario)).toEqual(['Código de recuperação usado', 'Segundo fator desativado'])
    const again = await own.post(`${path}/desativar`, { codigo: recoveryCodes[1] })
    expect([again.status, again.body.codigo]).toEqual([409, 'segundo_fator_ausente'])
  })

  test('changing the second factor cannot turn it off where it is required, and does not consume the code', async () => {
    const admin = await enrolled({ tipoUsuario: 'ADMIN' })
    const user = await enrolled()
    for (const [rule, ofAdmin, ofUser] of [
      ['administradores', 409, 204],
      ['todos', 409, 409],
      ['opcional', 204, 204],
    ] as const) {
      await demand(rule)
      for (const [person, status] of [
        [admin, ofAdmin],
        [user, ofUser],
      ] as const) {
        const { secret } = await giveSecondFactor(app, person.user.idUsuario)
        const answer = await person.own.post(`${path}/desativar`, { codigo: codeNow(app, secret) })
        expect(answer.status, rule).toBe(status)
        if (status === 409) {
          expect(answer.body.codigo).toBe('segundo_fator_exigido')
          expect((await person.own.get(path)).body.exigido).toBe(true)
          expect((await signIn(person.user.emailUsuario, codeNow(app, secret))).status).toBe(200)
        }
      }
    }
  })
})

describe('POST /usuarios/:id/segundo-fator/redefinir', () => {
  const reset = (id: number) => `/usuarios/${id}/segundo-fator/redefinir`

  test('POST /usuarios/:id/segundo-fator/redefinir removes the factor, ends the sessions, audits the reset and notifies the user', async () => {
    const { user, own } = await enrolled()
    const admin = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
    const boss = await app.as(admin)
    expect((await boss.get(`/usuarios/${user.idUsuario}`)).body.segundoFator).toBe(true)
    expect((await boss.post(reset(user.idUsuario))).status).toBe(204)
    expect((await boss.get(`/usuarios/${user.idUsuario}`)).body.segundoFator).toBe(false)
    expect((await own.get('/usuarios/sessao')).status).toBe(401)
    expect((await signIn(user.emailUsuario)).status).toBe(200)
    expect(await trail()).toEqual([
      ['second-factor.reset', admin.idUsuario, `usuario:${user.idUsuario}`, { sessoesEncerradas: 1 }],
    ])
    expect(await told(user.idUsuario)).toEqual(['Segundo fator redefinido'])
    expect(await app.db.selectFrom('codigoRecuperacao').selectAll().execute()).toEqual([])
    const again = await boss.post(reset(user.idUsuario))
    expect([again.status, again.body.codigo]).toEqual([409, 'segundo_fator_ausente'])
  })

  test("POST /usuarios/:id/segundo-fator/redefinir is refused for the caller's own account, an unknown one and a factor that was never confirmed", async () => {
    const { user, own } = await enrolled({ tipoUsuario: 'ADMIN' })
    const pending = await createUser(app)
    await giveSecondFactor(app, pending.idUsuario, { isPending: true })
    for (const [id, status, codigo] of [
      [user.idUsuario, 409, 'propria_conta'],
      [999_999, 404, 'nao_encontrado'],
      [pending.idUsuario, 409, 'segundo_fator_ausente'],
    ] as const) {
      const answer = await own.post(reset(id))
      expect([answer.status, answer.body.codigo]).toEqual([status, codigo])
    }
    expect((await own.get(path)).body.ativo).toBe(true)
  })
})
