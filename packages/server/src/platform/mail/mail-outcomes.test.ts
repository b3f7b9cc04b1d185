import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { letTimePass } from '../../../test/let-time-pass.ts'
import { testSender } from '../../../test/mails.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { accountRefusedMail } from '../../accounts/accounts.mail.ts'
import { loadConfig } from '../config/config.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'
import { dropMailFailures } from './mail-outcomes.ts'
import { queueMail } from './queue-mail.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let closing: (() => Promise<void>)[] = []
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const minute = 60_000
const pass = (milliseconds: number) => {
  app.clock.offsetMs += milliseconds
  return letTimePass(app, milliseconds)
}
const smtp = async (...options: Parameters<typeof startSmtp>) => {
  const server = await startSmtp(...options)
  closing.push(server.close)
  return server
}
const senderTo = (smtpUrl: string) => {
  const config = loadConfig({ DATA_DIR: app.dataDir, SMTP_URL: smtpUrl })
  const sender = testSender({ ...app.services, config })
  closing.push(sender.close)
  return sender
}
/** Refuses these recipients with these codes. */
const refusing = (codes: Record<string, number>) =>
  smtp({
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = codes[address.toLowerCase()]
      done(responseCode ? Object.assign(new Error(`${address} refused`), { responseCode }) : undefined)
    },
  })
const invite = async (emailUsuario: string, nomeUsuario = 'Ana Lima') => {
  const { status, body } = await admin.post('/usuarios/convites', { nomeUsuario, emailUsuario })
  expect(status).toBe(202)
  return body.idUsuario as number
}
const userOf = async (id: number) => (await admin.get(`/usuarios/${id}`)).body
const undelivered = { emailFalhouEm: null, emailFalhaMotivo: null }

/** Returns the database, whose statements about a table fail as if its server were gone. */
const databaseWithout = (kinds: string[], table: string, isGone = () => true) =>
  app.services.db.withPlugin({
    transformQuery: ({ node }) => {
      const touched = JSON.stringify(node)
      if (kinds.includes(node.kind) && touched.includes(`"name":"${table}"`) && isGone())
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      return node
    },
    transformResult: async ({ result }) => result,
  }) as typeof app.services.db

describe('a failure of the portal', () => {
  const logged: unknown[] = []
  const write = (details: unknown) => void logged.push(details)
  const senderOn = (db: typeof app.services.db, smtpUrl: string) => {
    logged.length = 0
    const config = loadConfig({ DATA_DIR: app.dataDir, SMTP_URL: smtpUrl })
    const sender = testSender({ ...app.services, db, config }, { warn: write, error: write })
    closing.push(sender.close)
    return sender
  }
  const expectNothingKept = async () => {
    expect(await app.db.selectFrom('falhaEmail').selectAll().execute()).toEqual([])
    expect(await app.db.selectFrom('correio').select('falhandoDesde').execute()).not.toContainEqual({
      falhandoDesde: expect.any(Date),
    })
  }

  test('a failure of the portal before the delivery is retried, and is none of the mail server', async () => {
    const server = await smtp()
    await invite('ana@exemplo.com.br')
    await senderOn(databaseWithout(['SelectQueryNode'], 'aparencia'), server.url).sendDue()
    expect(server.received).toHaveLength(0)
    expect(logged).toMatchObject([{ err: { code: 'ECONNREFUSED' } }, { tentativas: 1 }])
    await expectNothingKept()
    await pass(11_000)
    await senderTo(server.url).sendDue()
    expect(await app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
    expect(server.received).toHaveLength(1)
  })

  test('a failure of the portal after the delivery never sends the message again, also by another process', async () => {
    const server = await smtp()
    await invite('ana@exemplo.com.br')
    const broken = senderOn(databaseWithout(['DeleteQueryNode'], 'mensagem'), server.url)
    for (let again = 0; again < 3; again += 1) {
      await broken.sendDue()
      await pass(3 * minute)
    }
    expect(logged).toMatchObject(Array.from({ length: 3 }, () => ({ err: { code: 'ECONNREFUSED' } })))
    await expectNothingKept()
    expect(await app.db.selectFrom('mensagem').selectAll().execute()).toHaveLength(1)
    await senderTo(server.url).sendDue()
    expect(await app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
    expect(await app.db.selectFrom('correio').select('entregueEm').execute()).toEqual([
      { entregueEm: expect.any(Date) },
    ])
    expect(server.received).toHaveLength(1)
  })

  test('a failure of the portal while no statement about the message runs is waited for', async () => {
    let isGone = false
    const server = await smtp({
      onData: (stream, _session, done) => {
        stream.resume()
        stream.on('end', () => {
          isGone = true
          setTimeout(() => {
            isGone = false
          }, 1_500)
          accepted += 1
          done()
        })
      },
    })
    let accepted = 0
    await invite('ana@exemplo.com.br')
    const writes = ['UpdateQueryNode', 'DeleteQueryNode']
    const sender = senderOn(
      databaseWithout(writes, 'mensagem', () => isGone),
      server.url,
    )
    sender.start()
    await expect
      .poll(() => app.db.selectFrom('mensagem').selectAll().execute(), { timeout: 30_000 })
      .toEqual([])
    expect(accepted).toBe(1)
  })

  test('a failure of the portal after its three days does not call a delivered message given up', async () => {
    const server = await smtp()
    await invite('ana@exemplo.com.br')
    await senderOn(databaseWithout(['DeleteQueryNode'], 'mensagem'), server.url).sendDue()
    await pass(73 * 60 * minute)
    const later = senderOn(app.services.db, server.url)
    await later.sendDue()
    expect([logged, await app.db.selectFrom('mensagem').selectAll().execute()]).toEqual([[], []])
    expect(server.received).toHaveLength(1)
  })

  test.runIf(process.env.TEST_DATABASE === 'postgres')(
    'a failure of the portal while stuck calls hold the places for transactions never sends the message again',
    { timeout: 60_000 },
    async () => {
      const server = await smtp()
      await invite('ana@exemplo.com.br')
      let free = () => {}
      const freed = new Promise<void>((resolve) => {
        free = resolve
      })
      onTestFinished(() => free())
      const { db } = app.services
      const stuck = Array.from({ length: 6 }, () => inTransaction(db, () => freed))
      const sender = senderOn(db, server.url)
      await sender.sendDue()
      expect(server.received).toHaveLength(1)
      expect(logged).toMatchObject([{ err: { codigo: 'servico_indisponivel' } }])
      free()
      await Promise.all(stuck)
      await pass(3 * minute)
      await sender.sendDue()
      expect([server.received.length, await app.db.selectFrom('mensagem').selectAll().execute()]).toEqual([
        1,
        [],
      ])
    },
  )
})

describe('the user list', () => {
  test('the user list shows an invitation that the mail server refused permanently, and when', async () => {
    const server = await refusing({ 'ana@exemplo.com.br': 550 })
    const id = await invite('Ana@exemplo.com.br')
    const other = await invite('bia@exemplo.com.br', 'Bia Souza')
    expect(await userOf(id)).toMatchObject(undelivered)
    await senderTo(server.url).sendDue()
    const { body } = await admin.get('/usuarios?busca=ana&pagina=1')
    expect(body).toMatchObject([
      {
        idUsuario: id,
        convitePendente: true,
        emailFalhaMotivo: 'O servidor de e-mail recusou o endereço (550): confira se ele está certo.',
      },
    ])
    const age = app.services.now().getTime() - new Date(body[0].emailFalhouEm).getTime()
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(minute)
    expect(await userOf(other)).toMatchObject(undelivered)
  })

  test('the user list shows no failure after a later e-mail to the address is delivered', async () => {
    const codes: Record<string, number> = { 'ana@exemplo.com.br': 550 }
    const server = await refusing(codes)
    const id = await invite('ana@exemplo.com.br')
    const sender = senderTo(server.url)
    await sender.sendDue()
    expect((await userOf(id)).emailFalhouEm).not.toBeNull()
    delete codes['ana@exemplo.com.br']
    await invite('ana@exemplo.com.br')
    await sender.sendDue()
    expect(server.received).toHaveLength(1)
    expect(await userOf(id)).toMatchObject(undelivered)
  })

  test('the user list shows no failure while the mail server only defers, and the reason once the e-mail is given up', async () => {
    const server = await refusing({ 'ana@exemplo.com.br': 451 })
    const id = await invite('ana@exemplo.com.br')
    const sender = senderTo(server.url)
    await sender.sendDue()
    expect(await userOf(id)).toMatchObject(undelivered)
    await pass(73 * 60 * minute)
    await sender.sendDue()
    const row = await app.db
      .selectFrom('emailNaoEntregue')
      .select(['email', 'codigo', 'motivo'])
      .where('idUsuario', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ email: 'ana@exemplo.com.br', codigo: 'EENVELOPE 451', motivo: 'endereco' })
  })

  test('the user list shows no failure once the address is corrected', async () => {
    const server = await refusing({ 'ana@exemplo.com.br': 550 })
    const id = await invite('ana@exemplo.com.br')
    await senderTo(server.url).sendDue()
    const { status } = await admin.put(`/usuarios/${id}`, { emailUsuario: 'ana.lima@exemplo.com.br' })
    expect(status).toBe(200)
    expect(await userOf(id)).toMatchObject(undelivered)
  })

  test('the user list deletes the failure with the user', async () => {
    const server = await refusing({ 'ana@exemplo.com.br': 550 })
    const id = await invite('ana@exemplo.com.br')
    await senderTo(server.url).sendDue()
    expect((await admin.del(`/usuarios/${id}`)).status).toBe(204)
    expect(await app.db.selectFrom('emailNaoEntregue').selectAll().execute()).toEqual([])
  })
})

describe('the record of a failed e-mail', () => {
  const failures = () => app.db.selectFrom('falhaEmail').select(['modelo', 'codigo', 'desfecho']).execute()
  const mailServer = () =>
    app.db.selectFrom('correio').select(['entregueEm', 'falhandoDesde', 'codigo']).executeTakeFirst()
  const queue = (para: string) =>
    inTransaction(app.db, (tx) =>
      queueMail(tx, app.services, accountRefusedMail, { para, mail: { nome: 'Ana' } }),
    )

  test('the record of a failed e-mail holds its code and outcome, and neither address nor name', async () => {
    const codes: Record<string, number> = { 'ana@exemplo.com.br': 450 }
    const server = await refusing(codes)
    const sender = senderTo(server.url)
    await queue('ana@exemplo.com.br')
    await sender.sendDue()
    expect(await failures()).toEqual([
      { modelo: 'conta_recusada', codigo: 'EENVELOPE 450', desfecho: 'aguardando' },
    ])
    expect(JSON.stringify(await app.db.selectFrom('falhaEmail').selectAll().execute())).not.toMatch(/ana/i)
    delete codes['ana@exemplo.com.br']
    await pass(minute)
    await sender.sendDue()
    expect(await failures()).toMatchObject([{ desfecho: 'entregue' }])
    await pass(8 * 24 * 60 * minute)
    await dropMailFailures(app.db, app.services.now())
    expect(await failures()).toEqual([])
  })

  test('the record of a failed e-mail says that the mail server fails from the first failure until it accepts a message', async () => {
    const { port, url, close } = await startSmtp()
    await close()
    const sender = senderTo(url)
    await queue('ana@exemplo.com.br')
    await sender.sendDue()
    const first = await mailServer()
    expect(first?.falhandoDesde).toBeInstanceOf(Date)
    expect(first?.codigo).toMatch(/^E(CONN|SOCKET)/)
    await pass(30 * minute)
    await sender.sendDue()
    expect((await mailServer())?.falhandoDesde).toEqual(first?.falhandoDesde)
    await smtp({}, port)
    await pass(30 * minute)
    await sender.sendDue()
    expect(await mailServer()).toMatchObject({ falhandoDesde: null, codigo: null })
    expect((await mailServer())?.entregueEm).toBeInstanceOf(Date)
  })

  test('the record of a failed e-mail does not say so when the mail server refuses one address', async () => {
    const server = await refusing({ 'ana@exemplo.com.br': 550 })
    await queue('ana@exemplo.com.br')
    await senderTo(server.url).sendDue()
    expect(await mailServer()).toBeUndefined()
  })

  test.each([
    ['remetente', { onMailFrom: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(refusal(550)) }],
    [
      'mensagem',
      {
        onData: (s: NodeJS.ReadableStream, _: unknown, done: (e: Error) => void) => {
          s.resume()
          s.on('end', () => done(refusal(554)))
        },
      },
    ],
  ])('the record of a failed e-mail names a refused %s', async (motivo, options) => {
    const server = await smtp(options as never)
    await queue('ana@exemplo.com.br')
    await senderTo(server.url).sendDue()
    expect(await app.db.selectFrom('falhaEmail').select('motivo').execute()).toEqual([{ motivo }])
  })
})

const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode })
