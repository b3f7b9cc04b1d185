import { afterEach, describe, expect, test } from 'vitest'
import { letTimePass } from '../../../test/let-time-pass.ts'
import { testSender } from '../../../test/mails.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { type Invitation, invitationMail } from '../../accounts/accounts.mail.ts'
import { loadConfig } from '../config/config.ts'
import { fromNow } from '../db/database-clock.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import type { NewMail } from './mail-kind.ts'
import { queueMail } from './queue-mail.ts'

/*
 * Kind: what a mail server does late, or never, holds up other messages or ends what they are for.
 * Looked for in links that live for minutes (recovery, visits of guests), batches, pauses after an
 * outage, permanent refusals, and the pages that promise an e-mail.
 */

const app = useTestApp()
let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const minute = 60_000
const pass = (milliseconds: number) => letTimePass(app, milliseconds)
const invitation: Invitation = {
  nome: 'Ana',
  convidadoPor: 'Bia',
  link: 'https://x/y?token=z',
  dias: 7,
}
const queue = (para: string, message: Omit<NewMail<Invitation>, 'para'> = { mail: invitation }) =>
  inTransaction(app.db, (tx) => queueMail(tx, app.services, invitationMail, { para, ...message }))
const waiting = () => app.db.selectFrom('mensagem').selectAll().orderBy('idMensagem').execute()
const smtp = async (...options: Parameters<typeof startSmtp>) => {
  const server = await startSmtp(...options)
  closing.push(server.close)
  return server
}
const senderTo = (smtpUrl: string, now = app.services.now) => {
  const config = loadConfig({ DATA_DIR: app.dataDir, SMTP_URL: smtpUrl })
  const sender = testSender({ ...app.services, config, now })
  closing.unshift(sender.close)
  return sender
}
const addressesOf = ({ received }: Awaited<ReturnType<typeof startSmtp>>) =>
  received.map(({ to }) => to?.[0]?.address?.split('@')[0]).sort()

test('a slow dialogue does not hold up the others, nor what is queued meanwhile', async () => {
  let goOn = () => {}
  const server = await smtp({
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith('lenta')) goOn = () => done()
      else done()
    },
  })
  await queue('lenta@exemplo.com.br')
  for (let n = 0; n < 12; n += 1) await queue(`p${n}@exemplo.com.br`)
  const sending = senderTo(server.url).sendDue()
  await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(12)
  await queue('depois@exemplo.com.br')
  await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(13)
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
  goOn()
  await sending
  expect(addressesOf(server)).toContain('lenta')
  expect(await waiting()).toEqual([])
})

const closedPort = async () => {
  const { port, close } = await startSmtp()
  await close()
  return port
}

test('after an outage one message finds out, and the others go at once', async () => {
  const port = await closedPort()
  const sender = senderTo(`smtp://127.0.0.1:${port}`)
  for (let n = 0; n < 8; n += 1) await queue(`p${n}@exemplo.com.br`)
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await sender.sendDue()
    await pass(2 ** attempt * 10_000 + 1_000)
  }
  await sender.sendDue()
  const before = await waiting()
  expect(before).toHaveLength(8)
  const server = await smtp({}, port)
  await sender.sendDue()
  expect(server.received).toEqual([])
  // The minute in which a waiting message is tried again.
  const { retryOneAfterOutage } = await import('./mail-outcomes.ts')
  await retryOneAfterOutage(app.db)
  await sender.sendDue()
  expect(server.received).toHaveLength(8)
  await retryOneAfterOutage(app.db)
  expect(await waiting()).toEqual([])
})

/** Fails to send these messages, and makes the first of them due. */
const failOnce = async (names: string[]) => {
  const port = await closedPort()
  const sender = senderTo(`smtp://127.0.0.1:${port}`)
  for (const name of names) await queue(`${name}@exemplo.com.br`)
  await sender.sendDue()
  const [first] = await waiting()
  await app.db
    .updateTable('mensagem')
    .set({ proximaEm: fromNow(0) })
    .where('idMensagem', '=', first?.idMensagem ?? 0)
    .execute()
  return { port, sender }
}

test('after an outage of seconds the others go at once too', async () => {
  const { port, sender } = await failOnce(['p0', 'p1', 'p2', 'p3', 'p4', 'p5'])
  const server = await smtp({}, port)
  await sender.sendDue()
  await sender.sendDue()
  expect(server.received).toHaveLength(6)
})

test('the end of an outage starts no second attempt of a message in an attempt', async () => {
  const { port, sender } = await failOnce(['lenta', 'p1'])
  let attempts = 0
  let goOn = () => {}
  const server = await smtp(
    {
      onRcptTo: ({ address }, _session, done) => {
        if (!address.startsWith('lenta')) return done()
        attempts += 1
        goOn = () => done()
      },
    },
    port,
  )
  const slow = sender.sendDue()
  await expect.poll(() => attempts).toBe(1)
  await queue('p2@exemplo.com.br')
  const other = senderTo(server.url)
  await other.sendDue()
  await other.sendDue()
  await expect.poll(() => addressesOf(server)).toEqual(['p1', 'p2'])
  goOn()
  await slow
  expect([attempts, addressesOf(server)]).toEqual([1, ['lenta', 'p1', 'p2']])
})

test('without an outage no waiting message is tried before its time', async () => {
  const { retryOneAfterOutage } = await import('./mail-outcomes.ts')
  let attempts = 0
  const server = await smtp({
    onRcptTo: (_address, _session, done) => {
      attempts += 1
      done(Object.assign(new Error('greylisted'), { responseCode: 451 }))
    },
  })
  const sender = senderTo(server.url)
  await queue('ana@exemplo.com.br')
  await sender.sendDue()
  await retryOneAfterOutage(app.db)
  await sender.sendDue()
  expect(attempts).toBe(1)
})

test('a permanent refusal of an address ends at once, and shows on the status page', async () => {
  const server = await smtp({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('no such user'), { responseCode: 550 })),
  })
  await queue('ninguem@exemplo.com.br')
  await senderTo(server.url).sendDue()
  expect(await waiting()).toEqual([])
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { email } = (await admin.get('/sistema/situacao')).body
  expect(email.falhas).toMatchObject([{ desfecho: 'desistiu', codigo: 'EENVELOPE 550' }])
})

const refusingAll = (step: 'onRcptTo' | 'onData', responseCode: number, text: string) => {
  const refusal = Object.assign(new Error(text), { responseCode })
  if (step === 'onRcptTo') return smtp({ onRcptTo: (_address, _session, done) => done(refusal) })
  return smtp({
    onData: (stream, _session, done) => {
      stream.resume()
      stream.on('end', () => done(refusal))
    },
  })
}

test.each([
  ['onRcptTo', 550, '5.4.5 Daily user sending limit exceeded', 'EENVELOPE 550 5.4.5'],
  ['onData', 550, '5.4.5 Daily SMTP relay limit exceeded for user', 'EMESSAGE 550 5.4.5'],
  ['onRcptTo', 550, '5.7.1 Daily SMTP relay limit exceeded for customer', 'EENVELOPE 550 5.7.1 LIMIT'],
  ['onData', 550, '5.7.705 Access denied, tenant has exceeded threshold', 'EMESSAGE 550 5.7.705'],
  ['onRcptTo', 550, '5.7.233 Your message can not be sent', 'EENVELOPE 550 5.7.233'],
  ['onData', 554, '5.1.90 You have reached your daily limit for message recipients', 'EMESSAGE 554 5.1.90'],
  ['onData', 554, '5.2.2 Submission quota exceeded', 'EMESSAGE 554 5.2.2 LIMIT'],
  ['onRcptTo', 452, '4.5.3 Too many recipients', 'EENVELOPE 452 4.5.3'],
] as const)(
  'a refusal in %s by a limit, %d %s, keeps the message and marks nobody',
  async (step, code, text, codigo) => {
    const server = await refusingAll(step, code, text)
    const user = await createUser(app)
    await queue(user.emailUsuario)
    await senderTo(server.url).sendDue()
    expect(await waiting()).toHaveLength(1)
    const failures = await app.db.selectFrom('falhaEmail').select(['desfecho', 'codigo']).execute()
    expect(failures).toEqual([{ desfecho: 'aguardando', codigo }])
    expect(await app.db.selectFrom('emailNaoEntregue').selectAll().execute()).toEqual([])
  },
)

/** The page of the status keeps its answer for three seconds. */
let looks = 0
const WRONG_ADDRESS = /recusou o endereço \(550\)/
test.each([
  ['onRcptTo', 550, '5.4.1 Recipient address rejected: Access denied', WRONG_ADDRESS],
  ['onRcptTo', 550, '5.7.504 [ana@exemplo.com.br]: Recipient address rejected: Access denied', WRONG_ADDRESS],
  ['onRcptTo', 550, '5.2.2 Mailbox full', WRONG_ADDRESS],
  ['onData', 552, '5.3.4 Message size exceeds fixed limit', /\(552\) por ser grande demais/],
  ['onRcptTo', 552, '5.3.4 Message size exceeds fixed limit', /\(552\) por ser grande demais/],
  ['onData', 550, '5.7.1 Message rejected as spam', /recusou a mensagem \(550\).*spam/],
  ['onData', 554, '5.7.1 Client host blocked', /recusou a mensagem \(554\) por uma regra/],
  ['onRcptTo', 554, '5.7.1 Client host blocked', /recusou a mensagem \(554\) por uma regra/],
  ['onData', 550, '5.7.708 Access denied, traffic not accepted from this IP', /recusou a mensagem \(550\)/],
] as const)('a refusal in %s, %d %s, ends at once with its reason', async (step, code, text, sentence) => {
  const server = await refusingAll(step, code, text)
  const user = await createUser(app)
  await queue(user.emailUsuario)
  await senderTo(server.url).sendDue()
  expect(await waiting()).toEqual([])
  looks += 1
  app.clock.offsetMs = looks * 4_000
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { email } = (await admin.get('/sistema/situacao')).body
  expect(email.falhas).toMatchObject([{ desfecho: 'desistiu', frase: expect.stringMatching(sentence) }])
  expect((await admin.get(`/usuarios/${user.idUsuario}`)).body.emailFalhaMotivo).toMatch(sentence)
})

test('a refusal of the whole server is no refusal of the message', async () => {
  const server = await smtp({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('wrong')),
  })
  await queue('ana@exemplo.com.br')
  await senderTo(server.url.replace('//', '//portal:senha@')).sendDue()
  expect(await waiting()).toHaveLength(1)
})

describe('a link of ten minutes', () => {
  const ask = async (idUsuario: number, email: string) => {
    expect((await app.anonymous.post('/login/recuperar-senha', { email })).status).toBe(202)
    const row = await app.db
      .selectFrom('linkConta')
      .select(['marca', 'expiraEm', 'criadoEm'])
      .where('idUsuario', '=', idUsuario)
      .executeTakeFirstOrThrow()
    return row
  }
  const expiryOf = async (marca: string) => {
    const row = await app.db
      .selectFrom('linkConta')
      .select('expiraEm')
      .where('marca', '=', marca)
      .executeTakeFirst()
    return row?.expiraEm.getTime()
  }

  test('a link of ten minutes counts from its hand-over to a server that takes it at a later attempt', async () => {
    const { idUsuario, emailUsuario } = await createUser(app)
    const { marca, criadoEm } = await ask(idUsuario, emailUsuario)
    let isDeferred = true
    const server = await smtp({
      onRcptTo: (_address, _session, done) =>
        done(isDeferred ? Object.assign(new Error('greylisted'), { responseCode: 451 }) : null),
    })
    let now = criadoEm.getTime()
    const sender = senderTo(server.url, () => new Date(now))
    await sender.sendDue()
    isDeferred = false
    now += 25 * minute
    await pass(25 * minute)
    await sender.sendDue()
    expect(server.received).toHaveLength(1)
    expect(await expiryOf(marca)).toBe(now + 10 * minute)
  })

  test('a link of ten minutes is not sent once a newer password has made it void', async () => {
    const { idUsuario, emailUsuario } = await createUser(app)
    await ask(idUsuario, emailUsuario)
    await app.db.deleteFrom('linkConta').execute()
    const server = await smtp()
    await senderTo(server.url).sendDue()
    expect([server.received, await waiting()]).toEqual([[], []])
  })

  test('a link of ten minutes is not sent an hour later', async () => {
    const { idUsuario, emailUsuario } = await createUser(app)
    await ask(idUsuario, emailUsuario)
    await pass(61 * minute)
    const server = await smtp()
    await senderTo(server.url).sendDue()
    expect([server.received, await waiting()]).toEqual([[], []])
  })
})

describe('the portal says that e-mails are late', () => {
  const isLate = async () => (await app.anonymous.get('/portal')).body.correioAtrasado
  /** The answer is shared for 200 ms. */
  const expectLate = (late: boolean) => expect.poll(isLate, { timeout: 5_000 }).toBe(late)
  const deferring = () =>
    smtp({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('aceita') ? null : Object.assign(new Error('greylisted'), { responseCode: 451 }),
        ),
    })
  /** Queues e-mails, lets a sender try them, and lets these milliseconds pass, which are before a retry. */
  const defer = async (addresses: string[], ms: number) => {
    for (const address of addresses) await queue(address)
    await senderTo((await deferring()).url).sendDue()
    await app.db
      .updateTable('mensagem')
      .set({ proximaEm: fromNow(60 * minute) })
      .execute()
    await app.db
      .updateTable('mensagem')
      .set({ criadaEm: fromNow(-ms) })
      .execute()
  }
  const people = (many: number) => Array.from({ length: many }, (_, n) => `p${n}@exemplo.com.br`)

  test('the portal says that e-mails are late when every e-mail has been deferred for two minutes, until one leaves', async () => {
    await defer(people(10), 1 * minute)
    expect(await isLate()).toBe(false)
    await app.db
      .updateTable('mensagem')
      .set({ criadaEm: fromNow(-3 * minute) })
      .execute()
    await expectLate(true)
    await queue('aceita@exemplo.com.br')
    await senderTo((await deferring()).url).sendDue()
    await expectLate(false)
  })

  test('the portal says that e-mails are late but not when one address is deferred, whatever it asks for', async () => {
    const { emailUsuario: email } = await createUser(app)
    for (let n = 0; n < 8; n += 1) await app.anonymous.post('/login/recuperar-senha', { email })
    await defer([], 50 * minute)
    expect(await waiting()).not.toHaveLength(0)
    expect(await isLate()).toBe(false)
  })

  test('the portal says that e-mails are late when no node takes the e-mails that are due', async () => {
    await queue('ana@exemplo.com.br')
    expect(await isLate()).toBe(false)
    await pass(3 * minute)
    await expectLate(true)
  })
})

describe('while the mail server does not answer', () => {
  test.each(['known', 'unknown'])('the portal says so after a request for a %s address', async (kind) => {
    const port = await closedPort()
    const portal = await startTestApp({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    closing.push(portal.close)
    const { emailUsuario } = await createUser(portal)
    const isLate = async () => (await portal.anonymous.get('/portal')).body.correioAtrasado
    expect(await isLate()).toBe(false)
    const email = kind === 'known' ? emailUsuario : 'ninguem@exemplo.com.br'
    expect((await portal.anonymous.post('/login/recuperar-senha', { email })).status).toBe(202)
    await expect.poll(isLate, { timeout: 20_000 }).toBe(true)
  })
})
