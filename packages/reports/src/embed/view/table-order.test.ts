import { describe, expect, it } from 'vitest'
import type { Cell } from '../../embed-contract.ts'
import { givenOrder, orderRows } from './table-order.ts'

const sorted = (values: Cell[], descending = false, looks = {}) =>
  orderRows(
    values.map((value) => [value]),
    { column: 0, descending },
    looks,
  ).map((index) => values[index])

describe('the order of a column', () => {
  it('is a Brazilian one', () => {
    expect(sorted(['Zebra', 'água', 'Banco', 'Ábaco', 'agua 10', 'agua 9'])).toEqual([
      'Ábaco',
      'água',
      'agua 9',
      'agua 10',
      'Banco',
      'Zebra',
    ])
  })

  it('takes numbers as numbers, and puts blanks last both ways', () => {
    expect(sorted([10, null, 9, -1, 100])).toEqual([-1, 9, 10, 100, null])
    expect(sorted([10, null, 9, -1, 100], true)).toEqual([100, 10, 9, -1, null])
    expect(sorted(['b', '', 'a'], true)).toEqual(['b', 'a', ''])
  })

  it('is that of the names that are read', () => {
    expect(sorted(['A', 'B'], false, { A: { label: 'Zulu' }, B: { label: 'Alfa' } })).toEqual(['B', 'A'])
  })

  it('leaves equal rows as they came', () => {
    const rows: Cell[][] = [
      ['a', 1],
      ['b', 0],
      ['c', 1],
    ]
    expect(orderRows(rows, { column: 1, descending: true }, {})).toEqual([0, 2, 1])
  })
})

describe('the order that a query gave', () => {
  const data = (...rows: Cell[][]) => ({ columns: ['a', 'b'], rows, truncated: false })

  it('is seen in the first column that rises or falls all the way', () => {
    expect(givenOrder(data(['x', 3], ['b', 2], ['c', 1]), {})).toEqual({ column: 1, descending: true })
    expect(givenOrder(data(['x', 3], ['x', 4], ['x', null]), {})).toEqual({ column: 1, descending: false })
  })

  it('is none in rows without any, or too few', () => {
    expect(givenOrder(data(['x', 3], ['b', 4], ['c', 1]), {})).toBeUndefined()
    expect(givenOrder(data(['a', 1], ['b', 2]), {})).toBeUndefined()
  })
})
