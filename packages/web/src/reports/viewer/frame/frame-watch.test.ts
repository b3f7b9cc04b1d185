import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../../lib/api/connection.ts'
import { blockedFrame, networkProblem, silentFrame, unreachedFrame } from '../problems/viewer-problem.ts'
import { watchFrame } from './frame-watch.ts'

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

test('the frame watch fails a silent frame 30 s after limit(), not after the start of the watch', async () => {
  const { limit, onFailure } = setUp()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onFailure).toHaveBeenCalledTimes(0)
  limit()
  await vi.advanceTimersByTimeAsync(29_999)
  expect(onFailure).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(onFailure.mock.calls).toEqual([[silentFrame]])
})

test('the frame watch reports an unreached frame within a second', async () => {
  const isUnreached = vi.fn(() => false)
  const { limit, onFailure } = setUp(isUnreached)
  limit()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(onFailure).toHaveBeenCalledTimes(0)
  isUnreached.mockReturnValue(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onFailure.mock.calls).toEqual([[unreachedFrame]])
})

test('the frame watch reports a network problem instead of a silent frame while offline', async () => {
  const { limit, onFailure } = setUp()
  limit()
  setReachable(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(onFailure.mock.calls).toEqual([[networkProblem]])
})

test('the watch reports at once that the CSP blocked the frame, and ignores other CSP violations', () => {
  const { onFailure } = setUp()
  violate('img-src', 'https://app.powerbi.com')
  violate('frame-src', 'https://elsewhere.example/x')
  expect(onFailure).toHaveBeenCalledTimes(0)
  violate('frame-src', 'https://app.powerbi.com/reportEmbed')
  expect(onFailure.mock.calls).toEqual([[blockedFrame]])
})

test.each(['end', 'close'] as const)('the frame watch reports nothing after %s()', async (how) => {
  const watch = setUp()
  watch.limit()
  watch[how]()
  violate('frame-src', 'https://app.powerbi.com/reportEmbed')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(watch.onFailure).toHaveBeenCalledTimes(0)
})
