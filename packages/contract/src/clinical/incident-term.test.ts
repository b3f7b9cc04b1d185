import { describe, expect, test } from 'vitest'
import { incidentTermOf, workingTimeUntil } from './incident-term.ts'

/** An instant given in the time of America/Sao_Paulo (UTC-3). */
const at = (text: string) => new Date(`${text}-03:00`)
const endOf = (day: string) => at(`${day}T23:59:59.999`)

describe('incidentTermOf', () => {
  test.each([
    ['a Monday', '2026-06-01T10:00:00', '2026-06-04'],
    ['a Wednesday, over the weekend', '2026-06-10T15:00:00', '2026-06-15'],
    ['a Friday', '2026-06-12T09:00:00', '2026-06-17'],
    ['a Saturday', '2026-06-13T09:00:00', '2026-06-17'],
    ['a Sunday', '2026-06-14T23:00:00', '2026-06-17'],
    ['the last millisecond of a day', '2026-06-01T23:59:59.999', '2026-06-04'],
    ['midnight, which begins the next day', '2026-06-02T00:00:00', '2026-06-05'],
    ['a holiday itself', '2026-09-07T12:00:00', '2026-09-10'],
    ['the day before a holiday', '2026-04-20T12:00:00', '2026-04-24'],
    ['two holidays and a weekend', '2026-10-29T12:00:00', '2026-11-04'],
    ['Consciência Negra, a Friday', '2026-11-19T12:00:00', '2026-11-25'],
    ['República on a Sunday, which is not moved', '2026-11-12T12:00:00', '2026-11-17'],
    ['Christmas and the new year', '2026-12-30T12:00:00', '2027-01-05'],
    ['Christmas', '2026-12-23T12:00:00', '2026-12-29'],
    ['Good Friday counts as a working day', '2026-04-01T12:00:00', '2026-04-06'],
    ['the end of a leap February', '2028-02-28T12:00:00', '2028-03-02'],
  ])('incidentTermOf counts three working days after %s', (_, known, last) => {
    expect(incidentTermOf(at(known))).toEqual(endOf(last))
  })

  test("incidentTermOf uses the day in Brasília, whatever the server's time zone", () => {
    // Still 1 June in Brasília.
    expect(incidentTermOf(new Date('2026-06-02T02:59:59Z'))).toEqual(endOf('2026-06-04'))
    expect(incidentTermOf(new Date('2026-06-02T03:00:00Z'))).toEqual(endOf('2026-06-05'))
  })

  test('incidentTermOf respects daylight saving time, which Brazil had until 2019', () => {
    expect(incidentTermOf(new Date('2018-11-26T12:00:00Z')).toISOString()).toBe('2018-11-30T01:59:59.999Z')
  })
})

describe('workingTimeUntil', () => {
  const term = endOf('2026-06-17')
  test.each([
    ['on the Friday before, including the rest of that day', '2026-06-12T16:00:00', [3, 8, 0]],
    ['on Saturday, without counting the weekend', '2026-06-13T11:30:00', [3, 0, 0]],
    ['on Sunday, the same as on Saturday', '2026-06-14T23:59:59.999', [3, 0, 0]],
    ['on Monday morning', '2026-06-15T10:00:00', [2, 14, 0]],
    ['on the last evening', '2026-06-17T19:40:00', [0, 4, 20]],
    ['at its last moment', '2026-06-17T23:59:59.999', [0, 0, 0]],
  ])('workingTimeUntil counts the rest of the term %s', (_, now, [days, hours, minutes]) => {
    expect(workingTimeUntil(term, at(now))).toEqual({ days, hours, minutes })
  })

  test('workingTimeUntil is undefined after the term', () => {
    expect(workingTimeUntil(term, at('2026-06-18T00:00:00'))).toBeUndefined()
  })
})
