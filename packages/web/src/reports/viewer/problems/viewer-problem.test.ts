import { expect, test, vi } from 'vitest'
import { inSeconds } from '../../../lib/text/wait-sentence.ts'
import { reopenDelayMs, restartBackoff, waitAsNamed, waitFor } from './viewer-problem.ts'

test('reopenDelayMs doubles after each failure, up to two minutes', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  const waits = [0, 1, 2, 3, 9].map((attempts) => reopenDelayMs(waitFor(15), attempts))
  expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 120_000])
})

test('reopenDelayMs is 1, 2, 4 … 15 s while the service is down, minus up to a fifth of jitter', () => {
  const waits = (random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    return [0, 1, 2, 3, 4, 9].map((attempts) => reopenDelayMs(restartBackoff, attempts))
  }
  expect(waits(1)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  expect(waits(0)).toEqual([800, 1_600, 3_200, 6_400, 12_000, 12_000])
})

test('reopenDelayMs follows a time that the server named, up to an hour', () => {
  expect(reopenDelayMs(waitAsNamed(17), 5)).toBe(17_000)
  expect(reopenDelayMs(waitAsNamed(86_400), 0)).toBe(3_600_000)
})

test('inSeconds writes a duration in Portuguese', () => {
  expect([1, 17, 60, 61].map(inSeconds)).toEqual(['1 segundo', '17 segundos', '1 minuto', '2 minutos'])
})
