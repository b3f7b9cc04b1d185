import { hostname } from 'node:os'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { statusServer } from '../../../test/operations/system-status.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { createClockLog, notifyClock } from './watch-system.job.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let closing: (() => Promise<unknown> | unknown)[] = []
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

/** Checks as a node at this port whose clock is ahead by these seconds. */
const look = (port: number, secondsAhead: number, logClock: Parameters<typeof notifyClock>[1] = () => {}) => {
  const config = loadConfig({ DATA_DIR: app.dataDir, PORT: String(port) })
  const now = () => new Date(Date.now() + secondsAhead * 1000)
  return notifyClock({ config, db: app.db, now, secrets: app.services.secrets }, logClock)
}
/** Returns the item as the node at port 3000 shows it. */
const shown = async () => (await (await statusServer(app, admin, {}, closing)).status()).relogio
const unread = () =>
  app.db
    .selectFrom('notificacao')
    .select(['titulo', 'texto'])
    .where('assunto', 'like', 'sistema:relogio:%')
    .where('lidaEm', 'is', null)
    .execute()
const advice = 'Acerte a hora da máquina com NTP.'

test('a clock that follows the database is no problem', async () => {
  const { estado, frase, diferencaMs } = await shown()
  expect([estado, frase]).toEqual(['ok', 'O relógio deste nó acompanha o do banco.'])
  expect(Math.abs(diferencaMs ?? Number.NaN)).toBeLessThan(5_000)
})

test.each([9, -9])('a clock that differs by %s seconds is no problem', async (seconds) => {
  app.clock.offsetMs = seconds * 1000
  expect(await shown()).toMatchObject({ estado: 'ok' })
})

test.each([
  [12, 'está 12 segundos adiantado em relação ao do banco.'],
  [150, 'está 2 minutos adiantado em relação ao do banco.'],
  [-30, 'está 30 segundos atrasado em relação ao do banco.'],
])('a clock that differs by %s seconds asks for action', async (seconds, text) => {
  app.clock.offsetMs = seconds * 1000
  expect(await shown()).toMatchObject({ estado: 'atencao', frase: `O relógio deste nó ${text} ${advice}` })
})

test('administrators are notified once of each node whose clock differs, until it is right', async () => {
  for (const seconds of [150, 151, 0]) {
    await look(3001, seconds)
    await look(3002, 0)
    const texto = `O relógio de ${hostname()}:3001 está 2 minutos adiantado em relação ao do banco. ${advice}`
    expect(await unread()).toEqual(seconds > 0 ? [{ titulo: 'Relógio de um nó errado', texto }] : [])
    const isNamed = {
      estado: 'atencao',
      frase: `O relógio de ${hostname()}:3001 está errado. ${advice}`,
    }
    expect(await shown()).toMatchObject(seconds > 0 ? isNamed : { estado: 'ok' })
  }
})

test('a node that has stopped is forgotten', async () => {
  await look(3001, 150)
  await sql`update aviso_sistema set em = em - interval '16 minutes'`.execute(app.db)
  expect(await shown()).toMatchObject({ estado: 'ok' })
  await look(3002, 0)
  expect(await unread()).toEqual([])
  expect(await app.db.selectFrom('avisoSistema').selectAll().execute()).toEqual([])
})

/* The kind: what a node finds about itself was on a screen only, and not in its log. */
test('a node logs once that its clock differs, and again when that changes', async () => {
  const warnings: unknown[] = []
  const logClock = createClockLog({ warn: (sentence: unknown) => void warnings.push(sentence) })
  for (const seconds of [0, 150, 151, -30, 0, 150]) await look(3001, seconds, logClock)
  const ahead = `O relógio de ${hostname()}:3001 está 2 minutos adiantado em relação ao do banco. ${advice}`
  const behind = `O relógio de ${hostname()}:3001 está 30 segundos atrasado em relação ao do banco. ${advice}`
  expect(warnings).toEqual([ahead, behind, ahead])
})
