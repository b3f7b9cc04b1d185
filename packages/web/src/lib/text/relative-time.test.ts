import { expect, test } from 'vitest'
import {
  daysUntil,
  dayText,
  exactTime,
  fullTime,
  hourText,
  relativeTime,
  shortTime,
  spokenTime,
} from './relative-time.ts'

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
])(
  "relativeTime formats %s in the time of Brasília, whatever the browser's time zone",
  (instant, date, time, exact) => {
    expect([dayText(instant), hourText(instant), fullTime(instant), exactTime(instant)]).toEqual([
      date,
      time,
      `${date} ${time}`,
      exact,
    ])
  },
)

test('relativeTime changes the day at midnight in Brasília', () => {
  const lateEvening = '2025-11-22T02:50:00Z'
  expect(relativeTime(lateEvening, Date.parse('2025-11-22T02:59:00Z'))).toBe('há 9 min')
  expect(relativeTime(lateEvening, Date.parse('2025-11-22T04:00:00Z'))).toBe('ontem')
  expect(relativeTime('2025-11-21T22:00:00Z', Date.parse('2025-11-22T02:30:00Z'))).toBe('há 4 h')
})

test.each([
  ['2026-03-10', 0],
  ['2026-03-11', 1],
  ['2026-03-09', -1],
])('daysUntil counts days in Brasília: %s is %i days away', (day, days) => {
  expect(daysUntil(day, Date.parse('2026-03-11T02:59:00Z'))).toBe(days)
})

test.each([
  ['2025-11-21T11:00:00Z', '2025-11-22T11:00:00Z', '21/11 08:00'],
  ['2024-12-31T11:00:00Z', '2025-11-22T11:00:00Z', '31/12/2024 08:00'],
  // In Brasília the old year ends three hours later.
  ['2025-12-31T23:00:00Z', '2026-01-01T02:59:00Z', '31/12 20:00'],
  ['2025-12-31T23:00:00Z', '2026-01-01T03:00:00Z', '31/12/2025 20:00'],
])('shortTime of %s at %s is %s', (instant, at, expected) => {
  expect(shortTime(instant, Date.parse(at))).toBe(expected)
})

test('spokenTime names the day in full', () => {
  expect(spokenTime('2025-11-23T11:00:00Z')).toBe('domingo, 23 de novembro de 2025 às 08:00')
})
