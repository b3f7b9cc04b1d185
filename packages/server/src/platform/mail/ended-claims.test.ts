import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { letTimePass } from '../../../test/let-time-pass.ts'
import { testSender } from '../../../test/mails.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { type Invitation, invitationMail } from '../../accounts/accounts.mail.ts'
import { loadConfig } from '../config/config.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import type { MailKind } from './mail-kind.ts'
import { LEASE_MS } from './mail-queue.ts'
import { queueMail } from './queue-mail.ts'
import { createMailSender } from './send-mail.ts'

/*
 * The kind: a process prepares what it claimed for longer than the lease, because its machine is busy or
 * was suspended, and then does what another process has done since. Looked for in e-mails, webhooks
 * (webhooks-and-queries.test.ts), runs and files of subscriptions, alerts and schedules of data, whose
 * steps check their lease in the transaction that stores them.
 */

const app = useTestApp()
let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const silent = { warn: () => {}, error: () => {} }
const mail: Invitation = { nome: 'Ana', convidadoPor: 'Bia', link: 'https://x/y?token=z', dias: 7 }
const queue = () =>
  inTransaction(app.db, (tx) =>
    queueMail(tx, app.services, invitationMail, { para: 'ana@exemplo.com.br', mail }),
  )
const waiting = () => app.db.selectFrom('mensagem').select('proximaEm').execute()
const servicesTo = (SMTP_URL: string) => ({
  ...app.services,
  config: loadConfig({ DATA_DIR: app.dataDir, SMTP_URL }),
})

/** Creates a sender that claims a message, then calls `meanwhile`, then delivers the message. */
const slowSender = (smtpUrl: string, meanwhile: () => Promise<void>) => {
  const slow: MailKind<Invitation, Invitation> = {
    ...invitationMail,
    prepare: async (_, queued) => {
      await meanwhile()
      return { para: queued.para, mail: queued.mail }
    },
  }
  const sender = createMailSender(servicesTo(smtpUrl), silent, [slow])
  closing.unshift(sender.close)
  return sender
}

test('a sender does not deliver a message that another one has claimed since', async () => {
  const server = await startSmtp()
  closing.push(server.close)
  const other = testSender(servicesTo(server.url))
  closing.unshift(other.close)
  await queue()
  const slow = slowSender(server.url, async () => {
    await letTimePass(app, 121_000)
    await other.sendDue()
  })
  await slow.sendDue()
  expect([server.received.length, await waiting()]).toEqual([1, []])
})

test('a message is claimed again for the whole delivery when its preparation has ended', async () => {
  let preparedAt = Number.POSITIVE_INFINITY
  let claimedFor = 0
  const server = await startSmtp({
    onRcptTo: (_address, _session, done) => {
      void waiting().then(([row]) => {
        claimedFor = (row?.proximaEm.getTime() ?? 0) - preparedAt
        done()
      })
    },
  })
  closing.push(server.close)
  await queue()
  await slowSender(server.url, async () => {
    await sleep(1_500)
    preparedAt = Date.now()
  }).sendDue()
  // A second less than the lease, which would otherwise have begun before the preparation.
  expect(claimedFor).toBeGreaterThan(LEASE_MS - 1_000)
  expect([server.received.length, await waiting()]).toEqual([1, []])
})
