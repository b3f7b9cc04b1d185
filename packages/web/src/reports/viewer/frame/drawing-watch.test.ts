import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TimeLimitError } from '../problems/time-limit.ts'
import { DrawingWatch } from './drawing-watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const accepted = async () => undefined

/** The outcome of a call so far: 'waiting', 'done', or its error. */
const watched = (call: () => Promise<void>) => {
  const watch = new DrawingWatch()
  let outcome: unknown = 'waiting'
  watch.callAndAwaitDrawing(call).then(
    () => {
      outcome = 'done'
    },
    (error: unknown) => {
      outcome = error
    },
  )
  return { watch, outcome: () => outcome }
}

test('the drawing watch resolves a call after 10 s when no drawing starts', async () => {
  const { outcome } = watched(accepted)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(outcome()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(outcome()).toBe('done')
})

test('the drawing watch fails a call when its drawing takes longer than 30 s', async () => {
  const { watch, outcome } = watched(accepted)
  watch.started()
  await vi.advanceTimersByTimeAsync(29_999)
  expect(outcome()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(outcome()).toBeInstanceOf(TimeLimitError)
})

test('the drawing watch rejects a refused call at once and does not assign later errors to it', async () => {
  const { watch, outcome } = watched(() => Promise.reject(new Error('Recusado.')))
  await vi.advanceTimersByTimeAsync(0)
  expect(outcome()).toEqual(new Error('Recusado.'))
  expect(watch.failed(new Error('Outro.'))).toBe(false)
})

test('the drawing watch rejects the call that waits for a drawing on an error event', async () => {
  const { watch, outcome } = watched(accepted)
  watch.started()
  expect(watch.failed({ message: 'OpenConnectionError' })).toBe(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(outcome()).toEqual({ message: 'OpenConnectionError' })
})
