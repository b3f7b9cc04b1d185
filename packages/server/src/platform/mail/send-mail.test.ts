import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { letTimePass } from '../../../test/let-time-pass.ts'
import { testSender } from '../../../test/mails.ts'
import { shortLived } from '../../../test/processes/killed-server.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { invitationMail, recoveryMail } from '../../accounts/accounts.mail.ts'
import { loadConfig } from '../config/config.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import { smtpOptions } from './mail-delivery.ts'
import { queueMail } from './queue-mail.ts'

const app = useTestApp()
beforeEach(async () => {
  logged.length = 0
})
let closing: (() => Promise<void>)[] = []
const logged: object[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const link = 'https://bi.exemplo.com.br/recovery-password?token=Segredo-123_x'
const recovery = { nome: 'Ana Conceição', link, minutos: 10 }
const invitation = { nome: 'Ana', convidadoPor: 'Bia', link, dias: 7 }
const queue = (mail = invitation, para = 'ana@exemplo.com.br') =>
  inTransaction(app.db, (tx) => queueMail(tx, app.services, invitationMail, { para, mail }))
const queueRecovery = () =>
  inTransaction(app.db, (tx) =>
    queueMail(tx, app.services, recoveryMail, { para: 'ana@exemplo.com.br', mail: recovery }),
  )

const write = (details: unknown) => {
  logged.push(details as object)
}
const senderTo = (smtpUrl: string | undefined, now = app.services.now) => {
  const config = loadConfig({
    DATA_DIR: app.dataDir,
    PUBLIC_URL: 'https://bi.exemplo.com.br',
    MAIL_FROM: 'Portal de BI <bi@exemplo.com.br>',
    SMTP_URL: smtpUrl,
  })
  const sender = testSender({ ...app.services, config, now }, { warn: write, error: write })
  closing.push(sender.close)
  return sender
}
const smtp = async (...options: Parameters<typeof startSmtp>) => {
  const server = await startSmtp(...options)
  closing.push(server.close)
  return server
}
const waiting = () => app.db.selectFrom('mensagem').selectAll().orderBy('idMensagem').execute()
const pass = (milliseconds: number) => letTimePass(app, milliseconds)
const minute = 60_000
const hour = 60 * minute

test('a message reaches the mail server with both parts, and its row is deleted', async () => {
  const server = await smtp()
  await queueRecovery()
  await senderTo(server.url).sendDue()
  expect(await waiting()).toEqual([])
  const [email, ...more] = server.received
  expect(more).toEqual([])
  expect(email?.subject).toBe('Redefinir sua senha do BI Manager')
  expect(email?.from).toEqual({ name: 'Portal de BI', address: 'bi@exemplo.com.br' })
  expect(email?.to).toEqual([{ name: '', address: 'ana@exemplo.com.br' }])
  expect(email?.text).toContain(`Olá, Ana Conceição!`)
  expect(email?.text).toContain(`\n${link}\n`)
  expect(email?.html).toContain(`href="${link}"`)
  expect(email?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  expect(logged).toEqual([])
})

test('no message leaves before its transaction is committed', async () => {
  const server = await smtp()
  const sender = senderTo(server.url)
  await inTransaction(app.db, async (tx) => {
    await queueMail(tx, app.services, invitationMail, { para: 'ana@exemplo.com.br', mail: invitation })
    throw new Error('rolled back')
  }).catch(() => {})
  await sender.sendDue()
  expect(server.received).toEqual([])
})

test('a message that the server defers is retried after growing pauses', async () => {
  let deferrals = 2
  const server = await smtp({
    onRcptTo: (_address, _session, done) => {
      deferrals -= 1
      const error = Object.assign(new Error('ana@exemplo.com.br is greylisted'), { responseCode: 451 })
      if (deferrals < 0) done()
      else done(error)
    },
  })
  const sender = senderTo(server.url)
  await queue()
  await sender.sendDue()
  const [first] = await waiting()
  expect([first?.tentativas, first?.erro]).toEqual([1, 'EENVELOPE 451'])
  // Not retried at once.
  await sender.sendDue()
  expect((await waiting())[0]?.tentativas).toBe(1)
  await pass(11_000)
  await sender.sendDue()
  expect((await waiting())[0]?.tentativas).toBe(2)
  await pass(21_000)
  await sender.sendDue()
  expect([await waiting(), server.received.length]).toEqual([[], 1])
  const said = JSON.stringify(logged)
  expect(said).toContain('EENVELOPE 451')
  expect(said).not.toMatch(/ana@|Segredo|Ana/)
})

test('pauses grow to at most six hours, and after three days the message is given up with an error', async () => {
  const server = await smtp({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
  })
  const sender = senderTo(server.url)
  await queue()
  const pauses: number[] = []
  for (let n = 0; n < 60; n += 1) {
    await sender.sendDue()
    const [row] = await waiting()
    if (!row) break
    const pause = row.proximaEm.getTime() - Date.now()
    pauses.push(pause)
    await pass(pause + 1)
  }
  expect(await waiting()).toEqual([])
  expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * hour)
  expect(Math.max(...pauses)).toBeGreaterThan(2 * hour)
  expect(pauses[0]).toBeLessThanOrEqual(10_000)
  const total = pauses.reduce((sum, pause) => sum + pause, 0)
  expect(total).toBeGreaterThan(66 * hour)
  expect(total).toBeLessThan(85 * hour)
  expect(logged.at(-1)).toMatchObject({ modelo: 'convite', erro: 'EENVELOPE 550' })
})

test('a message is sent once an unavailable server is back', async () => {
  const { port, url, close } = await startSmtp()
  await close()
  const sender = senderTo(url)
  await queue()
  await sender.sendDue()
  expect((await waiting())[0]?.erro).toMatch(/ECONN|ESOCKET/)
  const back = await smtp({}, port)
  await pass(11_000)
  await sender.sendDue()
  expect([await waiting(), back.received.length]).toEqual([[], 1])
})

test('stopping aborts a delivery to a server that hangs, and keeps the message', {
  timeout: 30_000,
}, async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closing.push(async () => {
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const sender = senderTo(`smtp://127.0.0.1:${port}`)
  await queue()
  sender.start()
  await expect.poll(async () => (await waiting())[0]?.tentativas, { timeout: 5_000 }).toBe(1)
  const started = performance.now()
  await sender.close()
  expect(performance.now() - started).toBeLessThan(7_000)
  expect(await waiting()).toHaveLength(1)
})

test('an untrusted certificate is refused before password or message is sent', async () => {
  let heard = 0
  const server = await smtp({
    secure: true,
    disabledCommands: [],
    onAuth: (_auth, _session, done) => {
      heard += 1
      done(null, { user: 'bi' })
    },
  })
  await queue()
  await senderTo(`smtps://bi:Senha-do-smtp@127.0.0.1:${server.port}`).sendDue()
  expect([heard, server.received]).toEqual([0, []])
  const [row] = await waiting()
  expect(row?.erro).toMatch(/^ESOCKET|^ETLS|CERT/)
  expect(await app.db.selectFrom('correio').select('motivo').executeTakeFirst()).toMatchObject({
    motivo: 'certificado',
  })
  expect(JSON.stringify([logged, row?.erro])).not.toContain('Senha-do-smtp')
})

test('user and password of the address are used, and the record of a refusal has neither', async () => {
  const seen: unknown[] = []
  let refuse = true
  const server = await smtp({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      seen.push([username, password])
      if (refuse) done(new Error('Invalid password Senh@/smtp'))
      else done(null, { user: 'bi' })
    },
  })
  const sender = senderTo(`smtp://bi%40exemplo.com:Senh%40%2Fsmtp@127.0.0.1:${server.port}`)
  await queue()
  await sender.sendDue()
  const [row] = await waiting()
  expect(row?.erro).toBe('EAUTH 535')
  expect(JSON.stringify(logged)).not.toContain('Senh')
  refuse = false
  await pass(11_000)
  await sender.sendDue()
  expect(server.received).toHaveLength(1)
  expect(seen).toEqual([
    ['bi@exemplo.com', 'Senh@/smtp'],
    ['bi@exemplo.com', 'Senh@/smtp'],
  ])
})

test.each([
  ['smtp://correio.exemplo.com.br:587', true],
  ['smtp://bi:x@10.0.0.7:25', true],
  ['smtp://127.0.0.1.exemplo.com', true],
  ['smtp://correio.exemplo.com.br:25?requireTLS=false', undefined],
  ['smtp://localhost:1025', undefined],
  ['smtp://127.0.0.2', undefined],
])('%s requires STARTTLS unless the host is this machine or the operator turns it off', (url, demanded) => {
  expect(smtpOptions(url).requireTLS).toBe(demanded)
})

test('two senders on one database send each message once', async () => {
  const server = await smtp()
  for (let n = 0; n < 24; n += 1) await queue(invitation, `pessoa${n}@exemplo.com.br`)
  const [one, other] = [senderTo(server.url), senderTo(server.url)]
  await Promise.all([one.sendDue(), other.sendDue(), one.sendDue(), other.sendDue()])
  const addresses = server.received.map(({ to }) => to?.[0]?.address).sort()
  expect(addresses).toHaveLength(24)
  expect(new Set(addresses).size).toBe(24)
  expect(await waiting()).toEqual([])
})

test('a recovery message is not sent once its hour of hand-over has passed', async () => {
  const server = await smtp()
  await queueRecovery()
  await pass(hour + 1)
  await senderTo(server.url).sendDue()
  expect([await waiting(), server.received]).toEqual([[], []])
  expect(logged).toMatchObject([{ modelo: 'recuperacao' }])
})

test('a message claimed by a dead process is claimed again', async () => {
  const server = await smtp()
  await queue()
  // As the process left it: claimed and not rescheduled.
  await app.db
    .updateTable('mensagem')
    .set({ tentativas: 1, proximaEm: new Date(Date.now() + 2 * minute) })
    .execute()
  const sender = senderTo(server.url)
  await sender.sendDue()
  expect(server.received).toEqual([])
  await pass(2 * minute + 1)
  await sender.sendDue()
  expect(server.received).toHaveLength(1)
})

/*
 * The kind: a lease, or work that is due, compared with the clock of the node that looks. A node that was
 * ahead repeated what another one was doing. The clock is now the database's.
 */
test('a message is sent once when the clock of another node is ahead', async () => {
  let accept = () => {}
  const accepted = new Promise<void>((resolve) => {
    accept = resolve
  })
  let heard = 0
  const server = await smtp({
    onMailFrom: (_address, _session, done) => {
      heard += 1
      void accepted.then(() => done())
    },
  })
  await queue()
  const sending = senderTo(server.url).sendDue()
  await expect.poll(() => heard, { timeout: 10_000 }).toBe(1)
  await senderTo(server.url, () => new Date(Date.now() + 150_000)).sendDue()
  accept()
  await sending
  expect([heard, server.received.length, await waiting()]).toEqual([1, 1, []])
})

test('without a mail server, a message becomes an .eml file that only its owner can read', async () => {
  const hostile = `Ana <script>alert(1)</script>"'\r\nBcc: todos@exemplo.com.br`
  await queue({ nome: hostile, convidadoPor: hostile, link, dias: 7 })
  const sender = senderTo(undefined)
  await sender.sendDue()
  expect(await waiting()).toEqual([])
  const folder = join(app.dataDir, 'outbox')
  const files = await readdir(folder)
  expect(files).toHaveLength(1)
  const [file = ''] = files
  expect(file).toMatch(/^\d{8}T\d{9}Z-convite-\d+\.eml$/)
  const modes = [await stat(folder), await stat(join(folder, file))].map(({ mode }) => mode & 0o777)
  expect(modes).toEqual([0o700, 0o600])
  const email = await PostalMime.parse(await readFile(join(folder, file)))
  expect(email.subject).toBe('Seu convite para o BI Manager')
  expect(email.headers.filter(({ key }) => ['bcc', 'cc', 'to'].includes(key))).toHaveLength(1)
  expect(email.text).toContain(`\n${link}\n`)
  expect(email.html).toContain(`href="${link}"`)
  expect(email.html).not.toContain('<script')
  expect(email.html).toContain(
    '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; Bcc: todos@exemplo.com.br convidou',
  )
  expect(email.html).toContain('Olá!')
})

// A second process cannot open the embedded database.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a sender killed after delivery sends a message at most twice and never loses it',
  {
    timeout: 60_000,
  },
  async () => {
    // The server accepts the message, and acknowledges it only after the sender was killed.
    let killed: () => void = () => {}
    const death = new Promise<void>((resolve) => {
      killed = resolve
    })
    let taken: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      taken = resolve
    })
    const ids: (string | undefined)[] = []
    const server = await smtp({
      onData: (stream, _session, done) => {
        stream
          .toArray()
          .then(async (chunks) => {
            ids.push((await PostalMime.parse(Buffer.concat(chunks))).messageId)
            taken()
            if (ids.length === 1) await death
            done()
          })
          .catch(done)
      },
    })
    await queue()
    const sender = join(import.meta.dirname, '../../../test/processes/sender-process.ts')
    const child = spawn(process.execPath, [sender], {
      env: {
        ...shortLived.env,
        DATA_DIR: app.dataDir,
        DATABASE_URL: app.databaseUrl,
        SMTP_URL: server.url,
        PUBLIC_URL: 'https://bi.exemplo.com.br',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const died = once(child, 'exit')
    await first
    child.kill('SIGKILL')
    await died
    killed()
    expect(await waiting()).toHaveLength(1)
    await pass(3 * minute)
    await senderTo(server.url).sendDue()
    expect(await waiting()).toEqual([])
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  },
)
