import { beforeAll, describe, expect, test } from 'vitest'
import { CLAIMS, type Service, startService } from '../../../test/fixture.ts'
import { timeUnits } from '../../definitions/filter-operators.ts'
import { VisualFilter } from '../../definitions/wire-filters.ts'
import type { Dataset } from '../data/catalog.ts'
import { FilterError } from './filters.ts'
import { resolveFilter } from './resolved-filters.ts'

let service: Service
let dataset: Dataset
beforeAll(async () => {
  service = await startService()
  dataset = (await service.loaded).datasets.get(CLAIMS) ?? expect.fail('the dataset was left out')
  return () => service.stop()
})

type Unit = keyof typeof timeUnits
type Operator = 'last' | 'this' | 'next'
const operators = { last: 0, this: 1, next: 2 }

/** Saturday, 12:34:56 in São Paulo. */
const NOON = Date.parse('2026-01-31T15:34:56Z')

const periodOf = (
  operator: Operator,
  count: number | undefined,
  unit: Unit,
  more: object = {},
  now = NOON,
) => {
  const filter = VisualFilter.parse({
    target: { table: 'Claims', column: 'hora' },
    operator: operators[operator],
    timeUnitsCount: count,
    timeUnitType: timeUnits[unit],
    ...more,
  })
  const fixed = resolveFilter(dataset, filter, now)
  if (!('conditions' in fixed)) return expect.fail('not a period')
  expect(fixed.conditions.map(({ operator }) => operator)).toEqual(['GreaterThanOrEqual', 'LessThan'])
  return fixed.conditions.map(({ value }) => String(value).replace('T00:00:00', ''))
}

describe('a relative filter means the period', () => {
  const withToday = { includeToday: true }
  test.each<[Operator, number | undefined, Unit, object, string, string]>([
    ['last', 7, 'days', {}, '2026-01-24', '2026-01-31'],
    ['last', 7, 'days', withToday, '2026-01-25', '2026-02-01'],
    ['next', 2, 'days', {}, '2026-02-01', '2026-02-03'],
    ['next', 2, 'days', withToday, '2026-01-31', '2026-02-02'],
    ['this', undefined, 'days', {}, '2026-01-31', '2026-02-01'],
    ['last', 1, 'weeks', {}, '2026-01-24', '2026-01-31'],
    ['this', undefined, 'weeks', {}, '2026-01-25', '2026-02-01'],
    ['last', 1, 'calendarWeeks', withToday, '2026-01-18', '2026-01-25'],
    ['next', 2, 'calendarWeeks', {}, '2026-02-01', '2026-02-15'],
    ['last', 1, 'months', {}, '2025-12-31', '2026-01-31'],
    ['last', 1, 'months', withToday, '2026-01-01', '2026-02-01'],
    ['next', 1, 'months', withToday, '2026-01-31', '2026-02-28'],
    ['this', undefined, 'months', {}, '2026-01-01', '2026-02-01'],
    ['last', 2, 'calendarMonths', {}, '2025-11-01', '2026-01-01'],
    ['next', 1, 'calendarMonths', {}, '2026-02-01', '2026-03-01'],
    ['last', 1, 'years', {}, '2025-01-31', '2026-01-31'],
    ['this', undefined, 'calendarYears', {}, '2026-01-01', '2027-01-01'],
    ['last', 1, 'calendarYears', {}, '2025-01-01', '2026-01-01'],
    ['last', 30, 'minutes', {}, '2026-01-31T12:04:56', '2026-01-31T12:34:56'],
    ['this', undefined, 'minutes', {}, '2026-01-31T12:34:00', '2026-01-31T12:35:00'],
    ['next', 2, 'hours', {}, '2026-01-31T12:34:56', '2026-01-31T14:34:56'],
    ['this', undefined, 'hours', {}, '2026-01-31T12:00:00', '2026-01-31T13:00:00'],
    ['last', 10_000, 'years', {}, '1000-01-01', '2026-01-31'],
    ['next', 10_000, 'years', {}, '2026-02-01', '9999-12-31'],
  ])('%s %s %s, %j means from %s until before %s', (operator, count, unit, more, from, to) => {
    expect(periodOf(operator, count, unit, more)).toEqual([from, to])
  })

  test("a relative filter follows the readers' clock: their day ends three hours after that of UTC", () => {
    const late = Date.parse('2026-03-02T02:59:59Z')
    expect(periodOf('this', 1, 'days', {}, late)).toEqual(['2026-03-01', '2026-03-02'])
    expect(periodOf('this', 1, 'days', {}, late + 1000)).toEqual(['2026-03-02', '2026-03-03'])
  })
})

test('a relative filter refuses a period of a column without dates', () => {
  const filter = VisualFilter.parse({
    target: { table: 'Claims', column: 'operadora' },
    operator: 1,
    timeUnitType: 0,
  })
  expect(() => resolveFilter(dataset, filter, NOON)).toThrow(FilterError)
})
