import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../../lib/api/connection.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { networkProblem, type ViewerProblem, waitAsNamed, waitFor } from '../problems/viewer-problem.ts'
import { useReopening } from './use-reopening.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // Jitter at its longest wait.
  vi.spyOn(Math, 'random').mockReturnValue(1)
  setReachable(true)
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const problem = (reopens?: ViewerProblem['reopens']): ViewerProblem => ({
  title: 'x',
  detail: 'x',
  action: 'retry',
  ...(reopens ? { reopens } : {}),
})

type Phase = 'carregando' | 'carregado' | 'erro'

const setUp = (first: ViewerProblem) => {
  const reopen = vi.fn()
  const view = renderHook(
    ({ phase, shown, failures }: { phase: Phase; shown?: ViewerProblem; failures: number }) =>
      useReopening({ phase, ...(shown ? { problem: shown } : {}) }, failures, reopen),
    { initialProps: { phase: 'erro' as Phase, shown: first, failures: 1 } },
  )
  return { reopen, ...view }
}

test('useReopening doubles the wait after each automatic failure and returns its end', async () => {
  const shown = problem(waitFor(15))
  const { reopen, result, rerender } = setUp(shown)
  expect(result.current).toBe(serverNow() + 15_000)
  await pass(15_000)
  expect(reopen).toHaveBeenCalledTimes(1)
  rerender({ phase: 'erro', shown, failures: 2 })
  expect(result.current).toBe(serverNow() + 30_000)
  await pass(29_999)
  expect(reopen).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(reopen).toHaveBeenCalledTimes(2)
})

test('useReopening resets the wait after a manual retry or another report', async () => {
  const shown = problem(waitFor(15))
  const { rerender, result } = setUp(shown)
  await pass(15_000)
  rerender({ phase: 'carregando', shown, failures: 1 })
  rerender({ phase: 'erro', shown, failures: 2 })
  expect(result.current).toBe(serverNow() + 15_000)
})

test('useReopening waits as long as the server named', async () => {
  const { reopen } = setUp(problem(waitAsNamed(40)))
  await pass(39_999)
  expect(reopen).toHaveBeenCalledTimes(0)
  await pass(1)
  expect(reopen).toHaveBeenCalledTimes(1)
})

test('useReopening waits for the connection and returns no time while offline', async () => {
  setReachable(false)
  const { reopen, result } = setUp(networkProblem)
  await pass(600_000)
  expect([result.current, reopen.mock.calls.length]).toEqual([undefined, 0])
  act(() => setReachable(true))
  expect(reopen).toHaveBeenCalledTimes(1)
})

test('a report is not reopened after a permanent problem, nor once it has loaded', async () => {
  const { reopen, rerender } = setUp(problem())
  await pass(600_000)
  rerender({ phase: 'erro', shown: problem(waitFor(15)), failures: 2 })
  rerender({ phase: 'carregado', failures: 2 } as never)
  await pass(600_000)
  expect(reopen).toHaveBeenCalledTimes(0)
})
