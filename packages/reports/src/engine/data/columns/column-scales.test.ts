import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { scaledSql, scalingOf } from './column-scales.ts'

const sheet = { isSheet: true, isFraction: false }

// Kind: a column whose percent signs come and go becomes a hundred times as large or as small.
test('a CSV without signs keeps points, and a spreadsheet is asked: its cells keep 0.08', () => {
  expect(scalingOf('points', false, false, undefined)).toEqual({ scale: 'points', factor: '' })
  expect(scalingOf('points', false, false, undefined, sheet)).toBeUndefined()
  expect(scalingOf('points', true, false, undefined, sheet)).toEqual({ scale: 'points', factor: '* 100' })
  expect(scalingOf('points', false, false, 'asRead', sheet)).toEqual({ scale: 'plain', factor: '' })
})

// Kind: a person answers about 8, and the kept answer is used for 0.08.
test('numbers below 1 are asked about where a person answered about larger ones', () => {
  const fractions = { isSheet: false, isFraction: true }
  for (const before of ['hundredths', 'points'] as const)
    expect(scalingOf(before, false, false, undefined, fractions)).toBeUndefined()
  expect(scalingOf('hundredths', false, false, 'divided', fractions)).toEqual({
    scale: 'hundredths',
    factor: '/ 100',
  })
  expect(scalingOf('hundredths', false, false, 'asRead', fractions)).toEqual({ scale: 'plain', factor: '' })
  expect(scalingOf('plain', false, false, undefined, fractions)).toEqual({ scale: 'plain', factor: '' })
})

// Kind: a division or a product by 100 gives a neighbour of the number that the file says.
test('the decimal mark of a scaled number is moved', async () => {
  const database = await openDatabase({ memoryMegabytes: 256, timeoutMs: 10_000 })
  onTestFinished(() => database.close())
  const scaled = async (number: string, factor: '/ 100' | '* 100') =>
    (await database.query(`SELECT ${scaledSql(number, factor)}`))[0]?.[0]
  for (const [number, divided, multiplied] of [
    ['0.14::DOUBLE', 0.0014, 14],
    ['0.07::DOUBLE', 0.0007, 7],
    ['8::BIGINT', 0.08, 800],
    ['-57::BIGINT', -0.57, -5700],
    ['1.2345e-12::DOUBLE', 1.2345e-14, 1.2345e-10],
    ['1.5e300::DOUBLE', 1.5e298, 1.5e302],
    ['0::DOUBLE', 0, 0],
    ['NULL::DOUBLE', null, null],
  ] as const)
    expect([number, await scaled(number, '/ 100'), await scaled(number, '* 100')]).toEqual([
      number,
      divided,
      multiplied,
    ])
})
