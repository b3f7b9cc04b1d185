import { describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { mailsOf } from '../../../test/mails.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/* A stranger holds a session of the account, or knows its password, and sets up a second factor. */

const hourMs = 3_600_000
const path = '/conta/segundo-fator'
const another = 'Outra senha, de agora em diante 7'

const app = useTestApp()

const scene = async (fields: Parameters<typeof createUser>[1] = {}) => {
  const user = await createUser(app, fields)
  return { user, stolen: await app.as(user), own: await app.as(user) }
}
const signIn = (username: string, typed: string) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: typed })
const enrolments = async () => [
  ...(await app.db.selectFrom('segundoFator').select('idUsuario').where('ativoEm', 'is', null).execute()),
  ...(await app.db.selectFrom('segundoFatorNovo').select('idUsuario').execute()),
]

describe('an unconfirmed enrolment', () => {
  test('an unconfirmed enrolment is confirmed only by the session that started it', async () => {
    const { stolen, own } = await scene()
    const { segredo } = (await stolen.post(path)).body
    const codigo = codeNow(app, segredo)
    const byAnother = await own.post(`${path}/confirmar`, { codigo })
    expect([byAnother.status, byAnother.body.codigo]).toEqual([409, 'segundo_fator_ausente'])
    expect((await stolen.post(`${path}/confirmar`, { codigo })).status).toBe(200)
  })

  test('an unconfirmed enrolment is confirmed only by its session when it replaces an active device', async () => {
    const { user, stolen, own } = await scene()
    const { secret } = await giveSecondFactor(app, user.idUsuario)
    const { segredo } = (await stolen.post(path, { codigo: codeNow(app, secret) })).body
    const byAnother = await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    expect([byAnother.status, byAnother.body.codigo]).toEqual([409, 'segundo_fator_ativo'])
  })

  test.each([
    ["'Encerrar todas'", (own: Session) => own.del('/conta/sessoes')],
    ["'Encerrar todas', this one included", (own: Session) => own.del('/conta/sessoes?atual=true')],
    ["'Encerrar' of its session", (own: Session, id: string) => own.del(`/conta/sessoes/${id}`)],
  ])('an unconfirmed enrolment is deleted by %s', async (_name, end) => {
    const { stolen, own } = await scene()
    await stolen.post(path)
    await end(own, sessionIdOf(stolen))
    expect(await enrolments()).toEqual([])
  })

  test("an unconfirmed enrolment is deleted by 'Encerrar todas' when it would replace an active device", async () => {
    const { user, stolen, own } = await scene()
    const { secret } = await giveSecondFactor(app, user.idUsuario)
    await stolen.post(path, { codigo: codeNow(app, secret) })
    expect(await enrolments()).toHaveLength(1)
    await own.del('/conta/sessoes')
    expect(await enrolments()).toEqual([])
  })

  test('an unconfirmed enrolment is deleted when its session signs out', async () => {
    const { stolen } = await scene()
    await stolen.post(path)
    await stolen.post('/usuarios/sair')
    expect(await enrolments()).toEqual([])
  })
})

describe('the e-mail about a new second factor', () => {
  /**
   * Activates the stranger's second factor. @returns the token of the link that the owner received
   */
  const lockedOut = async () => {
    const { user, stolen } = await scene()
    const { segredo } = (await stolen.post(path)).body
    expect((await stolen.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })).status).toBe(200)
    return { user, stolen, token: await latestToken() }
  }
  const latestToken = async () => {
    const sent = (await mailsOf(app)).at(-1)
    const link = sent && 'link' in sent.mail ? (sent.mail.link ?? '') : ''
    expect(link).toMatch(/\/remover-segundo-fator\?token=[\w-]{43}$/)
    return link.split('token=')[1] ?? ''
  }
  const remove = (token: string) => app.anonymous.post('/login/remover-segundo-fator', { token })

  test('the e-mail about a new second factor carries a link that removes it, ends every session, and works once', async () => {
    const { user, stolen, token } = await lockedOut()
    expect((await signIn(user.emailUsuario, password)).body.codigo).toBe('segundo_fator_necessario')
    expect((await app.anonymous.post('/login/verificar-link', { token })).body).toMatchObject({
      tipo: 'segundo_fator',
      emailUsuario: user.emailUsuario,
    })
    expect((await remove(token)).status).toBe(204)
    expect((await stolen.get('/usuarios/sessao')).status).toBe(401)
    expect((await signIn(user.emailUsuario, password)).status).toBe(200)
    const again = await remove(token)
    expect([again.status, again.body.codigo]).toEqual([400, 'link_invalido'])
    const lines = app.db
      .selectFrom('auditoria')
      .select(['idUsuario', 'detalhes'])
      .where('acao', '=', 'second-factor.disabled')
    expect(await lines.execute()).toEqual([
      { idUsuario: user.idUsuario, detalhes: { meio: 'link', sessoesEncerradas: 1 } },
    ])
  })

  test('the e-mail about a new second factor carries the link also when a device replaces another', async () => {
    const { user, own } = await scene()
    const { secret } = await giveSecondFactor(app, user.idUsuario)
    const { segredo } = (await own.post(path, { codigo: codeNow(app, secret) })).body
    await own.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    expect((await remove(await latestToken())).status).toBe(204)
  })

  test('the e-mail about a new second factor carries a link that is valid for 24 hours', async () => {
    const { user, token } = await lockedOut()
    app.clock.offsetMs = 24 * hourMs + 1_000
    expect((await remove(token)).status).toBe(400)
    expect((await signIn(user.emailUsuario, password)).body.codigo).toBe('segundo_fator_necessario')
    app.clock.offsetMs = 24 * hourMs - 60_000
    expect((await remove(token)).status).toBe(204)
  })

  test('the e-mail about a new second factor carries a link that a change of the password does not void', async () => {
    const { user, stolen, token } = await lockedOut()
    expect((await stolen.put(`/usuario/mudarsenha/${user.idUsuario}`, { senha: another })).status).toBe(204)
    expect((await remove(token)).status).toBe(204)
    expect((await signIn(user.emailUsuario, another)).status).toBe(200)
  })

  test('the e-mail about a new second factor carries a link that a change of the e-mail and further devices do not void', async () => {
    const { user, stolen } = await scene({ tipoUsuario: 'ADMIN' })
    const { segredo } = (await stolen.post(path)).body
    await stolen.post(`${path}/confirmar`, { codigo: codeNow(app, segredo) })
    const token = await latestToken()
    const moved = await stolen.put(`/usuarios/${user.idUsuario}`, { emailUsuario: 'outro@exemplo.com' })
    expect(moved.status).toBe(200)
    app.clock.offsetMs += 31_000
    const next = await stolen.post(path, { codigo: codeNow(app, segredo) })
    expect(next.status).toBe(200)
    await stolen.post(`${path}/confirmar`, { codigo: codeNow(app, next.body.segredo) })
    expect((await remove(token)).status).toBe(204)
    expect((await stolen.get('/usuarios/sessao')).status).toBe(401)
    expect((await signIn('outro@exemplo.com', password)).status).toBe(200)
  })

  test('the e-mail about a new second factor carries a link that sets no password, and no password link removes a factor', async () => {
    const { user, token } = await lockedOut()
    const set = await app.anonymous.post('/login/redefinir-senha', { token, novaSenha: another })
    expect([set.status, set.body.codigo]).toEqual([400, 'link_invalido'])
    await app.anonymous.post('/login/recuperar-senha', { email: user.emailUsuario })
    const sent = (await mailsOf(app)).at(-1)
    const link = sent && 'link' in sent.mail ? (sent.mail.link ?? '') : ''
    expect((await remove(link.split('token=')[1] ?? '')).status).toBe(400)
    expect((await remove(token)).status).toBe(204)
  })

  test('the e-mail about a new second factor carries a link that is void once an ADMIN has blocked the account', async () => {
    const { user, token } = await lockedOut()
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await admin.put(`/usuarios/${user.idUsuario}`, { situacao: 'BLOQUEADO' })
    expect((await remove(token)).status).toBe(400)
  })
})

type Session = Awaited<ReturnType<TestApp['as']>>

const sessionIdOf = ({ token }: Session): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti
