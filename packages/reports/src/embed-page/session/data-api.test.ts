import { afterEach, expect, test, vi } from 'vitest'
import { dataApi } from './data-api.ts'

afterEach(() => vi.unstubAllGlobals())

/** A network that gives each call the next answer, and repeats the last one. */
const serviceThat = (...answers: (() => Response)[]) => {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method, signal }: RequestInit) => {
    signal?.throwIfAborted()
    calls.push(`${method} ${url}`)
    return answers[Math.min(calls.length, answers.length) - 1]?.()
  })
  return calls
}
const refusing =
  (status: number, code: string, headers = {}) =>
  () =>
    Response.json({ error: { code, message: 'x' } }, { status, headers })
const busy = refusing(503, 'ServiceBusy', { 'retry-after': '0' })
const rows = () => Response.json({ visuals: {} })

const ask = (signal = new AbortController().signal) =>
  dataApi.pageData('r1', 'token', { page: 'p', filters: [] }, signal)

test('dataApi retries while the service is busy', async () => {
  const calls = serviceThat(busy, busy, rows)
  expect(await ask()).toEqual({ visuals: {} })
  expect(calls).toEqual(Array(3).fill('POST /embed-api/reports/r1/data'))
})

test.each([
  ['ServiceBusy', busy, 3, 'O serviço de relatórios está ocupado. Aguarde um instante e tente novamente.'],
  [
    'TooManyUnreadAnswers',
    refusing(429, 'TooManyUnreadAnswers', { 'retry-after': '0' }),
    3,
    'Há respostas demais de relatórios ainda a caminho. Feche outras janelas, ou tente novamente em instantes.',
  ],
  [
    'QueryTimeout',
    refusing(504, 'QueryTimeout'),
    1,
    'A consulta demorou demais. Tente novamente, ou use filtros que reduzam os dados.',
  ],
] as const)('dataApi rejects with the Portuguese sentence for %s', async (code, answer, times, sentence) => {
  const calls = serviceThat(answer)
  await expect(ask()).rejects.toMatchObject({ message: sentence, body: { message: code } })
  expect(calls).toHaveLength(times)
})

test('a call does not retry after the caller aborted', async () => {
  const calls = serviceThat(refusing(503, 'ServiceBusy', { 'retry-after': '5' }))
  const turning = new AbortController()
  const asked = ask(turning.signal)
  await expect.poll(() => calls.length).toBe(1)
  setTimeout(() => turning.abort(), 50)
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  expect(calls).toHaveLength(1)
})

test('dataApi reads an HTML error page of a proxy as ServiceUnavailable', async () => {
  serviceThat(() => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
  await expect(ask()).rejects.toMatchObject({ body: { message: 'ServiceUnavailable' } })
})

test('dataApi reads an answer that breaks off as ServiceUnavailable', async () => {
  const breaking = new ReadableStream({
    pull: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"visuals":'))
      controller.error(new TypeError('Failed to fetch'))
    },
  })
  serviceThat(() => new Response(breaking))
  await expect(ask()).rejects.toMatchObject({ status: 502, body: { message: 'ServiceUnavailable' } })
})

test.each([
  ['5 hours ahead', -5],
  ['5 hours behind', 5],
  ['right', 0],
])("dataApi gives the end of a token by the computer's clock, which is %s", async (_, hours) => {
  const server = Date.now() + hours * 3_600_000
  const headers = { date: new Date(server).toUTCString() }
  serviceThat(() => Response.json({ id: 'r1', expiresAt: server + 3_600_000 }, { headers }))
  const { expiresAt } = await dataApi.report('r1', 'token')
  const left = (expiresAt - Date.now()) / 60_000
  expect(left).toBeGreaterThan(59)
  expect(left).toBeLessThan(61)
})
