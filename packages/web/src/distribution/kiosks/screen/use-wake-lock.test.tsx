import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useWakeLock } from './use-wake-lock.ts'

let locks: { released: boolean; release: () => Promise<void> }[]
beforeEach(() => {
  vi.useFakeTimers()
  locks = []
  const request = async () => {
    const lock = {
      released: false,
      release: async () => {
        lock.released = true
      },
    }
    locks.push(lock)
    return lock
  }
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true })
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'wakeLock')
  vi.useRealTimers()
})

test('the screen holds one lock, takes another when the system released it, and releases it at the end', async () => {
  const { unmount } = renderHook(() => useWakeLock())
  await vi.advanceTimersByTimeAsync(300_000)
  expect(locks).toHaveLength(1)
  await locks[0]?.release()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(locks.map(({ released }) => released)).toEqual([true, false])
  await locks[1]?.release()
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(locks).toHaveLength(3)
  unmount()
  expect(locks.map(({ released }) => released)).toEqual([true, true, true])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(locks).toHaveLength(3)
})

test('the screen does without a lock where the browser has none or refuses', async () => {
  Object.defineProperty(navigator, 'wakeLock', {
    value: { request: () => Promise.reject(new DOMException('no', 'NotAllowedError')) },
    configurable: true,
  })
  renderHook(() => useWakeLock())
  await vi.advanceTimersByTimeAsync(61_000)
  Reflect.deleteProperty(navigator, 'wakeLock')
  renderHook(() => useWakeLock())
  await vi.advanceTimersByTimeAsync(61_000)
})
