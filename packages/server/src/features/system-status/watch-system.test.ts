import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createConnection } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { loadConfig } from '../../config/config.ts'
import { setTestRestore } from '../../environment/test-environment.ts'
import { recordDelivery, recordFailure } from '../../mail/mail-outcomes.ts'
import { createExpiryDates } from './expiry-dates.ts'
import { notifyCauses } from './watch-system.ts'

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
  const services = { config, db: app.db, now }
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

  test('is notified to every ADMIN once after an hour, and settled when e-mails leave again', async () => {
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
    await recordDelivery(app.db, { para: 'ana@exemplo.com.br', now: app.services.now() })
    await look()
    expect((await notifications()).map(({ lidaEm }) => lidaEm)).toEqual([expect.any(String)])
  })

  test('is not notified again once read, but again when it fails another time', async () => {
    await refuse()
    app.clock.offsetMs = 61 * minute
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await look()
    await admin.post('/notificacoes/lidas', {})
    app.clock.offsetMs = 90 * minute
    await look()
    expect(await notifications()).toHaveLength(1)
    await recordDelivery(app.db, { para: 'ana@exemplo.com.br', now: app.services.now() })
    await look()
    await refuse()
    app.clock.offsetMs = 160 * minute
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await look()
    const rows = await app.db.selectFrom('notificacao').select('lidaEm').where('lidaEm', 'is', null).execute()
    expect(rows).toHaveLength(3)
  })

  test('is not notified in a restored test environment, which sends nothing', async () => {
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

  test('is notified once by several processes that check concurrently', async () => {
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
  test('is notified within 14 days and again once expired, and settled by another date', async () => {
    const { idPowerBi } = await createConnection(app, { nome: 'Matriz', validadeSegredo: dateIn(20) })
    await look()
    expect(await notifications()).toEqual([])
    const change = (validadeSegredo: string | null) =>
      app.db.updateTable('powerbi').set({ validadeSegredo }).where('idPowerBi', '=', idPowerBi).execute()
    await change(dateIn(10))
    await look()
    await look()
    expect(await notifications()).toMatchObject([
      { titulo: 'Segredo: Matriz', texto: expect.stringMatching(/^O segredo vence em /), lidaEm: null },
    ])
    await look({}, () => new Date(Date.now() + 11 * day))
    const expired = await notifications()
    expect(expired).toMatchObject([
      { texto: expect.stringMatching(/^O segredo venceu em /), lidaEm: null },
      { lidaEm: expect.any(String) },
    ])
    await change(dateIn(365))
    await look()
    expect((await notifications()).filter(({ lidaEm }) => lidaEm === null)).toEqual([])
  })

  test('is settled when its date is removed', async () => {
    const { idPowerBi } = await createConnection(app, { validadeSegredo: dateIn(3) })
    await look()
    await app.db
      .updateTable('powerbi')
      .set({ validadeSegredo: null })
      .where('idPowerBi', '=', idPowerBi)
      .execute()
    await look()
    expect((await notifications()).map(({ lidaEm }) => lidaEm)).toEqual([expect.any(String)])
  })

  test('is also notified for the identity provider', async () => {
    await look({
      OIDC_ISSUER: 'http://127.0.0.1:9/x',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'segredo',
      OIDC_CLIENT_SECRET_EXPIRES: dateIn(5),
    })
    expect(await notifications()).toMatchObject([{ titulo: 'Segredo: Provedor de identidade' }])
  })
})

test('an expiring certificate is notified, and the notification stays while it cannot be read', async () => {
  const fixture = (name: string) =>
    readFile(new URL(`../../../../e2e/fixtures/loopback-${name}.pem`, import.meta.url))
  const server = createServer({ key: await fixture('key'), cert: await fixture('cert') })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { PUBLIC_URL: `https://127.0.0.1:${port}` }
  const shortBefore = () => new Date('2126-10-20T12:00:00Z')
  await look(settings)
  expect(await notifications()).toEqual([])
  await look(settings, shortBefore)
  const told = { texto: `O certificado de 127.0.0.1:${port} vence em 28/10/2126. Renove-o.`, lidaEm: null }
  expect(await notifications()).toMatchObject([told])
  await new Promise((resolve) => server.close(resolve))
  await look(settings, shortBefore)
  expect(await notifications()).toMatchObject([told])
})

test('a backup older than a week is notified', async () => {
  await app.services.recordAudit(app.db, { action: 'backup.created', idUsuario: null })
  await look()
  expect(await notifications()).toEqual([])
  await look({}, () => new Date(Date.now() + 8 * day))
  expect(await notifications()).toMatchObject([{ titulo: 'Cópia de segurança atrasada' }])
})
