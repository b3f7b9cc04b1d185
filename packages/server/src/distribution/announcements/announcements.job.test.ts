import { afterEach, expect, test, vi } from 'vitest'
import { createAnnouncement } from '../../../test/distribution/announcements.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { startAnnouncements } from './announcements.job.ts'

const app = useTestApp()
afterEach(() => vi.useRealTimers())

const runOnce = async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const error = vi.fn()
  const { stop } = startAnnouncements(app.services, { error })
  vi.advanceTimersByTime(60_000)
  await stop()
  vi.useRealTimers()
  return error.mock.calls
}
const bellOf = async (idUsuario: number) =>
  app.db.selectFrom('notificacao').select('titulo').where('idUsuario', '=', idUsuario).execute()

test('the job puts what has begun since it was written into the bell, once a minute', async () => {
  const { idUsuario } = await createUser(app)
  await createAnnouncement(app, { titulo: 'Manutenção', forma: 'SINO' })
  expect(await bellOf(idUsuario)).toEqual([])
  expect(await runOnce()).toEqual([])
  expect(await runOnce()).toEqual([])
  expect(await bellOf(idUsuario)).toEqual([{ titulo: 'Manutenção' }])
})

test('the job logs a failure, and goes on at the next minute', async () => {
  const { idUsuario } = await createUser(app)
  await createAnnouncement(app, { titulo: 'Manutenção', forma: 'SINO' })
  await app.db.schema.alterTable('aviso').renameTo('aviso_fora').execute()
  try {
    expect(await runOnce()).toEqual([[{ err: expect.any(Error) }, 'the announcements failed']])
  } finally {
    await app.db.schema.alterTable('aviso_fora').renameTo('aviso').execute()
  }
  expect(await runOnce()).toEqual([])
  expect(await bellOf(idUsuario)).toEqual([{ titulo: 'Manutenção' }])
})
