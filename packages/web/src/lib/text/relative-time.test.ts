import { expect, test } from 'vitest'
import { dayText, exactTime, fullTime, hourText, relativeTime } from './relative-time.ts'

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
])("relativeTime('%s') is '%s'", (text, expected) => {
  expect(relativeTime(at(text).toISOString(), now)).toBe(expected)
})

test.each([
  ['2025-11-22T02:59:59Z', '21/11/2025', '23:59', '21/11/2025 23:59:59'],
  ['2025-11-22T03:00:00Z', '22/11/2025', '00:00', '22/11/2025 00:00:00'],
  // Daylight saving time, which Brazil had until 2019.
  ['2018-12-31T23:15:07Z', '31/12/2018', '21:15', '31/12/2018 21:15:07'],
])("formats %s in the time of Brasília, whatever the browser's time zone", (instant, date, time, exact) => {
  expect([dayText(instant), hourText(instant), fullTime(instant), exactTime(instant)]).toEqual([
    date,
    time,
    `${date} ${time}`,
    exact,
  ])
})

test('relativeTime changes the day at midnight in Brasília', () => {
  const lateEvening = '2025-11-22T02:50:00Z'
  expect(relativeTime(lateEvening, Date.parse('2025-11-22T02:59:00Z'))).toBe('há 9 min')
  expect(relativeTime(lateEvening, Date.parse('2025-11-22T04:00:00Z'))).toBe('ontem')
  expect(relativeTime('2025-11-21T22:00:00Z', Date.parse('2025-11-22T02:30:00Z'))).toBe('há 4 h')
})
