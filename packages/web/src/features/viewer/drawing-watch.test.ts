import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DrawingWatch } from './drawing-watch.ts'
import { TimeLimitError } from './time-limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const accepted = async () => undefined

/** What became of a call by now: 'waiting', 'done', or what it failed with. */
const watched = (call: () => Promise<void>) => {
  const watch = new DrawingWatch()
  let outcome: unknown = 'waiting'
  watch.after(call).then(
    () => {
      outcome = 'done'
    },
    (error: unknown) => {
      outcome = error
    },
  )
  return { watch, outcome: () => outcome }
}

test('a call that nothing is drawn for has succeeded after 10 s', async () => {
  const { outcome } = watched(accepted)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(outcome()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(outcome()).toBe('done')
})

test('a drawing that began is awaited for 30 s', async () => {
  const { watch, outcome } = watched(accepted)
  watch.started()
  await vi.advanceTimersByTimeAsync(29_999)
  expect(outcome()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(outcome()).toBeInstanceOf(TimeLimitError)
})

test('a refused call is over at once, and later errors are not its own', async () => {
  const { watch, outcome } = watched(() => Promise.reject(new Error('Recusado.')))
  await vi.advanceTimersByTimeAsync(0)
  expect(outcome()).toEqual(new Error('Recusado.'))
  expect(watch.failed(new Error('Outro.'))).toBe(false)
})

test('an error event fails the call that waits for its drawing', async () => {
  const { watch, outcome } = watched(accepted)
  watch.started()
  expect(watch.failed({ message: 'OpenConnectionError' })).toBe(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(outcome()).toEqual({ message: 'OpenConnectionError' })
})
