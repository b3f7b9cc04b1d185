// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../lib/connection.ts'
import { watchFrame } from './frame-watch.ts'
import { blockedFrame, networkProblem, silentFrame, unreachedFrame } from './viewer-problem.ts'

beforeEach(() => {
  vi.useFakeTimers()
  setReachable(true)
})
afterEach(() => {
  vi.useRealTimers()
})

const setUp = (isUnreached = () => false) => {
  const life = new AbortController()
  const onFailure = vi.fn(() => life.abort())
  const origin = 'https://app.powerbi.com'
  const watch = watchFrame({ signal: life.signal, origin, isUnreached, onFailure })
  return { ...watch, onFailure, close: () => life.abort() }
}
const violate = (effectiveDirective: string, blockedURI: string) =>
  document.dispatchEvent(
    Object.assign(new Event('securitypolicyviolation'), { effectiveDirective, blockedURI }),
  )

test('30 s from when the frame has all it needs, not from its start', async () => {
  const { limit, onFailure } = setUp()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onFailure).toHaveBeenCalledTimes(0)
  limit()
  await vi.advanceTimersByTimeAsync(29_999)
  expect(onFailure).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(onFailure.mock.calls).toEqual([[silentFrame]])
})

test('a frame that was not reached is told of within a second', async () => {
  const isUnreached = vi.fn(() => false)
  const { limit, onFailure } = setUp(isUnreached)
  limit()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(onFailure).toHaveBeenCalledTimes(0)
  isUnreached.mockReturnValue(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onFailure.mock.calls).toEqual([[unreachedFrame]])
})

test('without a connection the frame is not to blame', async () => {
  const { limit, onFailure } = setUp()
  limit()
  setReachable(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(onFailure.mock.calls).toEqual([[networkProblem]])
})

test('a page that the policy keeps out is told of at once, others are no matter', () => {
  const { onFailure } = setUp()
  violate('img-src', 'https://app.powerbi.com')
  violate('frame-src', 'https://elsewhere.example/x')
  expect(onFailure).toHaveBeenCalledTimes(0)
  violate('frame-src', 'https://app.powerbi.com/reportEmbed')
  expect(onFailure.mock.calls).toEqual([[blockedFrame]])
})

test.each(['end', 'close'] as const)('after its %s nothing is said', async (how) => {
  const watch = setUp()
  watch.limit()
  watch[how]()
  violate('frame-src', 'https://app.powerbi.com/reportEmbed')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(watch.onFailure).toHaveBeenCalledTimes(0)
})
