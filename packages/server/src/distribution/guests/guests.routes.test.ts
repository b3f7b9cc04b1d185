import { describe, expect, test } from 'vitest'
import { allowGuests, createGuest, openedVisit, sentLink } from '../../../test/distribution/guests.ts'
import { mailsOf } from '../../../test/mails.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'
import { dayOf } from '../../platform/lib/local-time.ts'

const { suite, publish } = embeddingSuite()

const inDays = (days: number): string =>
  dayOf(new Date(suite.app.services.now().getTime() + days * 24 * 3_600_000))

const start = async (fields: Parameters<typeof publish>[0] = {}) => {
  await allowGuests(suite.app)
  const { report } = await publish({ nomeRelatorio: 'Sinistralidade', ...fields })
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Gestora' })
  const draft = (more: object = {}) => ({
    emailConvidado: 'Auditor@Externo.com.br',
    idRelatorio: report.idRelatorio,
    ultimoDia: inDays(10),
    motivo: 'Auditoria anual',
    ...more,
  })
  return { report, admin, asAdmin: await suite.app.as(admin), draft }
}

const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()

const visits = async () => {
  const rows = await Promise.all([
    suite.app.db.selectFrom('convidadoVisita').selectAll().execute(),
    suite.app.db.selectFrom('convidadoLink').selectAll().execute(),
  ])
  return rows.map(({ length }) => length)
}

describe('POST /convidados', () => {
  test('POST /convidados invites one person to one report by e-mail, and audits it', async () => {
    const { report, admin, asAdmin, draft } = await start()
    const { status, body } = await asAdmin.post('/convidados', draft())
    expect(status).toBe(201)
    expect(body).toMatchObject({
      emailConvidado: 'Auditor@externo.com.br',
      idRelatorio: report.idRelatorio,
      nomeRelatorio: 'Sinistralidade',
      ultimoDia: inDays(10),
      motivo: 'Auditoria anual',
      situacao: 'ATIVO',
      impedimento: null,
      emVisita: false,
      convidadoPor: 'Gestora',
      ultimaVisita: null,
      revogadoEm: null,
    })
    const { idConvidado } = body
    expect(await linesOf('guest.created')).toMatchObject([
      { idUsuario: admin.idUsuario, objeto: `convidado:${idConvidado}` },
    ])
    const [sent] = await mailsOf(suite.app)
    expect(sent).toMatchObject({
      para: 'Auditor@externo.com.br',
      mail: { modelo: 'convidado_convite', por: 'Gestora', relatorio: 'Sinistralidade' },
    })
    expect(JSON.stringify(sent)).toContain(`/visita?convite=${idConvidado}.`)
  })

  test('POST /convidados is refused while guests are off, which they are at first', async () => {
    const { asAdmin, draft } = await start()
    expect((await asAdmin.get('/configuracao/convidados')).body).toMatchObject({ ligado: true })
    await suite.app.reset()
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    expect((await admin.get('/configuracao/convidados')).body).toMatchObject({
      ligado: false,
      diasMaximos: 30,
      dominios: [],
      redes: [],
    })
    const { report } = await publish()
    const { status, body } = await admin.post('/convidados', draft({ idRelatorio: report.idRelatorio }))
    expect([status, body.codigo]).toEqual([409, 'convidados_desligados'])
    expect(await mailsOf(suite.app)).toEqual([])
  })

  test('POST /convidados requires a recent proof of identity', async () => {
    const { asAdmin, draft } = await start()
    suite.app.clock.offsetMs = 11 * 60_000
    const { status, body } = await asAdmin.post('/convidados', draft())
    expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
  })

  test.each([
    ['a day that has passed', -1, 'ultimoDia'],
    ['a day beyond the longest duration', 31, 'ultimoDia'],
  ])('POST /convidados refuses %s', async (_, days, field) => {
    const { asAdmin, draft } = await start()
    const { status, body } = await asAdmin.post('/convidados', draft({ ultimoDia: inDays(days) }))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
    expect((await asAdmin.post('/convidados', draft({ ultimoDia: inDays(30) }))).status).toBe(201)
  })

  test.each([
    ['an address of another domain', { emailConvidado: 'a@outro.com.br' }, 'emailConvidado'],
    ['a subdomain of an allowed one', { emailConvidado: 'a@sub.externo.com.br' }, 'emailConvidado'],
    ['no address', { emailConvidado: '' }, 'emailConvidado'],
    ['two addresses', { emailConvidado: 'a@externo.com.br,b@externo.com.br' }, 'emailConvidado'],
    ['no reason', { motivo: ' ' }, 'motivo'],
    ['an unknown report', { idRelatorio: 999_999 }, 'idRelatorio'],
  ])('POST /convidados refuses %s at its field', async (_, change, field) => {
    const { asAdmin, draft } = await start()
    await allowGuests(suite.app, { dominios: ['externo.com.br'] })
    const { status, body } = await asAdmin.post('/convidados', draft(change))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
    expect(await suite.app.db.selectFrom('convidado').selectAll().execute()).toEqual([])
    expect((await asAdmin.post('/convidados', draft())).status).toBe(201)
  })

  test.each([
    ['with sensitive data', { sensivel: true }, {}, 'idRelatorio'],
    ['that is paginated', { tipoRelatorio: 'PAGINADO' as const }, {}, 'idRelatorio'],
    ['with roles, without a user', { papeisRls: ['Operadora'] }, {}, 'usuarioIdentidade'],
    ['that sends an identity, without a user', { enviaIdentidade: true }, {}, 'usuarioIdentidade'],
    [
      'whose rows depend on the customData only, without it',
      { papeisRls: ['Operadora'], usuarioIdentidade: 'leitura' },
      { usuarioIdentidade: 'outro' },
      'identidadeRls',
    ],
  ])('POST /convidados refuses a report %s', async (_, fields, change, field) => {
    const { asAdmin, draft } = await start(fields)
    const { status, body } = await asAdmin.post('/convidados', draft(change))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
  })

  test('POST /convidados refuses a second invitation of the same person to the same report, until it is revoked', async () => {
    const { asAdmin, draft } = await start()
    const first = await asAdmin.post('/convidados', draft())
    const again = await asAdmin.post('/convidados', draft({ emailConvidado: 'auditor@externo.com.br' }))
    expect([again.status, again.body.codigo]).toEqual([409, 'convidado_ja_cadastrado'])
    await asAdmin.post(`/convidados/${first.body.idConvidado}/revogar`)
    expect((await asAdmin.post('/convidados', draft())).status).toBe(201)
  })
})

describe('PUT /convidados/:id', () => {
  test('PUT /convidados/:id changes the terms, ends the visit, and makes the ADMIN answer for the guest', async () => {
    const { report, asAdmin, draft } = await start()
    const { body: created } = await asAdmin.post('/convidados', draft())
    await openedVisit(suite.app, created)
    await sentLink(suite.app, created)
    const other = await suite.app.as(
      await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Outra' }),
    )
    const address = `/convidados/${created.idConvidado}`
    const body = { ultimoDia: inDays(5), motivo: 'Prazo menor', emailConvidado: 'b@c.com.br', idRelatorio: 1 }
    const changed = await other.put(address, body, { 'if-match': `"${created.versao}"` })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      ultimoDia: inDays(5),
      motivo: 'Prazo menor',
      convidadoPor: 'Outra',
      // Neither the person nor the report changes.
      emailConvidado: 'Auditor@externo.com.br',
      idRelatorio: report.idRelatorio,
    })
    expect(await visits()).toEqual([0, 0])
    expect(await linesOf('guest.updated')).toMatchObject([
      { detalhes: { antes: { ultimoDia: inDays(10) }, depois: { ultimoDia: inDays(5) } } },
    ])
    const outdated = await other.put(address, body, { 'if-match': `"${created.versao}"` })
    expect(outdated.status).toBe(412)
  })

  test('PUT /convidados/:id requires a recent proof, and refuses a revoked guest and a late day', async () => {
    const { asAdmin, draft } = await start()
    const { body: created } = await asAdmin.post('/convidados', draft())
    const address = `/convidados/${created.idConvidado}`
    const body = { ultimoDia: inDays(20), motivo: 'Mais tempo' }
    expect((await asAdmin.put(address, { ...body, ultimoDia: inDays(40) })).status).toBe(422)
    suite.app.clock.offsetMs = 11 * 60_000
    expect((await asAdmin.put(address, body)).body.codigo).toBe('reautenticacao_necessaria')
    suite.app.clock.offsetMs = 0
    await asAdmin.post(`${address}/revogar`)
    expect((await asAdmin.put(address, body)).body.codigo).toBe('convidado_revogado')
  })
})

describe('revocations', () => {
  test('POST /convidados/:id/revogar ends the visit and voids the links of one guest', async () => {
    const { asAdmin, draft } = await start()
    const { body: one } = await asAdmin.post('/convidados', draft())
    const { body: other } = await asAdmin.post('/convidados', draft({ emailConvidado: 'b@externo.com.br' }))
    for (const guest of [one, other]) {
      await openedVisit(suite.app, guest)
      await sentLink(suite.app, guest)
    }
    const { status, body } = await asAdmin.post(`/convidados/${one.idConvidado}/revogar`)
    expect([status, body.situacao, body.emVisita]).toEqual([200, 'REVOGADO', false])
    expect(await visits()).toEqual([1, 1])
    await asAdmin.post(`/convidados/${one.idConvidado}/revogar`)
    expect(await linesOf('guest.revoked')).toHaveLength(1)
    expect((await asAdmin.post('/convidados/999999/revogar')).status).toBe(404)
  })

  test('POST /convidados/revogar revokes all of them, and audits who they were', async () => {
    const { asAdmin, draft } = await start()
    const { body: one } = await asAdmin.post('/convidados', draft())
    const { body: other } = await asAdmin.post('/convidados', draft({ emailConvidado: 'b@externo.com.br' }))
    await openedVisit(suite.app, one)
    await sentLink(suite.app, other)
    const { status, body } = await asAdmin.post('/convidados/revogar')
    expect([status, body]).toEqual([200, { revogados: 2 }])
    expect(await visits()).toEqual([0, 0])
    expect(await linesOf('guest.all-revoked')).toMatchObject([
      { objeto: 'convidados', detalhes: { idConvidado: [one.idConvidado, other.idConvidado] } },
    ])
    const { body: listed } = await asAdmin.get('/convidados')
    expect(listed.map(({ situacao }: { situacao: string }) => situacao)).toEqual(['REVOGADO', 'REVOGADO'])
    expect((await asAdmin.post('/convidados/revogar')).body).toEqual({ revogados: 0 })
  })
})

test('POST /convidados/:id/convite sends the invitation again, unless it is revoked', async () => {
  const { asAdmin, draft } = await start()
  const { body: guest } = await asAdmin.post('/convidados', draft())
  const address = `/convidados/${guest.idConvidado}`
  expect((await asAdmin.post(`${address}/convite`)).status).toBe(200)
  const [first, second] = await mailsOf(suite.app)
  expect(second).toEqual(first)
  expect(await linesOf('guest.invited-again')).toHaveLength(1)
  await asAdmin.post(`${address}/revogar`)
  expect((await asAdmin.post(`${address}/convite`)).body.codigo).toBe('convidado_revogado')
  expect(await mailsOf(suite.app)).toHaveLength(2)
})

test('an e-mail gets five invitations in 15 minutes, first and repeated ones of all reports', async () => {
  const { asAdmin, draft } = await start()
  const other = await publish()
  const { body: guest } = await asAdmin.post('/convidados', draft())
  const again = () => asAdmin.post(`/convidados/${guest.idConvidado}/convite`)
  // A refused invitation sends nothing and does not count.
  for (let n = 0; n < 3; n += 1) expect((await asAdmin.post('/convidados', draft())).status).toBe(409)
  for (let n = 0; n < 3; n += 1) expect((await again()).status).toBe(200)
  const same = draft({ emailConvidado: 'auditor@externo.com.br', idRelatorio: other.report.idRelatorio })
  expect((await asAdmin.post('/convidados', same)).status).toBe(201)
  const { status, body, headers } = await again()
  expect([status, body.codigo]).toEqual([429, 'muitos_convites'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(800)
  const refused = await asAdmin.post('/convidados', {
    ...same,
    idRelatorio: (await publish()).report.idRelatorio,
  })
  expect(refused.body.codigo).toBe('muitos_convites')
  // Another name of the same mailbox.
  const alias = await asAdmin.post('/convidados', draft({ emailConvidado: 'Auditor+1@externo.com.br' }))
  expect(alias.body.codigo).toBe('muitos_convites')
  expect(await mailsOf(suite.app)).toHaveLength(5)
  expect((await asAdmin.post('/convidados', draft({ emailConvidado: 'outra@externo.com.br' }))).status).toBe(
    201,
  )
  suite.app.clock.offsetMs = 16 * 60_000
  expect((await again()).status).toBe(200)
})

describe('GET /convidados', () => {
  test('GET /convidados tells the state of each guest, finds by address and report, and filters by report', async () => {
    const { report, admin, asAdmin } = await start()
    const other = await publish({ nomeRelatorio: 'Custos' })
    const { idUsuario: convidadoPor } = admin
    const guest = (emailConvidado: string, fields: object = {}) =>
      createGuest(suite.app, { idRelatorio: report.idRelatorio, convidadoPor, emailConvidado, ...fields })
    const past = new Date(Date.now() - 1_000)
    await openedVisit(suite.app, await guest('ativa@a.com.br'))
    await guest('vencida@a.com.br', { venceEm: past })
    await guest('revogada@a.com.br', { revogadoEm: past })
    await guest('orfa@a.com.br', { idRelatorio: other.report.idRelatorio, convidadoPor: null })
    const list = async (query: string) =>
      (await asAdmin.get(`/convidados?ordem=emailConvidado&${query}`)).body.map(
        (one: { emailConvidado: string; situacao: string; emVisita: boolean }) =>
          `${one.emailConvidado.split('@')[0]} ${one.situacao}${one.emVisita ? ' em visita' : ''}`,
      )
    expect(await list('')).toEqual([
      'ativa ATIVO em visita',
      'orfa IMPEDIDO',
      'revogada REVOGADO',
      'vencida VENCIDO',
    ])
    expect(await list('busca=custos')).toEqual(['orfa IMPEDIDO'])
    expect(await list('busca=REVOG')).toEqual(['revogada REVOGADO'])
    expect(await list(`idRelatorio=${other.report.idRelatorio}`)).toEqual(['orfa IMPEDIDO'])
  })
})

describe('PUT /configuracao/convidados', () => {
  const rules = (more: object = {}) => ({ ligado: true, diasMaximos: 30, dominios: [], redes: [], ...more })

  test('PUT /configuracao/convidados ends every visit and voids every link when it switches guests off', async () => {
    const { admin, asAdmin, report } = await start()
    const guest = { idRelatorio: report.idRelatorio, convidadoPor: admin.idUsuario }
    await openedVisit(suite.app, await createGuest(suite.app, guest))
    await sentLink(suite.app, await createGuest(suite.app, guest))
    const off = await asAdmin.put('/configuracao/convidados', rules({ ligado: false }))
    expect([off.status, off.body.ligado]).toEqual([200, false])
    expect(await visits()).toEqual([0, 0])
    expect(await linesOf('guest-rules.updated')).toMatchObject([
      { detalhes: { antes: { ligado: true }, depois: { ligado: false } } },
    ])
  })

  test.each([
    ['switches guests on', { ligado: false }, {}],
    ['allows a longer duration', { diasMaximos: 10 }, {}],
    ['allows another domain', { dominios: ['a.com.br'] }, { dominios: ['a.com.br', 'b.com.br'] }],
    ['allows any domain', { dominios: ['a.com.br'] }, { dominios: [] }],
    ['allows any network', { redes: ['192.0.2.0/24'] }, { redes: [] }],
  ])('PUT /configuracao/convidados requires a recent proof when it %s', async (_, before, change) => {
    const { asAdmin } = await start()
    await allowGuests(suite.app, before)
    suite.app.clock.offsetMs = 11 * 60_000
    const { status, body } = await asAdmin.put('/configuracao/convidados', rules(change))
    expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
    suite.app.clock.offsetMs = 0
    expect((await asAdmin.put('/configuracao/convidados', rules(change))).status).toBe(200)
  })

  test('PUT /configuracao/convidados needs no proof to restrict, and refuses an old version', async () => {
    const { asAdmin } = await start()
    const { versao } = (await asAdmin.get('/configuracao/convidados')).body
    suite.app.clock.offsetMs = 11 * 60_000
    const strict = rules({ diasMaximos: 5, dominios: ['a.com.br'], redes: ['192.0.2.0/24'] })
    const ifMatch = { 'if-match': `"${versao}"` }
    expect((await asAdmin.put('/configuracao/convidados', strict, ifMatch)).status).toBe(200)
    expect((await asAdmin.put('/configuracao/convidados', strict, ifMatch)).status).toBe(412)
  })

  test('PUT /configuracao/convidados rings the bell of every other ADMIN, not of the one who saves', async () => {
    const { asAdmin } = await start()
    const other = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    expect((await asAdmin.put('/configuracao/convidados', rules({ diasMaximos: 5 }))).status).toBe(200)
    expect((await other.get('/notificacoes')).body).toMatchObject([
      { tipo: 'seguranca_alterada', texto: 'Gestora mudou as regras dos convidados.' },
    ])
    expect((await asAdmin.get('/notificacoes')).body).toEqual([])
  })

  test.each([
    ['no days', { diasMaximos: 0 }, 'diasMaximos'],
    ['an address as domain', { dominios: ['a@b.com.br'] }, 'dominios.0'],
    ['a name as network', { redes: ['empresa'] }, 'redes.0'],
  ])('PUT /configuracao/convidados refuses %s', async (_, change, field) => {
    const { asAdmin } = await start()
    const { status, body } = await asAdmin.put('/configuracao/convidados', rules(change))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
  })
})
