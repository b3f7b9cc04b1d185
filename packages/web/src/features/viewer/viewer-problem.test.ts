import { expect, test } from 'vitest'
import { inSeconds, reopenDelayMs, waitAsTold, waitFor } from './viewer-problem.ts'

test('waits twice as long after each failure, up to two minutes', () => {
  const waits = [0, 1, 2, 3, 9].map((attempts) => reopenDelayMs(waitFor(15), attempts))
  expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 120_000])
})

test('a time that was named is kept, up to an hour', () => {
  expect(reopenDelayMs(waitAsTold(17), 5)).toBe(17_000)
  expect(reopenDelayMs(waitAsTold(86_400), 0)).toBe(3_600_000)
})

test('says a time', () => {
  expect([1, 17, 60, 61].map(inSeconds)).toEqual(['1 segundo', '17 segundos', '1 minuto', '2 minutos'])
})
