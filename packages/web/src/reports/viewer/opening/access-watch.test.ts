import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../../test/token.ts'
import { followLive } from '../../../lib/live/live.ts'
import { currentSession, startSession } from '../../../lib/session/session.ts'
import { watchAccess } from './access-watch.ts'

let checks: { url: string; inBackground: boolean }[]
let statuses: number[]
let say: (event?: string) => void
const endings: (() => void)[] = []

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', undefined)
  checks = []
  statuses = []
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    if (url.endsWith('/eventos')) {
      const body = new TransformStream<Uint8Array, Uint8Array>()
      const writer = body.writable.getWriter()
      say = (event = 'acesso') => void writer.write(new TextEncoder().encode(`event: ${event}\ndata: {}\n\n`))
      return new Response(body.readable)
    }
    checks.push({ url, inBackground: new Headers(headers).get('x-segundo-plano') === '1' })
    const status = statuses.shift() ?? 204
    return status === 204 ? new Response(null, { status }) : Response.json({}, { status })
  })
  startSession(signedInUntil(Date.now() + 60 * 60_000))
  const session = currentSession()
  if (session) endings.push(followLive(session))
  await settle()
})
afterEach(() => {
  for (const end of endings.splice(0)) end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const settle = () => vi.advanceTimersByTimeAsync(1)
const watch = () => {
  const life = new AbortController()
  const onLost = vi.fn()
  endings.push(() => life.abort())
  return { ...watchAccess({ signal: life.signal, onLost }), onLost, close: () => life.abort() }
}

test('the access watch asks in the background on an access event, and keeps a report that is still allowed', async () => {
  const { setReportId, onLost } = watch()
  setReportId(7)
  await settle()
  expect(checks).toEqual([])
  say()
  await settle()
  expect(checks).toEqual([{ url: '/api/usuarios/relatorio/7/acesso', inBackground: true }])
  expect(onLost).not.toHaveBeenCalled()
})

test.each(['comentarios', 'notificacoes'])('the access watch asks nothing on the event %s', async (event) => {
  const { setReportId } = watch()
  setReportId(7)
  say(event)
  await settle()
  expect(checks).toEqual([])
})

test.each([403, 404])(
  'the access watch reports the loss of access when the check answers %i',
  async (status) => {
    const { setReportId, onLost } = watch()
    setReportId(7)
    statuses = [status]
    say()
    await settle()
    expect(onLost.mock.calls).toEqual([[expect.objectContaining({ status })]])
  },
)

test('the access watch checks a change that arrived before the report id once the id is known', async () => {
  const { setReportId, onLost } = watch()
  say()
  await settle()
  expect(checks).toHaveLength(0)
  statuses = [403]
  setReportId(7)
  await settle()
  expect(onLost).toHaveBeenCalledTimes(1)
})

test('the access watch repeats the check until the portal answers', async () => {
  const { setReportId, onLost } = watch()
  setReportId(7)
  statuses = [503, 503, 403]
  say()
  await vi.advanceTimersByTimeAsync(1_900)
  expect([checks.length, onLost.mock.calls.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([checks.length, onLost.mock.calls.length]).toEqual([3, 1])
})

test('the access watch stops checking when the report is closed', async () => {
  const { setReportId, close } = watch()
  setReportId(7)
  close()
  say()
  await settle()
  expect(checks).toEqual([])
})
