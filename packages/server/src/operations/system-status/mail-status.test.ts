import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testSender } from '../../../test/mails.ts'
import { statusServer } from '../../../test/operations/system-status.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import type { loadConfig } from '../../platform/config/config.ts'
import { setTestRestore } from '../../platform/installation/test-environment.ts'

let boss: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
let closing: (() => Promise<unknown> | unknown)[] = []
const app = useTestApp()
beforeEach(async () => {
  boss = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(boss)
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const minute = 60_000
const serverWith = (environment: Record<string, string> = {}) =>
  statusServer(app, admin, environment, closing)
const statusWith = async (environment: Record<string, string> = {}) =>
  (await serverWith(environment)).status()

const invite = (emailUsuario: string) =>
  admin.post('/usuarios/convites', { nomeUsuario: 'Ana Lima', emailUsuario })

describe('the e-mail item of GET /sistema/situacao', () => {
  const send = (config: ReturnType<typeof loadConfig>) => testSender({ ...app.services, config }).sendDue()

  test('the e-mail item of GET /sistema/situacao shows a failure by its code, without address or content', async () => {
    const smtp = await startSmtp({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    })
    closing.push(smtp.close)
    const SMTP_URL = smtp.url.replace('//', '//portal:Segredo-smtp@')
    await invite('ana@exemplo.com.br')
    const server = await serverWith({ SMTP_URL: smtp.url })
    await send(server.config)
    const { email } = await statusWith({ SMTP_URL })
    expect(email).toMatchObject({
      estado: 'atencao',
      frase: 'Nas últimas 24 horas, 1 e-mail não foi entregue: veja os motivos abaixo.',
      modo: 'smtp',
      destino: `127.0.0.1:${smtp.port}`,
      aguardando: 0,
      falhandoDesde: null,
      falhas: [
        {
          modelo: 'convite',
          codigo: 'EENVELOPE 550',
          desfecho: 'desistiu',
          frase: 'O servidor de e-mail recusou o endereço (550): confira se ele está certo.',
        },
      ],
    })
    expect(JSON.stringify(email)).not.toMatch(/ana|Segredo/i)
  })

  test('the e-mail item of GET /sistema/situacao fails after an hour without a delivery', async () => {
    const { url, close } = await startSmtp()
    await close()
    await invite('ana@exemplo.com.br')
    const server = await serverWith({ SMTP_URL: url })
    await send(server.config)
    expect((await server.status()).email).toMatchObject({ estado: 'atencao' })
    app.clock.offsetMs = 61 * minute
    admin = await app.as(boss)
    expect((await statusWith({ SMTP_URL: url })).email).toMatchObject({
      estado: 'falha',
      frase:
        'Nenhum e-mail sai há 1 hora. O servidor de e-mail não respondeu: confira SMTP_URL, a rede e o firewall.',
    })
  })

  test('the e-mail item of GET /sistema/situacao asks for a mail server when none is configured', async () => {
    const { estado, email } = await statusWith()
    expect(estado).toBe('atencao')
    expect(email).toMatchObject({ estado: 'atencao', modo: 'pasta', aguardando: 0 })
    expect(email.frase).toMatch(/^Nenhum e-mail é enviado: sem SMTP_URL/)
  })
})

describe('a restored test environment', () => {
  test('reports that e-mails are held, and sends no test message', async () => {
    const smtp = await startSmtp()
    closing.push(smtp.close)
    const at = new Date().toISOString()
    await setTestRestore(app.db, { restauradaEm: at, copiaDe: at, bucket: null })
    await invite('ana@exemplo.com.br')
    app.clock.offsetMs = 61 * minute
    admin = await app.as(boss)
    const server = await serverWith({ SMTP_URL: smtp.url })
    const { email, filas } = await server.status()
    const held = {
      estado: 'desconhecido',
      frase: 'Este ambiente foi restaurado como ensaio: os e-mails ficam retidos até ele ser liberado.',
    }
    expect(email).toMatchObject({ ...held, aguardando: 1 })
    expect(filas.lista.find(({ fila }) => fila === 'emails')).toMatchObject(held)
    expect(await server.testMail()).toEqual({
      entregue: false,
      para: boss.emailUsuario,
      frase:
        'Este ambiente foi restaurado como ensaio e não envia e-mails, nem o de teste: ele só sai depois que o ambiente for liberado.',
      codigo: null,
    })
    expect(smtp.received).toEqual([])
    expect(await app.db.selectFrom('correio').selectAll().execute()).toEqual([])
    await setTestRestore(app.db, null)
    expect(await server.testMail()).toMatchObject({ entregue: true })
    expect(smtp.received).toHaveLength(1)
  })
})

describe('POST /sistema/teste-email', () => {
  test('POST /sistema/teste-email sends a message to the ADMIN who calls it, and reports that the mail server accepted it', async () => {
    const smtp = await startSmtp()
    closing.push(smtp.close)
    const server = await serverWith({ SMTP_URL: smtp.url })
    expect(await server.testMail()).toEqual({
      entregue: true,
      para: boss.emailUsuario,
      frase: `O servidor de e-mail aceitou a mensagem para ${boss.emailUsuario}. Se ela não chegar, veja a pasta de spam.`,
      codigo: null,
    })
    expect(smtp.received.map(({ subject, to }) => [subject, to?.[0]?.address])).toEqual([
      ['E-mail de teste do BI Manager', boss.emailUsuario],
    ])
    expect((await server.status()).email.ultimaEntregaEm).not.toBeNull()
    const trail = await app.db
      .selectFrom('auditoria')
      .select('idUsuario')
      .where('acao', '=', 'mail.tested')
      .execute()
    expect(trail).toEqual([{ idUsuario: boss.idUsuario }])
  })

  test("POST /sistema/teste-email reports why the mail server refused it, without the server's text", async () => {
    const smtp = await startSmtp({
      onMailFrom: ({ address }, _session, done) =>
        done(Object.assign(new Error(`${address} may not`), { responseCode: 553 })),
    })
    closing.push(smtp.close)
    const server = await serverWith({ SMTP_URL: smtp.url })
    expect(await server.testMail()).toEqual({
      entregue: false,
      para: boss.emailUsuario,
      frase: 'O servidor de e-mail recusou o remetente (553): confira MAIL_FROM.',
      codigo: 'EENVELOPE 553',
    })
    expect((await server.status()).email).toMatchObject({ estado: 'atencao' })
  })

  test('POST /sistema/teste-email writes a file when no mail server is configured', async () => {
    const answer = await (await serverWith()).testMail()
    expect(answer).toMatchObject({ entregue: false, frase: expect.stringContaining('-teste-0.eml') })
  })

  test('POST /sistema/teste-email is allowed for ADMINs only', async () => {
    const person = await app.as(await createUser(app))
    expect((await person.post('/sistema/teste-email')).status).toBe(403)
  })
})
