import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setReachable } from '../../../lib/api/connection.ts'
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

test('the drawing recovery redraws with growing delays until the report is drawn, then clears the notice', async () => {
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

test('the drawing recovery redraws after 1, 2, 4 … 15 s while the service is down', async () => {
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

test.each(['online', 'visibilitychange'])(
  'the drawing recovery redraws at once on %s while the service is down',
  (event) => {
    const { failed, redraw } = setUp()
    failed('Falhou.', true)
    const target = event === 'online' ? window : document
    target.dispatchEvent(new Event(event))
    expect(redraw).toHaveBeenCalledTimes(1)
  },
)

test('the drawing recovery repeats a redraw that got no answer', async () => {
  const { failed, redraw } = setUp()
  vi.spyOn(console, 'info').mockReturnValue()
  redraw.mockRejectedValueOnce(new Error('no answer'))
  failed('Falhou.')
  await pass(4_000 + 8_000)
  expect(redraw).toHaveBeenCalledTimes(2)
})

test('the drawing recovery shows no notice while offline and redraws when the connection is back', async () => {
  const { failed, redraw, notices } = setUp()
  setReachable(false)
  failed('Falhou.')
  await pass(600_000)
  expect([redraw.mock.calls.length, notices]).toEqual([0, []])
  setReachable(true)
  expect(redraw).toHaveBeenCalledTimes(1)
})

test('the drawing recovery shows a slow notice when a loaded report draws nothing for a minute, until it draws', async () => {
  const { loaded, drawn, redraw, notices } = setUp()
  loaded()
  await pass(59_999)
  expect(notices).toEqual([])
  await pass(1)
  drawn()
  expect(notices).toEqual([expect.stringContaining('ainda não mostrou os dados'), undefined])
  expect(redraw).toHaveBeenCalledTimes(0)
})

test('a closed report is not redrawn', async () => {
  const { failed, redraw, close } = setUp()
  failed('Falhou.')
  close()
  await pass(60_000)
  expect(redraw).toHaveBeenCalledTimes(0)
})
