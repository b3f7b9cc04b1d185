import { expect, onTestFinished, test, vi } from 'vitest'
import { createEndCounts } from './end-counts.ts'

test('the count refuses a part to one owner after two ends, and to everybody after those of two owners', () => {
  const ends = createEndCounts()
  const [part, other] = [{}, {}]
  ends.add({ part, owner: 'one' }, 1)
  expect(ends.isRefused({ part, owner: 'one' })).toBe(false)
  ends.add({ part, owner: 'one' }, 1)
  expect(ends.isRefused({ part, owner: 'one' })).toBe(true)
  expect(ends.isRefused({ part, owner: 'two' })).toBe(false)
  expect(ends.isRefused({ part: other, owner: 'one' })).toBe(false)
  ends.add({ part, owner: 'two' }, 2)
  expect(ends.isRefused({ part, owner: 'three' })).toBe(true)
  expect(ends.isRefused({ part: other, owner: 'three' })).toBe(false)
})

test('the count refuses everything to an owner who has caused twenty ends within an hour', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends = createEndCounts()
  for (let part = 0; part < 10; part++) ends.add({ part: {}, owner: 'one' }, 2)
  expect(ends.isRefused({ part: {}, owner: 'one' })).toBe(true)
  expect(ends.isRefused({ part: {}, owner: 'two' })).toBe(false)
  vi.setSystemTime(Date.now() + 3_600_000)
  expect(ends.isRefused({ part: {}, owner: 'one' })).toBe(false)
})
