import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delayLoadedStatus } from './delay-loaded-status.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const onStatus = vi.fn()
  return { onStatus, ...delayLoadedStatus(onStatus) }
}

test('delayLoadedStatus merges loaded and drawn into one update when they follow within the delay', () => {
  const { onStatus, notify } = setUp()
  notify({ idRelatorio: 1 })
  notify({ phase: 'carregado', problem: undefined })
  vi.advanceTimersByTime(300)
  notify({ phase: 'renderizado' })
  vi.advanceTimersByTime(10_000)
  expect(onStatus.mock.calls).toEqual([[{ idRelatorio: 1 }], [{ phase: 'renderizado', problem: undefined }]])
})

test('delayLoadedStatus passes on loaded after the delay when drawing takes longer', () => {
  const { onStatus, notify } = setUp()
  notify({ phase: 'carregado' })
  vi.advanceTimersByTime(400)
  expect(onStatus.mock.calls).toEqual([[{ phase: 'carregado' }]])
  notify({ phase: 'renderizado' })
  expect(onStatus).toHaveBeenCalledTimes(2)
})

test('delayLoadedStatus passes on a failure at once, and nothing after stop()', () => {
  const { onStatus, notify, stop } = setUp()
  notify({ phase: 'carregado' })
  notify({ phase: 'erro' })
  expect(onStatus.mock.calls).toEqual([[{ phase: 'erro' }]])
  notify({ phase: 'carregado' })
  stop()
  vi.advanceTimersByTime(10_000)
  expect(onStatus).toHaveBeenCalledTimes(1)
})
