import { afterEach, expect, test, vi } from 'vitest'
import { createRequest } from '../../../test/access/access-requests.ts'
import { createKey } from '../../../test/accounts/api-keys.ts'
import { createGuest, openedVisit, sentLink } from '../../../test/distribution/guests.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { notifyExpiringKeys } from '../../accounts/api-keys/expiring-keys.ts'
import { createLink } from '../../accounts/credentials/account-links.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { deleteExpiredRows, startHousekeeping } from './housekeeping.job.ts'

const app = useTestApp({}, { resets: false })
afterEach(() => vi.useRealTimers())

const rows = async () => {
  const [failures, sessions, devices] = await Promise.all([
    app.db.selectFrom('falhaLogin').selectAll().execute(),
    app.db.selectFrom('sessao').selectAll().execute(),
    app.db.selectFrom('dispositivoConhecido').selectAll().execute(),
  ])
  return [failures.length, sessions.length, devices.length]
}

test('housekeeping deletes failures after their window, sessions after a month, devices after a year', async () => {
  const user = await createUser(app)
  const device = { 'x-dispositivo': 'mQ9c1vY0b2pXo3nZ4rT5uWvA' }
  await app.anonymous.post(
    '/usuarios/authorizer',
    { username: user.emailUsuario, password: user.password },
    device,
  )
  await app.anonymous.post('/usuarios/authorizer', { username: user.emailUsuario, password: 'errada' })
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
  await deleteExpiredRows(app.db, inDays(0))
  expect(await rows()).toEqual([2, 1, 1])
  await deleteExpiredRows(app.db, inDays(0.02))
  expect(await rows()).toEqual([0, 1, 1])
  await deleteExpiredRows(app.db, inDays(32))
  expect(await rows()).toEqual([0, 0, 1])
  await deleteExpiredRows(app.db, inDays(366))
  expect(await rows()).toEqual([0, 0, 0])
})

test('housekeeping deletes notifications 90 days after they were read', async () => {
  await app.reset()
  const { idUsuario } = await createUser(app)
  const now = new Date()
  const told = { idUsuario, tipo: 'senha_alterada', titulo: 'T', texto: 't', rota: null, assunto: null }
  await app.db
    .insertInto('notificacao')
    .values({ ...told, criadaEm: now, lidaEm: now })
    .execute()
  const left = async (days: number) => {
    await deleteExpiredRows(app.db, new Date(now.getTime() + days * 24 * 3_600_000))
    return (await app.db.selectFrom('notificacao').select('idNotificacao').execute()).length
  }
  expect([await left(89), await left(91)]).toEqual([1, 0])
})

test('housekeeping deletes expired links, and keeps valid ones and accounts that wait for approval', async () => {
  await app.reset()
  const { idUsuario } = await createUser(app)
  await createUser(app, { situacao: 'PENDENTE' })
  for (const tipo of ['recuperacao', 'convite'] as const)
    await createLink(app.db, app.services, { idUsuario, tipo })
  const linksIn = async (days: number) => {
    await deleteExpiredRows(app.db, new Date(Date.now() + days * 24 * 3_600_000))
    const links = await app.db.selectFrom('linkConta').select('tipo').execute()
    return links.map(({ tipo }) => tipo).sort()
  }
  // An hour in which its message may be handed over, then eight days.
  expect(await linksIn(11 / 1440)).toEqual(['convite', 'recuperacao'])
  expect(await linksIn(61 / 1440)).toEqual(['convite'])
  expect(await linksIn(8)).toEqual([])
  await linksIn(400)
  const people = await app.db.selectFrom('usuario').select('situacao').orderBy('idUsuario').execute()
  expect(people).toEqual([{ situacao: 'ATIVO' }, { situacao: 'PENDENTE' }])
})

test('housekeeping deletes requests for access a year after their answer, and no open ones', async () => {
  await app.reset()
  const person = await createUser(app)
  const [answered, open] = [
    await createRequest(app, person, { idRelatorio: null }),
    await createRequest(app, person, { idRelatorio: null }),
  ]
  const answer = { situacao: 'RECUSADO', respondidoEm: new Date() } as const
  await app.db.updateTable('pedidoAcesso').set(answer).where('idPedido', '=', answered).execute()
  const left = async (days: number) => {
    await deleteExpiredRows(app.db, new Date(Date.now() + days * 24 * 3_600_000))
    const rows = await app.db.selectFrom('pedidoAcesso').select('idPedido').orderBy('idPedido').execute()
    return rows.map(({ idPedido }) => idPedido)
  }
  expect([await left(364), await left(366)]).toEqual([[answered, open], [open]])
})

test('housekeeping deletes exports after two days', async () => {
  await app.reset()
  const { idUsuario } = await createUser(app)
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
  const now = new Date()
  const asked = { idUsuario, idRelatorio, formato: 'PDF' as const, externo: 'x', alcance: 'm' }
  await app.db
    .insertInto('exportacao')
    .values({ ...asked, idExportacao: crypto.randomUUID(), pedidaEm: now, encerradaEm: null })
    .execute()
  const left = async (days: number) => {
    await deleteExpiredRows(app.db, new Date(now.getTime() + days * 24 * 3_600_000))
    return (await app.db.selectFrom('exportacao').selectAll().execute()).length
  }
  expect([await left(1), await left(3)]).toEqual([1, 0])
})

test.each([
  ['365', 0],
  [undefined, 1],
])('every hour, with USAGE_DAYS=%s, leaves %i of one view from 370 days ago', async (days, left) => {
  await app.reset()
  const { idUsuario } = await createUser(app)
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
  const quando = new Date(Date.now() - 370 * 24 * 3_600_000)
  const times = { carregadoMs: 1, renderizadoMs: 2 }
  await app.db
    .insertInto('visualizacao')
    .values({ idRelatorio, idUsuario, quando, ...times })
    .execute()
  const config = { ...app.services.config, usageDays: loadConfig(days ? { USAGE_DAYS: days } : {}).usageDays }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const failed = vi.fn()
  const { stop } = startHousekeeping({ ...app.services, config }, { error: failed })
  vi.advanceTimersByTime(3_600_000)
  await stop()
  expect(failed).not.toHaveBeenCalled()
  const views = await app.db.selectFrom('visualizacao').select('idVisualizacao').execute()
  expect(views).toHaveLength(left)
})

test('housekeeping deletes API keys 90 days after they expired', async () => {
  await app.reset()
  await createKey(app, await createUser(app), { expiraEm: new Date() })
  const left = async (days: number) => {
    await deleteExpiredRows(app.db, new Date(Date.now() + days * 24 * 3_600_000))
    return (await app.db.selectFrom('chaveApi').select('idChave').execute()).length
  }
  expect([await left(89), await left(91)]).toEqual([1, 0])
})

test('housekeeping tells the owner of an API key once, a week before it expires', async () => {
  await app.reset()
  const { idUsuario } = await createUser(app)
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
  const criadaEm = inDays(-30)
  await createKey(app, { idUsuario }, { nome: 'Longe', criadaEm, expiraEm: inDays(8) })
  await createKey(app, { idUsuario }, { nome: 'Perto', criadaEm, expiraEm: inDays(6) })
  await createKey(app, { idUsuario }, { nome: 'Vencida', criadaEm, expiraEm: inDays(-1) })
  await createKey(app, { idUsuario }, { nome: 'Nova', expiraEm: inDays(3) })
  const told = async (now: Date) => {
    await notifyExpiringKeys(app.db, now)
    const rows = await app.db.selectFrom('notificacao').select('texto').orderBy('idNotificacao').execute()
    return rows.map(({ texto }) => /“(.*)”/.exec(texto)?.[1]).sort()
  }
  expect(await told(inDays(0))).toEqual(['Perto'])
  expect(await told(inDays(0.5))).toEqual(['Perto'])
  expect(await told(inDays(1.5))).toEqual(['Longe', 'Nova', 'Perto'])
})

test('housekeeping deletes guests 90 days after they were revoked or their last day, and ended visits and links', async () => {
  await app.reset()
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
  const { idUsuario: convidadoPor } = await createUser(app, { tipoUsuario: 'ADMIN' })
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
  const guest = await createGuest(app, { idRelatorio, convidadoPor, venceEm: inDays(400) })
  await openedVisit(app, guest)
  await sentLink(app, guest)
  await createGuest(app, { idRelatorio, convidadoPor, venceEm: inDays(5) })
  await createGuest(app, { idRelatorio, convidadoPor, venceEm: inDays(400), revogadoEm: inDays(0) })
  const left = async (days: number) => {
    await deleteExpiredRows(app.db, inDays(days))
    const rows = await Promise.all([
      app.db.selectFrom('convidado').selectAll().execute(),
      app.db.selectFrom('convidadoVisita').selectAll().execute(),
      app.db.selectFrom('convidadoLink').selectAll().execute(),
    ])
    return rows.map(({ length }) => length)
  }
  expect(await left(0)).toEqual([3, 1, 1])
  expect(await left(0.2)).toEqual([3, 1, 0])
  expect(await left(1)).toEqual([3, 0, 0])
  expect(await left(91)).toEqual([2, 0, 0])
  expect(await left(96)).toEqual([1, 0, 0])
})
