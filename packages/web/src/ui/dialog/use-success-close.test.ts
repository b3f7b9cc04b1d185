import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSuccessClose } from './use-success-close.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = (message: string | undefined) => {
  const close = vi.fn()
  const hook = renderHook((shown: string | undefined) => useSuccessClose(shown, close), {
    initialProps: message,
  })
  return { close, ...hook }
}

test('useSuccessClose closes a message after 6 s', () => {
  const { close } = start('Gravado!')
  vi.advanceTimersByTime(5_999)
  expect(close).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(close).toHaveBeenCalledOnce()
})

test('useSuccessClose gives a message that replaces another one its own 6 s', () => {
  const { close, rerender } = start('Gravado!')
  vi.advanceTimersByTime(4_000)
  rerender('Excluído!')
  vi.advanceTimersByTime(4_000)
  expect(close).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2_000)
  expect(close).toHaveBeenCalledOnce()
})

test('useSuccessClose closes nothing without a message or after the page is left', () => {
  const none = start(undefined)
  const left = start('Gravado!')
  left.unmount()
  vi.advanceTimersByTime(10_000)
  expect([none.close.mock.calls, left.close.mock.calls]).toEqual([[], []])
})
