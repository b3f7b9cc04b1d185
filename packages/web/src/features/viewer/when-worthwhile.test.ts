// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../lib/connection.ts'
import { whenWorthwhile } from './when-worthwhile.ts'

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

test('runs once, after its time', async () => {
  const run = vi.fn()
  whenWorthwhile(10_000, run)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(run).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(60_000)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('behind a hidden tab it waits until somebody looks, and not before its time', async () => {
  const run = vi.fn()
  whenWorthwhile(10_000, run)
  look()
  visibility = 'hidden'
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(0)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('without a connection it waits until that is back', async () => {
  const run = vi.fn()
  setReachable(false)
  whenWorthwhile(10_000, run)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(0)
  setReachable(true)
  expect(run).toHaveBeenCalledTimes(1)
})

test('a computer that slept catches up when it wakes', () => {
  const run = vi.fn()
  whenWorthwhile(10_000, run)
  vi.setSystemTime(Date.now() + 60_000)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('one that is eager runs as soon as somebody looks again', () => {
  const run = vi.fn()
  whenWorthwhile(10_000, run, { isEager: true })
  visibility = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  expect(run).toHaveBeenCalledTimes(0)
  look()
  expect(run).toHaveBeenCalledTimes(1)
})

test('one that is eager runs when the connection is back, before its time', () => {
  const run = vi.fn()
  setReachable(false)
  whenWorthwhile(10_000, run, { isEager: true })
  window.dispatchEvent(new Event('online'))
  expect(run).toHaveBeenCalledTimes(0)
  setReachable(true)
  expect(run).toHaveBeenCalledTimes(1)
})

test('given up, it never runs', async () => {
  const run = vi.fn()
  whenWorthwhile(10_000, run)()
  await vi.advanceTimersByTimeAsync(60_000)
  look()
  expect(run).toHaveBeenCalledTimes(0)
})
