import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { givenOrder, orderRows } from './table-order.ts'

const sorted = (values: Cell[], descending = false, valueFormats = {}) =>
  orderRows(
    answerOf({ columns: ['a'], rows: values.map((value) => [value]), truncated: false }),
    { column: 0, descending },
    valueFormats,
  ).map((index) => values[index])

describe('orderRows', () => {
  test('orderRows sorts texts in Brazilian order', () => {
    expect(sorted(['Zebra', 'água', 'Banco', 'Ábaco', 'agua 10', 'agua 9'])).toEqual([
      'Ábaco',
      'água',
      'agua 9',
      'agua 10',
      'Banco',
      'Zebra',
    ])
  })

  test('orderRows sorts numbers by value, and puts blanks last in both directions', () => {
    expect(sorted([10, null, 9, -1, 100])).toEqual([-1, 9, 10, 100, null])
    expect(sorted([10, null, 9, -1, 100], true)).toEqual([100, 10, 9, -1, null])
    expect(sorted(['b', '', 'a'], true)).toEqual(['b', 'a', ''])
  })

  test('orderRows sorts numbers whose digits no double holds by their digits', () => {
    const rows = ['9007199254740994', '9007199254740993', 12, '-9007199254740993', null].map((id) => [id])
    const data = answerOf({ columns: ['id'], kinds: ['integer'], rows, truncated: false })
    expect(orderRows(data, { column: 0, descending: false }, {})).toEqual([3, 2, 1, 0, 4])
    const decimals = ['0.30000000000000000001', 0.3, '0.300000000000000000005'].map((id) => [id])
    const numbers = answerOf({ columns: ['n'], kinds: ['number'], rows: decimals, truncated: false })
    expect(orderRows(numbers, { column: 0, descending: false }, {})).toEqual([1, 2, 0])
  })

  test('orderRows sorts by the labels of values', () => {
    expect(sorted(['A', 'B'], false, { A: { label: 'Zulu' }, B: { label: 'Alfa' } })).toEqual(['B', 'A'])
  })

  test('orderRows keeps the order of equal rows', () => {
    const rows: Cell[][] = [
      ['a', 1],
      ['b', 0],
      ['c', 1],
    ]
    expect(
      orderRows(
        answerOf({ columns: ['a', 'b'], rows, truncated: false }),
        { column: 1, descending: true },
        {},
      ),
    ).toEqual([0, 2, 1])
  })
})

describe('givenOrder', () => {
  const data = (...rows: Cell[][]) => answerOf({ columns: ['a', 'b'], rows, truncated: false })

  test('givenOrder is the first column that ascends or descends throughout', () => {
    expect(givenOrder(data(['x', 3], ['b', 2], ['c', 1]), {})).toEqual({ column: 1, descending: true })
    expect(givenOrder(data(['x', 3], ['x', 4], ['x', null]), {})).toEqual({ column: 1, descending: false })
  })

  test('givenOrder is undefined for unordered rows, or too few', () => {
    expect(givenOrder(data(['x', 3], ['b', 4], ['c', 1]), {})).toBeUndefined()
    expect(givenOrder(data(['a', 1], ['b', 2]), {})).toBeUndefined()
  })
})
