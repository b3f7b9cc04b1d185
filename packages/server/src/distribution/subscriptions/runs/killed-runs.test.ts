import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { shortLived } from '../../../../test/processes/killed-server.ts'
import { mortalDatabase } from '../../../../test/stand-ins/mortal-database.ts'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'

const { suite, start, work, senderOf, workAndSend, refreshed, mails, onlyRun, pass } = subscriptionSuite()

const withRows = { report: { papeisRls: ['Regional'] }, rules: { anexosRestritos: true }, people: 3 }

/** Milliseconds after which another process takes over what a dead one held. */
const leases = 6 * 60_000

/** Works and sends until all is done, or until the process dies before its n-th statement. */
const liveUntil = async (dieAt: number) => {
  const { db, life } = mortalDatabase(suite.app.services.db, dieAt)
  for (let look = 0; look < 8 && !life.isDead; look += 1) {
    // A process that dies reports nothing.
    await work({ db }).catch(() => undefined)
    await senderOf({ db })
      .sendDue()
      .catch(() => undefined)
    await pass(2_500)
  }
  return life
}

const messages = () =>
  suite.smtp.received.map(({ to, messageId, attachments }) => ({
    para: to?.[0]?.address ?? '',
    messageId,
    de: /para:(.*)/.exec(Buffer.from(attachments[0]?.content as ArrayBuffer).toString('latin1'))?.[1],
  }))

/** Each person got their own rows, once; a repeated message is recognised by its id. */
const expectAllOnce = (emails: string[]) => {
  const distinct = new Map(messages().map((message) => [message.messageId, message]))
  expect([...distinct.values()].map(({ para }) => para).toSorted()).toEqual(emails.toSorted())
  for (const { para, de } of distinct.values()) expect(de).toBe(para)
}

describe('a process that dies before any statement of a run', () => {
  test('a process that dies before any statement of a run skips no recipient and queues no message twice', {
    timeout: 300_000,
  }, async () => {
    const about = await start(withRows)
    const emails = about.recipients.map(({ emailUsuario }) => emailUsuario)
    const { statements } = await liveUntil(Number.POSITIVE_INFINITY)
    expectAllOnce(emails)
    expect(statements).toBeGreaterThan(40)
    const unsent = new Set<number>()
    for (let dieAt = 1; dieAt <= statements; dieAt += 1) {
      suite.smtp.received.length = 0
      await suite.app.db.deleteFrom('assinaturaExecucao').execute()
      refreshed()
      await suite.app.db.updateTable('assinatura').set({ proximaEm: new Date() }).execute()
      const life = await liveUntil(dieAt)
      if (!life.isDead) continue
      if (suite.smtp.received.length < emails.length) unsent.add(dieAt)
      await pass(leases)
      await workAndSend()
      expectAllOnce(emails)
      expect((await mails()).map(({ estado }) => estado)).toEqual(['ENVIADA', 'ENVIADA', 'ENVIADA'])
      expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA' })
      expect(await suite.app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
    }
    // Most deaths came before the last e-mail.
    expect(unsent.size).toBeGreaterThan(statements / 2)
  })
})

// A second process cannot open the embedded database.
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'processes that are killed again and again send each person their rows',
  { timeout: 120_000 },
  async () => {
    const about = await start({ ...withRows, people: 6 })
    const program = join(import.meta.dirname, '../../../../test/processes/subscriptions-process.ts')
    const { app, provider, smtp } = suite
    const begin = (skewMs: number) =>
      spawn(process.execPath, [program], {
        env: {
          ...shortLived.env,
          DATA_DIR: app.dataDir,
          DATABASE_URL: app.databaseUrl,
          SMTP_URL: smtp.url,
          POWERBI_AUTHORITY_URL: provider.origin,
          POWERBI_API_URL: provider.origin,
          POWERBI_EMBED_URL: provider.origin,
          PUBLIC_URL: 'https://bi.exemplo.com.br',
          SKEW_MS: String(skewMs),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const emails = about.recipients.map(({ emailUsuario }) => emailUsuario)
    const isDone = async () =>
      (await app.db.selectFrom('assinaturaExecucao').select('terminadaEm').executeTakeFirst())?.terminadaEm
    for (let life = 0; life < 40 && !(await isDone()); life += 1) {
      // The clocks of the processes differ by minutes, which no lease may depend on.
      const child = begin(app.clock.offsetMs + (life % 3) * 150_000)
      const died = once(child, 'exit')
      await once(child.stdout, 'data')
      // Too short for all the work; later lives are longer.
      await sleep(life * 150 + Math.random() * 500)
      child.kill('SIGKILL')
      await died
      await pass(leases)
    }
    expectAllOnce(emails)
    expect((await mails()).every(({ estado }) => estado === 'ENVIADA')).toBe(true)
  },
)
