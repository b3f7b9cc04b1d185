import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createConnection } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { setTestRestore } from '../../platform/installation/test-environment.ts'
import { recordDelivery, recordFailure } from '../../platform/mail/mail-outcomes.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { createExpiryDates } from './expiry-dates.ts'
import { notifyCauses } from './watch-system.job.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let closing: (() => Promise<unknown>)[] = []
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const minute = 60_000
const day = 24 * 60 * minute
const look = (environment: Record<string, string> = {}, now = app.services.now) => {
  const config = loadConfig({ DATA_DIR: app.dataDir, ...environment })
  const services = { config, db: app.db, now, secrets: app.services.secrets }
  return notifyCauses(services, createExpiryDates(services))
}
interface Told {
  tipo: string
  titulo: string
  texto: string
  rota: string
  lidaEm: string | null
}
const notifications = async (): Promise<Told[]> => (await admin.get('/notificacoes')).body
const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)

describe('a failing mail server', () => {
  const refuse = () =>
    recordFailure(app.db, {
      para: 'ana@exemplo.com.br',
      failure: { codigo: 'EAUTH 535', motivo: 'credencial' },
      now: app.services.now(),
    })

  test('a failing mail server is notified to every ADMIN once after an hour, and settled when e-mails leave again', async () => {
    const second = await createUser(app, { tipoUsuario: 'ADMIN' })
    const person = await createUser(app)
    await refuse()
    await look()
    expect(await notifications()).toEqual([])
    app.clock.offsetMs = 50 * minute
    await look()
    expect(await notifications()).toEqual([])
    app.clock.offsetMs = 61 * minute
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await look()
    await look()
    const told = await app.db
      .selectFrom('notificacao')
      .select(({ fn }) => ['idUsuario', fn.countAll<number>().as('total')])
      .groupBy('idUsuario')
      .execute()
    expect(told.map(({ total }) => total)).toEqual([1, 1, 1])
    expect(told.map(({ idUsuario }) => idUsuario)).toContain(second.idUsuario)
    expect(told.map(({ idUsuario }) => idUsuario)).not.toContain(person.idUsuario)
    expect(await notifications()).toMatchObject([
      {
        tipo: 'sistema_com_problema',
        titulo: 'Os e-mails não estão saindo',
        texto:
          'Nenhum e-mail sai há 1 hora. O servidor de e-mail recusou o usuário ou a senha do portal (535): confira SMTP_URL.',
        rota: '/situacao',
        lidaEm: null,
      },
    ])
    await recordDelivery(app.db, { para: 'ana@exemplo.com.br' })
    await look()
    expect((await notifications()).map(({ lidaEm }) => lidaEm)).toEqual([expect.any(String)])
  })

  test('a failing mail server is not notified again once read, but again when it fails another time', async () => {
    await refuse()
    app.clock.offsetMs = 61 * minute
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await look()
    await admin.post('/notificacoes/lidas', {})
    app.clock.offsetMs = 90 * minute
    await look()
    expect(await notifications()).toHaveLength(1)
    await recordDelivery(app.db, { para: 'ana@exemplo.com.br' })
    await look()
    await refuse()
    app.clock.offsetMs = 160 * minute
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await look()
    const rows = await app.db.selectFrom('notificacao').select('lidaEm').where('lidaEm', 'is', null).execute()
    expect(rows).toHaveLength(3)
  })

  test('a failing mail server is not notified in a restored test environment, which sends nothing', async () => {
    await refuse()
    app.clock.offsetMs = 61 * minute
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const at = app.services.now().toISOString()
    await setTestRestore(app.db, { restauradaEm: at, copiaDe: at, bucket: null })
    await look()
    expect(await notifications()).toEqual([])
    await setTestRestore(app.db, null)
    await look()
    expect(await notifications()).toHaveLength(1)
  })

  test('a failing mail server is notified once by several processes that check concurrently', async () => {
    await refuse()
    app.clock.offsetMs = 61 * minute
    await Promise.all([look(), look(), look()])
    const { total } = await app.db
      .selectFrom('notificacao')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    expect(total).toBe(1)
  })
})

describe('an expiring secret', () => {
  const unread = async () => (await notifications()).filter(({ lidaEm }) => lidaEm === null)
  const at = (days: number) => () => new Date(Date.now() + days * day)
  const change = (idPowerBi: number, validadeSegredo: string | null) =>
    app.db.updateTable('powerbi').set({ validadeSegredo }).where('idPowerBi', '=', idPowerBi).execute()
  const readAs = (idPowerBi: number, venceEm: Date) =>
    app.db
      .insertInto('leituraSegredo')
      .values({ idPowerBi, versao: 1, proximaEm: venceEm, resultado: 'lida', venceEm })
      .execute()
  const mails = async () => {
    const rows = await app.db.selectFrom('mensagem').select('conteudo').orderBy('idMensagem').execute()
    return rows.map(({ conteudo }) => JSON.parse(app.services.secrets.decrypt(conteudo)))
  }

  test('an expiring secret is notified 30, 7 and 1 days before and once it expired, once each, on several nodes', async () => {
    const { idPowerBi } = await createConnection(app, { nome: 'Matriz' })
    await readAs(idPowerBi, new Date(Date.now() + 40 * day))
    const texts: string[] = []
    for (const days of [0, 9, 11, 20, 32, 34, 38, 39.5, 39.8, 41, 60]) {
      await Promise.all([look({}, at(days)), look({}, at(days)), look({}, at(days))])
      texts.push(`${days}: ${(await notifications()).length}`)
    }
    expect(texts).toEqual([
      '0: 0',
      '9: 0',
      '11: 1',
      '20: 1',
      '32: 1',
      '34: 2',
      '38: 2',
      '39.5: 3',
      '39.8: 3',
      '41: 4',
      '60: 4',
    ])
    expect(await unread()).toEqual([
      expect.objectContaining({
        tipo: 'sistema_com_problema',
        titulo: 'Segredo: Matriz',
        texto: expect.stringMatching(
          /^O segredo venceu em .* Crie outro no provedor e troque-o no cadastro do Powerbi\.$/,
        ),
        rota: `/Registerpowerbi/${idPowerBi}`,
      }),
    ])
    expect((await notifications())[1]?.texto).toMatch(/^O segredo vence em /)
  })

  test('an expiring secret is notified to each ADMIN by e-mail too', async () => {
    const second = await createUser(app, { tipoUsuario: 'ADMIN' })
    await createUser(app)
    await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
    const { idPowerBi } = await createConnection(app, { nome: 'Matriz', validadeSegredo: dateIn(3) })
    await look()
    await look()
    const sent = await mails()
    expect(sent.map(({ para }) => para)).toContain(second.emailUsuario)
    expect(sent).toHaveLength(2)
    expect(sent[0].mail).toMatchObject({
      modelo: 'segredo_vence',
      segredo: 'Matriz',
      texto: expect.stringMatching(/^O segredo vence em /),
      link: `http://localhost:3000/Registerpowerbi/${idPowerBi}`,
    })
  })

  test('an expiring secret is notified once when its date is entered five days before', async () => {
    await createConnection(app, { validadeSegredo: dateIn(5) })
    await look()
    expect(await notifications()).toHaveLength(1)
  })

  test('an expiring secret is settled by another date, and notified again when that comes', async () => {
    const { idPowerBi } = await createConnection(app, { validadeSegredo: dateIn(3) })
    await look()
    await change(idPowerBi, dateIn(365))
    await look()
    expect(await unread()).toEqual([])
    await change(idPowerBi, dateIn(6))
    await look()
    expect(await unread()).toHaveLength(1)
  })

  test('an expiring secret is not notified again when Microsoft returns a time of the entered day', async () => {
    const { idPowerBi } = await createConnection(app, { validadeSegredo: '2026-03-10' })
    const before = () => new Date('2026-03-07T12:00:00-03:00')
    await look({}, before)
    await readAs(idPowerBi, new Date('2026-03-10T14:23:00-03:00'))
    await look({}, before)
    expect(await notifications()).toHaveLength(1)
    expect(await mails()).toHaveLength(1)
  })

  test('an expiring secret is notified by the date that was read from Microsoft, not by the entered one', async () => {
    const { idPowerBi } = await createConnection(app, { validadeSegredo: dateIn(3) })
    await readAs(idPowerBi, new Date(Date.now() + 100 * day))
    await look()
    expect(await notifications()).toEqual([])
    await look({}, at(98))
    expect(await notifications()).toHaveLength(1)
  })

  test.each([
    ['its date is removed', (id: number) => change(id, null)],
    [
      'its connection is deleted',
      (id: number) => app.db.deleteFrom('powerbi').where('idPowerBi', '=', id).execute(),
    ],
  ])('an expiring secret is settled when %s', async (_, remove) => {
    const { idPowerBi } = await createConnection(app, { validadeSegredo: dateIn(3) })
    await look()
    await remove(idPowerBi)
    await look()
    expect((await notifications()).map(({ lidaEm }) => lidaEm)).toEqual([expect.any(String)])
  })

  test('an expiring secret is also notified for the identity provider', async () => {
    await look({
      OIDC_ISSUER: 'http://127.0.0.1:9/x',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'segredo',
      OIDC_CLIENT_SECRET_EXPIRES: dateIn(5),
    })
    expect(await notifications()).toMatchObject([
      {
        titulo: 'Segredo: Provedor de identidade',
        texto: expect.stringMatching(/troque-o em OIDC_CLIENT_SECRET\.$/),
        rota: '/situacao',
      },
    ])
  })

  test('an expiring secret whose notice the previous version sent, is not notified twice at once', async () => {
    const { idPowerBi } = await createConnection(app, { validadeSegredo: dateIn(3) })
    const subject = `sistema:validade:powerbi:${idPowerBi}`
    const notice = { kind: 'sistema_com_problema', subject, bell: { titulo: 'T', texto: 't' } } as const
    await notify(app.db, { audience: 'administradores', ...notice }, app.services.now())
    await look()
    expect(await unread()).toMatchObject([{ rota: `/Registerpowerbi/${idPowerBi}` }])
  })
})

const serveTls = async () => {
  const fixture = (name: string) =>
    readFile(new URL(`../../../../e2e/fixtures/loopback-${name}.pem`, import.meta.url))
  const server = createServer({ key: await fixture('key'), cert: await fixture('cert') })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => new Promise((resolve) => server.close(resolve))
  closing.push(close)
  return { port: (server.address() as AddressInfo).port, close }
}

test('an expiring certificate is notified, and the notification stays while it cannot be read', async () => {
  const { port, close } = await serveTls()
  const settings = { PUBLIC_URL: `https://127.0.0.1:${port}` }
  const shortBefore = () => new Date('2126-10-20T12:00:00Z')
  await look(settings)
  expect(await notifications()).toEqual([])
  await look(settings, shortBefore)
  const told = { texto: `O certificado de 127.0.0.1:${port} vence em 28/10/2126. Renove-o.`, lidaEm: null }
  expect(await notifications()).toMatchObject([told])
  await close()
  await look(settings, shortBefore)
  expect(await notifications()).toMatchObject([told])
})

test('a certificate that the portal refuses is notified once, and settled when it calls another server', async () => {
  const { port } = await serveTls()
  await look({ REPORTS_URL: `https://127.0.0.1:${port}` })
  await look({ REPORTS_URL: `https://127.0.0.1:${port}` })
  expect(await notifications()).toMatchObject([
    {
      titulo: 'Certificado: Serviço de relatórios',
      texto: expect.stringContaining(`O certificado de 127.0.0.1:${port} é autoassinado`),
      rota: '/situacao',
      lidaEm: null,
    },
  ])
  // Browsers call this address, not the portal.
  await look({
    REPORTS_URL: `https://127.0.0.1:${port}`,
    REPORTS_INTERNAL_URL: 'http://127.0.0.1:9',
  })
  expect(await notifications()).toMatchObject([{ lidaEm: expect.any(String) }])
})

test('a backup older than a week is notified', async () => {
  await app.services.writeAudit(app.db, { action: 'backup.created', idUsuario: null })
  await look()
  expect(await notifications()).toEqual([])
  await look({}, () => new Date(Date.now() + 8 * day))
  expect(await notifications()).toMatchObject([{ titulo: 'Cópia de segurança atrasada' }])
})
