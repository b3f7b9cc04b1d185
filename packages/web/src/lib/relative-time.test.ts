import { expect, test } from 'vitest'
import { fullTime, relativeTime } from './relative-time.ts'

const at = (text: string) => new Date(`${text}-03:00`)
const now = at('2025-11-21T15:28:30').getTime()

test.each([
  ['2025-11-21T15:28:31', 'agora'],
  ['2025-11-21T15:27:31', 'agora'],
  ['2025-11-21T15:27:30', 'há 1 min'],
  ['2025-11-21T14:28:31', 'há 59 min'],
  ['2025-11-21T14:28:30', 'há 1 h'],
  ['2025-11-21T04:00:00', 'há 11 h'],
  ['2025-11-20T04:00:00', 'ontem'],
  ['2025-11-19T15:28:31', 'há 2 dias'],
  ['2025-11-15T15:28:31', 'há 6 dias'],
  ['2025-11-14T15:28:31', '14/11/2025'],
])('%s is %s', (text, expected) => {
  expect(relativeTime(at(text).toISOString(), now)).toBe(expected)
})

test('the full date has day and minute', () => {
  expect(fullTime(at('2025-11-21T15:28:30').toISOString())).toMatch(/^2[12]\/11\/2025 \d\d:28$/)
})
