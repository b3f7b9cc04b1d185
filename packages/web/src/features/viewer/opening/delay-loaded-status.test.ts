import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delayLoadedStatus } from './delay-loaded-status.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const told = vi.fn()
  return { told, ...delayLoadedStatus(told) }
}

test('merges loaded and drawn into one update when they follow within the delay', () => {
  const { told, tell } = setUp()
  tell({ idRelatorio: 1 })
  tell({ phase: 'carregado', problem: undefined })
  vi.advanceTimersByTime(300)
  tell({ phase: 'renderizado' })
  vi.advanceTimersByTime(10_000)
  expect(told.mock.calls).toEqual([[{ idRelatorio: 1 }], [{ phase: 'renderizado', problem: undefined }]])
})

test('passes on loaded after the delay when drawing takes longer', () => {
  const { told, tell } = setUp()
  tell({ phase: 'carregado' })
  vi.advanceTimersByTime(400)
  expect(told.mock.calls).toEqual([[{ phase: 'carregado' }]])
  tell({ phase: 'renderizado' })
  expect(told).toHaveBeenCalledTimes(2)
})

test('passes on a failure at once, and nothing after stop()', () => {
  const { told, tell, stop } = setUp()
  tell({ phase: 'carregado' })
  tell({ phase: 'erro' })
  expect(told.mock.calls).toEqual([[{ phase: 'erro' }]])
  tell({ phase: 'carregado' })
  stop()
  vi.advanceTimersByTime(10_000)
  expect(told).toHaveBeenCalledTimes(1)
})
