import { NotificationKind } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { type NotifiedPeople, notificationCases } from '../test/distribution/notification-cases.ts'
import { createNotifiedPeople } from '../test/distribution/notified-people.ts'
import { moveClockTo } from '../test/let-time-pass.ts'
import { useTestApp } from '../test/use-test-app.ts'

const app = useTestApp()

let at: NotifiedPeople
beforeEach(async () => {
  at = await createNotifiedPeople(app)
})
const now = () => app.services.now()
const cases = notificationCases(app, () => at)

/** Returns the names of those with an unread notification, by kind. */

const unread = async () => {
  const rows = await app.db
    .selectFrom('notificacao')
    .innerJoin('usuario', 'usuario.idUsuario', 'notificacao.idUsuario')
    .select(['tipo', 'nomeUsuario'])
    .where('lidaEm', 'is', null)
    .orderBy('nomeUsuario')
    .execute()
  const kinds = Map.groupBy(rows, ({ tipo }) => tipo)
  return Object.fromEntries([...kinds].map(([kind, told]) => [kind, told.map((one) => one.nomeUsuario)]))
}
const readAll = () => app.db.updateTable('notificacao').set({ lidaEm: now() }).execute()
const queued = async () => (await app.db.selectFrom('mensagem').select('idMensagem').execute()).length

describe('what people are told', () => {
  test.each(cases)(
    '$name is told to those concerned, and not to its author or a blocked account',
    async (one) => {
      const { tell } = await one.make()
      await tell()
      expect(await unread()).toEqual(one.told)
      expect(await queued()).toBe(one.mails ?? 0)
    },
  )

  test.each(cases)(
    '$name is told once while it is unread, and after reading only where it is not the same occurrence',
    async (one) => {
      const { tell } = await one.make()
      await tell()
      await tell()
      expect(await unread()).toEqual(one.told)
      await readAll()
      await moveClockTo(app, app.clock.offsetMs + 61_000)
      await tell()
      expect(await unread()).toEqual(one.again ? one.told : {})
    },
  )

  test('the cases have each kind of notification', () => {
    const kinds = cases.flatMap(({ told }) => Object.keys(told))
    expect([...new Set(kinds)].toSorted()).toEqual(NotificationKind.options.toSorted())
  })

  const ending = cases.filter(({ stays }) => !stays)
  test.each(ending)(
    '$name is taken back when its cause is gone, from a person who is no longer an ADMIN too',
    async (one) => {
      const { tell, end } = await one.make()
      await tell()
      await app.db
        .updateTable('usuario')
        .set({ tipoUsuario: 'USER' })
        .where('nomeUsuario', '=', 'admin')
        .execute()
      await end?.()
      expect(await unread()).toEqual({})
      expect(await app.db.selectFrom('avisoSistema').selectAll().execute()).toEqual([])
    },
  )
})
