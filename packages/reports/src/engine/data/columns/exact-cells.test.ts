import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExact } from '../../queries/exact-values.ts'
import { exactDecimal, exactInteger } from './exact-cells.ts'

test.each<[bigint, number, number | string]>([
  [0n, 2, 0],
  [-5n, 1, -0.5],
  [123456789012345n, 2, 1234567890123.45],
  [1234567890123456n, 2, '12345678901234.56'],
  [-1234567890123456n, 20, '-0.00001234567890123456'],
  // Zeros at the end are no digits to lose, but those of a large integer are.
  [50000000000000000n, 10, 5000000],
  [10n ** 21n, 0, '1000000000000000000000'],
  [1n, 38, 1e-38],
])('a decimal of %s units with %s places is %s', (value, scale, cell) => {
  expect(exactDecimal({ value, scale })).toBe(cell)
})

const integers = fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n })

test('an integer is a number up to 2^53 − 1, and its digits from there on', () => {
  fc.assert(
    fc.property(fc.oneof(integers, fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n })), (value) => {
      const cell = exactInteger(value)
      expect(BigInt(cell)).toBe(value)
      expect(typeof cell).toBe(value <= 2n ** 53n - 1n && value >= -(2n ** 53n) + 1n ? 'number' : 'string')
      // What is sent is found again.
      expect(readExact({ name: 'x', type: 'HUGEINT', kind: 'integer' }, cell)?.text).toBe(String(value))
    }),
  )
})

test('a decimal that is sent is found again, digit by digit', () => {
  const decimals = fc.tuple(
    fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    fc.nat({ max: 38 }),
    fc.nat(38),
  )
  fc.assert(
    fc.property(decimals, ([digits, scale, shorter]) => {
      const value = digits / 10n ** BigInt(shorter)
      const column = { name: 'x', type: `DECIMAL(38,${scale})`, kind: 'number' as const }
      const { text = '' } = readExact(column, exactDecimal({ value, scale })) ?? {}
      const [whole = '', decimals = ''] = text.split('.')
      expect(BigInt(whole + decimals.padEnd(scale, '0'))).toBe(value)
    }),
  )
})
