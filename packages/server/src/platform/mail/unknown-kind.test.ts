import { afterEach, describe, expect, test } from 'vitest'
import { letTimePass } from '../../../test/let-time-pass.ts'
import { testSender } from '../../../test/mails.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { accountRefusedMail } from '../../accounts/accounts.mail.ts'
import { loadConfig } from '../config/config.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import type { AnyMailKind, MailContent, MailEnd, MailKind } from './mail-kind.ts'
import { retryOneAfterOutage } from './mail-outcomes.ts'
import { markDelivered, queueMail } from './queue-mail.ts'
import { createMailSender } from './send-mail.ts'

/* During an upgrade, a node of the newer version queues kinds of e-mails that this one does not know. */

const app = useTestApp()
let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
  ends.length = 0
})

const minute = 60_000
const hour = 60 * minute
const ends: MailEnd[] = []
const newerMail: MailKind<MailContent> = {
  modelo: 'resumo_da_semana',
  text: () => ({ assunto: 'Resumo', titulo: 'Resumo', paragrafos: [], aviso: '' }),
  ended: async (_tx, _queued, end) => void ends.push(end),
}
const queue = (para: string, kind: MailKind<MailContent> = newerMail) =>
  inTransaction(app.db, (tx) => queueMail(tx, app.services, kind, { para, mail: { nome: 'Ana' } }))
const waiting = () => app.db.selectFrom('mensagem').selectAll().orderBy('idMensagem').execute()
const pass = (milliseconds: number) => letTimePass(app, milliseconds)

/** Starts a mail server, and a sender of this version and one of the newer version to it. */
const start = async () => {
  const smtp = await startSmtp()
  const logged: object[] = []
  const write = (details: unknown) => void logged.push(details as object)
  const services = {
    ...app.services,
    config: loadConfig({ DATA_DIR: app.dataDir, SMTP_URL: smtp.url }),
  }
  const log = { warn: write, error: write }
  const older = testSender(services, log)
  const kinds: AnyMailKind[] = [newerMail]
  const newer = createMailSender(services, log, kinds)
  closing.push(older.close, newer.close, smtp.close)
  const addresses = () => smtp.received.map(({ to }) => to?.[0]?.address)
  return { older, newer, logged, addresses }
}

describe('a queued e-mail of a kind that this version does not know', () => {
  test('a queued e-mail of a kind that this version does not know waits for a node that knows it, while the others are sent', async () => {
    const { older, newer, logged, addresses } = await start()
    for (let n = 0; n < 12; n += 1) await queue(`nova${n}@exemplo.com.br`)
    await queue('ana@exemplo.com.br', accountRefusedMail)
    await older.sendDue()
    expect(addresses()).toEqual(['ana@exemplo.com.br'])
    expect(await waiting()).toHaveLength(12)
    expect(logged).toMatchObject([{ modelo: 'resumo_da_semana' }])
    await pass(minute + 1)
    await newer.sendDue()
    expect(addresses()).toHaveLength(13)
    expect(await waiting()).toEqual([])
    expect(ends).toHaveLength(12)
    expect(ends[0]).toMatchObject({ estado: 'ENVIADA', motivo: null })
  })

  test('a queued e-mail of a kind that this version does not know is looked at once a minute, which is not an attempt and not logged again', async () => {
    const { older, logged } = await start()
    await queue('ana@exemplo.com.br')
    for (let look = 0; look < 5; look += 1) {
      await older.sendDue()
      const [row] = await waiting()
      expect(row?.tentativas).toBe(0)
      const pause = (row?.proximaEm.getTime() ?? 0) - Date.now()
      expect(pause).toBeGreaterThan(minute - 20_000)
      expect(pause).toBeLessThanOrEqual(minute)
      // Not due: another look changes nothing.
      await older.sendDue()
      expect(await waiting()).toEqual([row])
      await pass(minute + 1)
    }
    expect(logged).toHaveLength(1)
  })

  test('a queued e-mail of a kind that this version does not know does not probe the mail server during an outage', async () => {
    const { older } = await start()
    await queue('ana@exemplo.com.br')
    await older.sendDue()
    await app.db
      .insertInto('correio')
      .values({ falhandoDesde: new Date(), codigo: 'ECONNECTION', motivo: 'conexao' })
      .execute()
    const before = await waiting()
    await retryOneAfterOutage(app.db)
    expect(await waiting()).toEqual(before)
  })

  test('a queued e-mail of a kind that this version does not know is given up after three days, with a reason on the status page that blames no address', async () => {
    const { older, logged, addresses } = await start()
    const user = await createUser(app)
    await queue(user.emailUsuario)
    await pass(72 * hour - minute)
    await older.sendDue()
    expect(await waiting()).toHaveLength(1)
    await pass(2 * minute)
    await older.sendDue()
    expect([await waiting(), addresses()]).toEqual([[], []])
    expect(logged.at(-1)).toMatchObject({ modelo: 'resumo_da_semana' })
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    expect((await admin.get('/sistema/situacao')).body.email.falhas).toMatchObject([
      {
        modelo: 'resumo_da_semana',
        codigo: 'UNKNOWN_KIND',
        desfecho: 'desistiu',
        frase:
          'Nenhum nó do portal conhece este tipo de e-mail, e ele não foi enviado: confira se todos os nós têm a mesma versão.',
      },
    ])
    expect((await admin.get(`/usuarios/${user.idUsuario}`)).body.emailFalhaMotivo).toBeNull()
  })

  test('a queued e-mail of a kind that this version does not know leaves the outcome of a delivered one to a node that knows it, too', async () => {
    const { older, newer, addresses } = await start()
    await queue('ana@exemplo.com.br')
    const [row] = await waiting()
    const message = JSON.parse(app.services.secrets.decrypt(row?.conteudo ?? ('' as never)))
    const entregue = { para: 'ana@exemplo.com.br', em: new Date().toISOString(), observacao: null }
    await markDelivered(app.db, app.services, row?.idMensagem ?? 0, { ...message, entregue })
    await older.sendDue()
    expect(await waiting()).toHaveLength(1)
    await pass(minute + 1)
    await newer.sendDue()
    expect([await waiting(), addresses()]).toEqual([[], []])
    expect(ends).toMatchObject([{ estado: 'ENVIADA', em: new Date(entregue.em) }])
  })
})
