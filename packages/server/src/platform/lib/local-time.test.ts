import { expect, test } from 'vitest'
import { daysUntil } from './local-time.ts'

test.each([
  ['2026-03-11T03:00:00Z', 1],
  ['2026-03-11T02:59:59Z', 0],
  ['2026-03-10T03:00:00Z', 0],
  ['2026-03-20T23:00:00Z', 10],
  ['2026-03-09T12:00:00Z', -1],
])('daysUntil counts midnights in Brasília: %s is %i days away', (instant, days) => {
  expect(daysUntil(new Date(instant), new Date('2026-03-11T02:00:00Z'))).toBe(days)
})
