import { expect, test } from 'vitest'
import { dayOf, dayText, momentText, timeText } from './local-time.ts'

test.each([
  [
    'the last second of a day',
    '2026-02-01T02:59:59Z',
    ['2026-01-31', '31/01/2026', '23:59', '31/01/2026 23:59:59'],
  ],
  ['midnight', '2026-02-01T03:00:00Z', ['2026-02-01', '01/02/2026', '00:00', '01/02/2026 00:00:00']],
  [
    'summer time, which Brasília had',
    '2018-12-31T02:30:00Z',
    ['2018-12-31', '31/12/2018', '00:30', '31/12/2018 00:30:00'],
  ],
])('the texts of an instant are in the time of Brasília: %s', (_, instant, texts) => {
  for (const given of [instant, new Date(instant), Date.parse(instant)])
    expect([dayOf(given), dayText(given), timeText(given), momentText(given)]).toEqual(texts)
})
