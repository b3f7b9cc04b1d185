import { VISIT_CREDENTIAL, VISIT_LINK_MINUTES } from '@bi-manager/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allowGuests, createGuest, openedVisit, sentLink } from '../../../test/distribution/guests.ts'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { linkIn, mailsOf, testSender } from '../../../test/mails.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { createUser } from '../../../test/users.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { invitationToken } from './invitation.ts'

const minute = 60_000
const { suite, publish } = embeddingSuite({ RATE_LIMIT_PER_MINUTE: '1000000' })

const start = async (fields: Partial<Parameters<typeof createGuest>[1]> = {}) => {
  const { report } = await publish({ nomeRelatorio: 'Sinistralidade' })
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
  const guest = await createGuest(suite.app, {
    idRelatorio: report.idRelatorio,
    convidadoPor: admin.idUsuario,
    ...fields,
  })
  const convite = invitationToken(suite.app.services.secrets, guest.idConvidado)
  return {
    report,
    admin,
    guest,
    convite,
    ask: (token = convite) => post('/visita/pedido', { convite: token }),
  }
}

const post = (url: string, body: object, remoteAddress = '198.51.100.7') =>
  suite.app.app.inject({ method: 'POST', url: `/api${url}`, payload: body, remoteAddress })
const enter = (token: string) => post('/visita/entrada', { token })
const codeOf = (answer: Awaited<ReturnType<typeof post>>) => [answer.statusCode, answer.json().codigo]

const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()
const setGuest = (fields: object) => suite.app.db.updateTable('convidado').set(fields).execute()

describe('POST /visita/pedido', () => {
  test('POST /visita/pedido sends a link to the address of the invitation, and keeps a digest only', async () => {
    const { guest, ask } = await start()
    const answer = await ask()
    expect(answer.statusCode).toBe(200)
    expect(answer.json().mensagem).toMatch(/^Se este convite ainda vale, enviamos um link/)
    const [sent] = await mailsOf(suite.app)
    expect(sent).toMatchObject({
      para: guest.emailConvidado,
      mail: { modelo: 'convidado_link', relatorio: 'Sinistralidade', minutos: 15 },
    })
    const token = linkIn(sent)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(
      JSON.stringify(await suite.app.db.selectFrom('convidadoLink').selectAll().execute()),
    ).not.toContain(token)
    expect(await linesOf('guest.link-asked')).toMatchObject([
      { idUsuario: null, objeto: `convidado:${guest.idConvidado}`, detalhes: { enviado: true } },
    ])
  })

  test('POST /visita/pedido sends a link whose minutes count from its hand-over to the mail server', async () => {
    const { ask } = await start()
    await ask()
    const token = linkIn((await mailsOf(suite.app))[0])
    let isDeferred = true
    const { url, close, received } = await startSmtp({
      onRcptTo: (_address, _session, done) =>
        done(isDeferred ? Object.assign(new Error('greylisted'), { responseCode: 451 }) : null),
    })
    onTestFinished(close)
    const config = loadConfig({ DATA_DIR: suite.app.dataDir, SMTP_URL: url })
    const sender = testSender({ ...suite.app.services, config })
    onTestFinished(sender.close)
    await sender.sendDue()
    isDeferred = false
    await moveClockTo(suite.app, 25 * minute)
    await sender.sendDue()
    expect(received).toHaveLength(1)
    await moveClockTo(suite.app, (25 + VISIT_LINK_MINUTES + 1) * minute)
    expect(codeOf(await enter(token))).toEqual([400, 'link_invalido'])
    await moveClockTo(suite.app, (25 + VISIT_LINK_MINUTES - 1) * minute)
    expect((await enter(token)).statusCode).toBe(201)
  })

  test('POST /visita/pedido answers alike, and sends nothing, for a forged, revoked, ended or switched-off invitation', async () => {
    const { convite, guest, ask } = await start()
    const good = (await ask()).body
    const [, digest = ''] = convite.split('.')
    for (const forged of [
      '',
      'x',
      `${guest.idConvidado + 1}.${digest}`,
      `${convite.slice(0, -1)}!`,
      `${convite}a`,
    ])
      expect((await ask(forged)).body, forged).toBe(good)
    await setGuest({ revogadoEm: new Date() })
    expect((await ask()).body).toBe(good)
    await setGuest({ revogadoEm: null, venceEm: new Date(Date.now() - 1_000) })
    expect((await ask()).body).toBe(good)
    await allowGuests(suite.app, { ligado: false })
    expect((await ask()).body).toBe(good)
    await suite.app.db.deleteFrom('convidado').execute()
    expect((await ask()).body).toBe(good)
    expect(await mailsOf(suite.app)).toHaveLength(1)
  })

  test('POST /visita/pedido sends five links in 15 minutes, and answers alike beyond them', async () => {
    const { ask } = await start()
    const answers = []
    for (let n = 0; n < 7; n += 1) answers.push((await ask()).body)
    expect(new Set(answers).size).toBe(1)
    expect(await mailsOf(suite.app)).toHaveLength(5)
    suite.app.clock.offsetMs = 16 * 60_000
    await ask()
    expect(await mailsOf(suite.app)).toHaveLength(6)
  })

  test('POST /visita/pedido counts the links of all invitations of an e-mail together', async () => {
    const { ask, guest } = await start()
    const { report } = await publish()
    const { convidadoPor } = guest
    const other = await createGuest(suite.app, {
      idRelatorio: report.idRelatorio,
      convidadoPor,
      emailConvidado: guest.emailConvidado.toUpperCase(),
    })
    const convite = invitationToken(suite.app.services.secrets, other.idConvidado)
    for (let n = 0; n < 4; n += 1) {
      await ask()
      await ask(convite)
    }
    expect(await mailsOf(suite.app)).toHaveLength(5)
  })

  test('POST /visita/pedido limits the requests of a network, known invitations or not', async () => {
    const { ask, convite } = await start()
    const { perAddress } = suite.app.services.config.signInFailures
    for (let n = 0; n < perAddress; n += 1) expect((await ask(`x${n}`)).statusCode).toBe(200)
    expect(codeOf(await ask())).toEqual([429, 'muitas_tentativas'])
    expect((await post('/visita/pedido', { convite }, '203.0.113.9')).statusCode).toBe(200)
  })
})

describe('POST /visita/entrada', () => {
  test('POST /visita/entrada opens a visit of at most eight hours, notes it, and keeps a digest only', async () => {
    const { guest } = await start()
    const answer = await enter(await sentLink(suite.app, guest))
    expect(answer.statusCode).toBe(201)
    const { credencial, expiraEm } = answer.json()
    expect(credencial).toMatch(VISIT_CREDENTIAL)
    const hours = (Date.parse(expiraEm) - suite.app.services.now().getTime()) / 3_600_000
    expect(hours).toBeGreaterThan(7.9)
    expect(hours).toBeLessThanOrEqual(8)
    const stored = JSON.stringify(await suite.app.db.selectFrom('convidadoVisita').selectAll().execute())
    expect(stored).not.toContain(credencial)
    const row = await suite.app.db.selectFrom('convidado').select('ultimaVisita').executeTakeFirst()
    expect(row?.ultimaVisita).toBeInstanceOf(Date)
    expect(await linesOf('guest.visit-opened')).toMatchObject([{ objeto: `convidado:${guest.idConvidado}` }])
  })

  test('POST /visita/entrada ends with the last day, if that comes first', async () => {
    const venceEm = new Date(Date.now() + 3_600_000)
    const { guest } = await start({ venceEm })
    const answer = await enter(await sentLink(suite.app, guest))
    expect(answer.json().expiraEm).toBe(venceEm.toISOString())
  })

  test('POST /visita/entrada accepts a link once, also of two calls at once, and voids the other links', async () => {
    const { guest } = await start()
    const [token, other] = [await sentLink(suite.app, guest), await sentLink(suite.app, guest)]
    const both = await Promise.all([enter(token), enter(token)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400])
    expect(codeOf(await enter(token))).toEqual([400, 'link_invalido'])
    expect(codeOf(await enter(other))).toEqual([400, 'link_invalido'])
  })

  test('POST /visita/entrada refuses a link after 15 minutes, and an unknown one', async () => {
    const { guest } = await start()
    const token = await sentLink(suite.app, guest)
    expect(codeOf(await enter('x'))).toEqual([400, 'link_invalido'])
    suite.app.clock.offsetMs = 15 * 60_000 + 1_000
    expect(codeOf(await enter(token))).toEqual([400, 'link_invalido'])
  })

  test('POST /visita/entrada is not consumed by opening its address, as programs that read e-mails do', async () => {
    const { guest } = await start()
    const token = await sentLink(suite.app, guest)
    for (const url of [`/visita/entrar?token=${token}`, `/api/visita/entrada?token=${token}`])
      await suite.app.app.inject({ method: 'GET', url })
    expect((await enter(token)).statusCode).toBe(201)
  })

  test.each([
    ['was revoked', { revogadoEm: new Date() }],
    ['has ended', { venceEm: new Date(Date.now() - 1_000) }],
    ['has no ADMIN who answers for it', { convidadoPor: null }],
  ])('POST /visita/entrada refuses the link of an invitation that %s', async (_, fields) => {
    const { guest } = await start()
    const token = await sentLink(suite.app, guest)
    await setGuest(fields)
    expect(codeOf(await enter(token))).toEqual([400, 'link_invalido'])
    expect(await suite.app.db.selectFrom('convidadoVisita').selectAll().execute()).toEqual([])
  })

  test('POST /visita/entrada replaces the visit that was open', async () => {
    const { guest } = await start()
    const before = await openedVisit(suite.app, guest)
    const { credencial } = (await enter(await sentLink(suite.app, guest))).json()
    const call = (credential: string) =>
      suite.app.withHeaders({ authorization: `Bearer ${credential}` }).get('/visita')
    expect((await call(before)).status).toBe(401)
    expect((await call(credencial)).status).toBe(200)
  })
})

describe('a visit', () => {
  test('a visit shows the report’s name, the guest’s address and its end, and can be left', async () => {
    const { guest } = await start()
    const visit = suite.app.withHeaders({
      authorization: `Bearer ${await openedVisit(suite.app, guest)}`,
    })
    const { body } = await visit.get('/visita')
    expect(body).toEqual({
      nomeRelatorio: 'Sinistralidade',
      emailConvidado: guest.emailConvidado,
      expiraEm: expect.any(String),
    })
    expect((await visit.post('/visita/sair')).status).toBe(204)
    const after = await visit.get('/visita')
    expect([after.status, after.body.codigo]).toEqual([401, 'visita_encerrada'])
    expect(await linesOf('guest.visit-ended')).toHaveLength(1)
  })

  test('a visit ends after eight hours', async () => {
    const { guest } = await start()
    const authorization = `Bearer ${await openedVisit(suite.app, guest)}`
    const visit = suite.app.withHeaders({ authorization })
    suite.app.clock.offsetMs = 8 * 3_600_000 + 1_000
    expect((await visit.get('/visita')).status).toBe(401)
  })

  test.each(['Basic', 'bearer', 'Bearer  '])('a visit is not read after %s', async (scheme) => {
    const { guest } = await start()
    const authorization = `${scheme} ${await openedVisit(suite.app, guest)}`
    expect((await suite.app.withHeaders({ authorization }).get('/visita')).status).toBe(401)
  })

  test('a visit is bound to the networks of the rules, as its request and its entry are', async () => {
    const { guest, convite } = await start()
    const [token, credential] = [await sentLink(suite.app, guest), await openedVisit(suite.app, guest)]
    await allowGuests(suite.app, { redes: ['203.0.113.0/24'] })
    const visit = (remoteAddress: string) =>
      suite.app.app.inject({
        url: '/api/visita',
        headers: { authorization: `Bearer ${credential}` },
        remoteAddress,
      })
    const refusal = [403, 'rede_de_convidado']
    expect(codeOf(await visit('198.51.100.7'))).toEqual(refusal)
    expect(codeOf(await post('/visita/pedido', { convite }))).toEqual(refusal)
    expect(codeOf(await enter(token))).toEqual(refusal)
    expect((await visit('203.0.113.7')).statusCode).toBe(200)
    expect((await post('/visita/entrada', { token }, '203.0.113.7')).statusCode).toBe(201)
  })

  test('a visit keeps its limit of calls when its credential is used from another network', async () => {
    const { guest } = await start()
    const credential = await openedVisit(suite.app, guest)
    await allowGuests(suite.app, { redes: ['203.0.113.0/24'] })
    const { config } = suite.app.services
    const limited = await suite.app.anotherServer({ config: { ...config, callsPerMinute: 20 } })
    onTestFinished(() => limited.close())
    const visit = async (remoteAddress: string) => {
      const headers = { authorization: `Bearer ${credential}` }
      return (await limited.inject({ url: '/api/visita', headers, remoteAddress })).statusCode
    }
    expect(await visit('203.0.113.7')).toBe(200)
    const refused = []
    for (let n = 0; n < 25; n += 1) refused.push(await visit('198.51.100.7'))
    expect(new Set(refused)).toEqual(new Set([403, 429]))
    expect(await visit('203.0.113.7')).toBe(200)
  })
})
