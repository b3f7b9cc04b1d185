// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../lib/connection.ts'
import { recoverDrawing } from './drawing-recovery.ts'

beforeEach(() => {
  vi.useFakeTimers()
  setReachable(true)
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const setUp = () => {
  const life = new AbortController()
  const redraw = vi.fn(async () => undefined)
  const notices: (string | undefined)[] = []
  const recovery = recoverDrawing({
    signal: life.signal,
    redraw,
    onNotice: (notice) => notices.push(notice),
  })
  return { ...recovery, redraw, notices, close: () => life.abort() }
}

test('draws again, later each time, until it is drawn; then nothing is said any more', async () => {
  const { failed, drawn, redraw, notices } = setUp()
  failed('Falhou.')
  await pass(4_000)
  expect(redraw).toHaveBeenCalledTimes(1)
  failed('Falhou.')
  await pass(7_999)
  expect(redraw).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(redraw).toHaveBeenCalledTimes(2)
  drawn()
  await pass(120_000)
  const said = 'Falhou. O portal tenta de novo sozinho, com os mesmos filtros.'
  expect([redraw.mock.calls.length, notices]).toEqual([2, [said, said, undefined]])
})

test('draws again after 1, 2, 4 … 15 s where the service is away', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  const { failed, redraw } = setUp()
  let expected = 0
  for (const seconds of [1, 2, 4, 8, 15, 15]) {
    failed('Falhou.', true)
    await pass(seconds * 1_000 - 1)
    expect(redraw).toHaveBeenCalledTimes(expected)
    await pass(1)
    expected += 1
    expect(redraw).toHaveBeenCalledTimes(expected)
  }
})

test.each(['online', 'visibilitychange'])('draws at once on %s where the service is away', (event) => {
  const { failed, redraw } = setUp()
  failed('Falhou.', true)
  const target = event === 'online' ? window : document
  target.dispatchEvent(new Event(event))
  expect(redraw).toHaveBeenCalledTimes(1)
})

test('a drawing that gets no answer is asked for again', async () => {
  const { failed, redraw } = setUp()
  vi.spyOn(console, 'info').mockReturnValue()
  redraw.mockRejectedValueOnce(new Error('no answer'))
  failed('Falhou.')
  await pass(4_000 + 8_000)
  expect(redraw).toHaveBeenCalledTimes(2)
})

test('without a connection it says nothing and draws when that is back', async () => {
  const { failed, redraw, notices } = setUp()
  setReachable(false)
  failed('Falhou.')
  await pass(600_000)
  expect([redraw.mock.calls.length, notices]).toEqual([0, []])
  setReachable(true)
  expect(redraw).toHaveBeenCalledTimes(1)
})

test('a loaded report that draws nothing is said to be slow after a minute, until it has drawn', async () => {
  const { loaded, drawn, redraw, notices } = setUp()
  loaded()
  await pass(59_999)
  expect(notices).toEqual([])
  await pass(1)
  drawn()
  expect(notices).toEqual([expect.stringContaining('ainda não mostrou os dados'), undefined])
  expect(redraw).toHaveBeenCalledTimes(0)
})

test('a closed report is left alone', async () => {
  const { failed, redraw, close } = setUp()
  failed('Falhou.')
  close()
  await pass(60_000)
  expect(redraw).toHaveBeenCalledTimes(0)
})
