import { beforeEach, describe, expect, test } from 'vitest'
import { codeAt, codeNow, giveSecondFactor, wrongCode } from '../../../test/accounts/second-factor.ts'
import { mailsOf } from '../../../test/mails.ts'
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

const enrolled = async (fields: Parameters<typeof createUser>[1] = {}) => {
  const user = await createUser(app, fields)
  const own = await app.as(user)
  return { user, own, ...(await giveSecondFactor(app, user.idUsuario)) }
}

const demandOfAll = () => app.db.updateTable('configuracao').set({ segundoFator: 'todos' }).execute()

const signIn = (username: string, codigo?: string) =>
  app.anonymous.post('/usuarios/authorizer', { username, password, codigo })

const secondSession = async (username: string, code: string) => {
  const { body } = await signIn(username, code)
  return app.withHeaders({ authorization: `Bearer ${body.access_token}` })
}

const actions = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select(['acao', 'detalhes'])
    .where('acao', 'like', 'second-factor.%')
    .orderBy('idAuditoria')
    .execute()
  return rows.map(({ acao, detalhes }) => [acao, detalhes])
}

describe('replacing the device', () => {
  test('replacing the device activates the new device once it shows a code, also where the factor is required', async () => {
    const { user, own, secret, recoveryCodes } = await enrolled({ tipoUsuario: 'ADMIN' })
    const other = await secondSession(user.emailUsuario, recoveryCodes[0] ?? '')
    await demandOfAll()
    const started = await own.post(path, { codigo: codeNow(app, secret) })
    expect(started.status).toBe(200)
    const { segredo, uri } = started.body
    expect(new URL(uri).searchParams.get('secret')).toBe(segredo)
    expect(segredo).not.toBe(secret)
    // Until the confirmation only the old device's codes are accepted.
    expect((await own.get(path)).body).toMatchObject({ ativo: true, codigosRestantes: 9, exigido: true })
    expect((await signIn(user.emailUsuario, codeNow(app, segredo))).body.codigo).toBe('codigo_invalido')
    app.clock.offsetMs += stepMs
    expect((await signIn(user.emailUsuario, codeNow(app, secret))).status).toBe(200)

    const confirmed = await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    expect([confirmed.status, confirmed.body.codigosRecuperacao.length]).toEqual([200, 10])
    expect((await own.get(path)).body).toMatchObject({ ativo: true, codigosRestantes: 10 })
    expect((await other.get('/usuarios/sessao')).status).toBe(401)
    expect((await own.get('/usuarios/sessao')).status).toBe(200)
    app.clock.offsetMs += stepMs
    for (const dead of [codeNow(app, secret), recoveryCodes[1], recoveryCodes[9]]) {
      expect((await signIn(user.emailUsuario, dead)).body.codigo).toBe('codigo_invalido')
    }
    expect((await signIn(user.emailUsuario, codeNow(app, segredo))).status).toBe(200)
    expect((await signIn(user.emailUsuario, confirmed.body.codigosRecuperacao[0])).status).toBe(200)
    expect(await actions()).toContainEqual(['second-factor.replaced', { sessoesEncerradas: 2 }])
    expect(await app.db.selectFrom('segundoFatorNovo').selectAll().execute()).toEqual([])
  })

  test('replacing the device can start with a recovery code, which is consumed', async () => {
    const { own, recoveryCodes } = await enrolled()
    const codigo = recoveryCodes[3]
    const { segredo } = (await own.post(path, { codigo })).body
    expect((await own.post(path, { codigo })).status).toBe(422)
    expect((await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })).status).toBe(200)
    expect((await actions()).map(([action]) => action)).toEqual([
      'second-factor.code-used',
      'second-factor.replaced',
    ])
  })

  test('replacing the device requires the password after ten minutes, before it consumes the code', async () => {
    const { own, secret } = await enrolled()
    app.clock.offsetMs += 11 * minute
    const codigo = codeNow(app, secret)
    expect(await own.post(path, { codigo })).toMatchObject({
      status: 403,
      body: { codigo: 'reautenticacao_necessaria' },
    })
    const wrong = await own.post(path, { codigo, senhaAtual: 'errada' })
    expect([wrong.status, Object.keys(wrong.body.campos)]).toEqual([422, ['senhaAtual']])
    expect((await own.post(path, { codigo, senhaAtual: password })).status).toBe(200)
  })

  test('replacing the device requires a right code, and limits wrong ones', async () => {
    const { own, secret } = await enrolled()
    expect(await own.post(path)).toMatchObject({ status: 409, body: { codigo: 'segundo_fator_ativo' } })
    for (const codigo of ['', ' - ']) {
      expect((await own.post(path, { codigo })).body.campos).toHaveProperty('codigo')
    }
    for (let i = 0; i < limit; i += 1) {
      const { status, body } = await own.post(path, { codigo: wrongCode(app, secret) })
      expect([status, Object.keys(body.campos)]).toEqual([422, ['codigo']])
    }
    expect((await own.post(path, { codigo: codeNow(app, secret) })).status).toBe(429)
    expect(await app.db.selectFrom('segundoFatorNovo').selectAll().execute()).toEqual([])
  })

  test('replacing the device is confirmed by a code of the new device only, within ten minutes, once', async () => {
    const { own, secret } = await enrolled()
    const { segredo } = (await own.post(path, { codigo: codeNow(app, secret) })).body
    const ofTheOld = codeAt(secret, Date.now() + app.clock.offsetMs + stepMs)
    expect((await own.post(`${path}/confirmar`, { codigo: ofTheOld })).status).toBe(422)
    app.clock.offsetMs += 10 * minute
    const late = await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    expect([late.status, late.body.codigo]).toEqual([409, 'segundo_fator_ativo'])

    const again = await own.post(path, { codigo: codeNow(app, secret), senhaAtual: password })
    const codigo = codeNow(app, again.body.segredo)
    const answers = await Promise.all([1, 2].map(() => own.post(`${path}/confirmar`, { codigo })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('replacing the device is discarded when the factor is turned off or reset', async () => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { user, own, secret, recoveryCodes } = await enrolled()
    const { segredo } = (await own.post(path, { codigo: codeNow(app, secret) })).body
    await own.post(`${path}/desativar`, { codigo: recoveryCodes[0] })
    const off = await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    expect(off.body.codigo).toBe('segundo_fator_ausente')

    const lost = await giveSecondFactor(app, user.idUsuario)
    await own.post(path, { codigo: codeNow(app, lost.secret) })
    expect((await admin.post(`/usuarios/${user.idUsuario}/segundo-fator/redefinir`)).status).toBe(204)
    expect(await app.db.selectFrom('segundoFatorNovo').selectAll().execute()).toEqual([])
  })

  test('replacing the device stores its secret encrypted', async () => {
    const { own, secret } = await enrolled()
    const { segredo } = (await own.post(path, { codigo: codeNow(app, secret) })).body
    const [row] = await app.db.selectFrom('segundoFatorNovo').selectAll().execute()
    expect(row?.segredo).not.toContain(segredo)
    expect(row && app.services.secrets.decrypt(row.segredo)).toBe(segredo)
    expect(JSON.stringify(await app.db.selectFrom('auditoria').selectAll().execute())).not.toContain(segredo)
  })
})

describe('an e-mail about the second factor', () => {
  const told = async () =>
    (await mailsOf(app)).map(({ para, mail }) => ({ para, what: 'mudanca' in mail ? mail.mudanca : mail }))

  test('an e-mail about the second factor reports every change, and no failed one', async () => {
    const user = await createUser(app)
    const own = await app.as(user)
    const { segredo } = (await own.post(path)).body
    await own.post(`${path}/confirmar`, { codigo: wrongCode(app, segredo) })
    expect(await told()).toEqual([])
    const { codigosRecuperacao: codes } = (
      await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    ).body
    const next = await own.post(path, { codigo: codes[0] })
    const replaced = await own.post(`${path}/confirmar`, { codigo: codeNow(app, next.body.segredo) })
    const renewed = await own.post(`${path}/codigos`, { codigo: replaced.body.codigosRecuperacao[0] })
    await own.post(`${path}/desativar`, { codigo: renewed.body.codigosRecuperacao[0] })
    expect(await told()).toEqual(
      ['ativado', 'trocado', 'codigos', 'desativado'].map((what) => ({ para: user.emailUsuario, what })),
    )
    const [first] = await mailsOf(app)
    expect(first?.mail).toMatchObject({ nome: user.nomeUsuario, quando: expect.stringMatching(/Z$/) })
  })

  test('an e-mail about the second factor names the ADMIN who reset it', async () => {
    const { user } = await enrolled()
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
    await admin.post(`/usuarios/${user.idUsuario}/segundo-fator/redefinir`)
    expect(await mailsOf(app)).toMatchObject([
      {
        para: user.emailUsuario,
        mail: { modelo: 'segundo_fator', mudanca: 'redefinido', por: 'Marina Alves' },
      },
    ])
  })
})
