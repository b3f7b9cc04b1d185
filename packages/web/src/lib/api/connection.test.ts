import { beforeEach, expect, test, vi } from 'vitest'
import { checkConnection, isReachable, setReachable, watchedFetch } from './connection.ts'

/** The pending answers of the network, one for each call. */
let answers: PromiseWithResolvers<Response>[]

beforeEach(() => {
  answers = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    const answer = Promise.withResolvers<Response>()
    answers.push(answer)
    return answer.promise
  })
  setReachable(true)
})
const goOffline = () => window.dispatchEvent(new Event('offline'))
const answerOf = (status: number, type = 'text/html') =>
  new Response('', { status, headers: { 'content-type': type } })

test.each([
  ['a call', () => watchedFetch('/api/x')],
  ['a check', checkConnection],
])('%s sent before the network loss is ignored, one sent after it is not', async (_what, send) => {
  const before = send()
  goOffline()
  answers[0]?.resolve(answerOf(200))
  await before
  expect(isReachable()).toBe(false)

  const after = send()
  answers[1]?.resolve(answerOf(200))
  await after
  expect(isReachable()).toBe(true)
})

test('a failed call reports the server as unreachable, whenever it was sent', async () => {
  const call = watchedFetch('/api/x')
  answers[0]?.reject(new TypeError('fetch failed'))
  await expect(call).rejects.toThrow('fetch failed')
  expect(isReachable()).toBe(false)
})

test.each([
  [502, 'text/html', false],
  [503, 'application/problem+json', true],
  [500, 'text/html', true],
])('a %i answer of type %s sets reachable to %s', async (status, type, expected) => {
  const call = watchedFetch('/api/x')
  answers[0]?.resolve(answerOf(status, type))
  await call
  expect(isReachable()).toBe(expected)
})
