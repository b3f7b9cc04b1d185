import { expect, test } from 'vitest'
import { clockSkewMs } from './server-clock.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const hour = 3_600_000
const header = (aheadMs: number) => new Date(now + aheadMs).toUTCString()

test('clockSkewMs subtracts half of the round trip', () => {
  expect(clockSkewMs(header(2 * hour), now, now + 200)).toBe(2 * hour + 400)
  expect(clockSkewMs(header(-3 * hour), now, now)).toBe(-3 * hour + 500)
})

test("clockSkewMs ignores differences within the header's rounding", () => {
  expect(clockSkewMs(header(3_000), now, now)).toBe(0)
})

test.each([
  ['no header', null, now],
  ['no date', 'yesterday', now],
  ['an answer slower than 10 s', header(hour), now + 11_000],
  ['a clock that was set back during the call', header(hour), now - hour],
])('clockSkewMs is undefined for %s', (_, dateHeader, receivedAt) => {
  expect(clockSkewMs(dateHeader, now, receivedAt)).toBeUndefined()
})
