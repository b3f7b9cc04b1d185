import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../../lib/api/connection.ts'
import { runWhenVisibleAndOnline } from './run-when-visible.ts'

let visibility = 'visible'
beforeEach(() => {
  vi.useFakeTimers()
  visibility = 'visible'
  setReachable(true)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility as DocumentVisibilityState)
})
afterEach(() => {
  vi.useRealTimers()
})
const look = () => {
  visibility = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
}

test('runWhenVisible runs once after the delay', async () => {
  const run = vi.fn()
  runWhenVisibleAndOnline(10_000, run)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(run).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(60_000)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('runWhenVisible waits in a hidden tab until the tab is visible, and never runs before the delay', async () => {
  const run = vi.fn()
  runWhenVisibleAndOnline(10_000, run)
  look()
  visibility = 'hidden'
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(0)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('runWhenVisible waits while offline until the connection is back', async () => {
  const run = vi.fn()
  setReachable(false)
  runWhenVisibleAndOnline(10_000, run)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(0)
  setReachable(true)
  expect(run).toHaveBeenCalledTimes(1)
})

test('runWhenVisible runs when a computer wakes after the delay has passed', () => {
  const run = vi.fn()
  runWhenVisibleAndOnline(10_000, run)
  vi.setSystemTime(Date.now() + 60_000)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('an eager call runs before the delay when the tab becomes visible again', () => {
  const run = vi.fn()
  runWhenVisibleAndOnline(10_000, run, { isEager: true })
  visibility = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  expect(run).toHaveBeenCalledTimes(0)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('an eager call runs before the delay when the connection is back', () => {
  const run = vi.fn()
  setReachable(false)
  runWhenVisibleAndOnline(10_000, run, { isEager: true })
  window.dispatchEvent(new Event('online'))
  expect(run).toHaveBeenCalledTimes(0)
  setReachable(true)
  expect(run).toHaveBeenCalledTimes(1)
})

test('the call never runs after it is cancelled', async () => {
  const run = vi.fn()
  runWhenVisibleAndOnline(10_000, run)()
  await vi.advanceTimersByTimeAsync(60_000)
  look()
  expect(run).toHaveBeenCalledTimes(0)
})
