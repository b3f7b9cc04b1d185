import { describe, expect, test } from 'vitest'
import { readUrlFilter } from './url-filter.ts'

const target = { table: 'Claims', column: 'x' }

describe('readUrlFilter', () => {
  test.each<[string, object]>([
    ["Claims/x eq 'a'", { target, filterType: 1, operator: 'In', values: ['a'] }],
    ["Claims/x ne 'd''Ávila'", { target, filterType: 1, operator: 'NotIn', values: ["d'Ávila"] }],
    [
      'Claims/x in (1, -2.5, true, null)',
      { target, filterType: 1, operator: 'In', values: [1, -2.5, true, null] },
    ],
    [
      'Claims/x ge 10',
      {
        target,
        filterType: 0,
        logicalOperator: 'And',
        conditions: [{ operator: 'GreaterThanOrEqual', value: 10 }],
      },
    ],
    [
      "Um_x0020_lugar/x EQ 'a'",
      { target: { table: 'Um lugar', column: 'x' }, filterType: 1, operator: 'In', values: ['a'] },
    ],
  ])('readUrlFilter reads %s', (expression, filter) => {
    expect(readUrlFilter(expression)).toEqual([filter])
  })

  test('readUrlFilter joins clauses by and', () => {
    const filters = readUrlFilter("Claims/x gt 1 and Claims/x le 9  and  Claims/y eq 'and'")
    expect(filters.map(({ target }) => target.column)).toEqual(['x', 'x', 'y'])
    expect(filters[2]).toMatchObject({ values: ['and'] })
  })

  test.each([
    '',
    'Claims',
    'Claims/x',
    'Claims/x eq',
    'Claims/x like 1',
    "Claims/x eq 'a",
    "Claims/x eq 'a' or Claims/x eq 'b'",
    "Claims/x eq 'a' and",
    'Claims/x in 1',
    'Claims/x in (1',
    'Claims/x in ()',
    'Claims/x eq (1)',
    'Claims/x eq 1; DROP',
    'Claims/x eq 9007199254740993',
    `Claims/x eq '${'a'.repeat(8000)}'`,
  ])('readUrlFilter refuses %s', (expression) => {
    expect(() => readUrlFilter(expression)).toThrow(/filter/i)
  })
})
