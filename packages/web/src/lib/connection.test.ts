// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { checkConnection, isReachable, setReachable, watchedFetch } from './connection.ts'

/** What the network answers to each call, when it does. */
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
])('%s sent before the network went says nothing of now, one sent after does', async (_what, send) => {
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

test('a call that fails tells that there is no way, whenever it was sent', async () => {
  const call = watchedFetch('/api/x')
  answers[0]?.reject(new TypeError('fetch failed'))
  await expect(call).rejects.toThrow('fetch failed')
  expect(isReachable()).toBe(false)
})

test.each([
  [502, 'text/html', false],
  [503, 'application/problem+json', true],
  [500, 'text/html', true],
])('%i of %s: reachable is %s', async (status, type, expected) => {
  const call = watchedFetch('/api/x')
  answers[0]?.resolve(answerOf(status, type))
  await call
  expect(isReachable()).toBe(expected)
})
