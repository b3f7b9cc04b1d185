import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { answersTo, type Scale, scaledSql, scaleOf, scalingOf, wordOf } from './column-scales.ts'

const sheet = { isSheet: true, isFraction: false }
const fractions = { isSheet: false, isFraction: true }

const percent: Scale = { unit: 'share' }
const hundredths: Scale = { unit: 'share', others: 'percentages' }
const points: Scale = { unit: 'points' }
const plain: Scale = { unit: 'plain' }

// Kind: a column whose percent signs come and go becomes a hundred times as large or as small.
test('a CSV without signs keeps points, and a spreadsheet is asked: its cells keep 0.08', () => {
  expect(scalingOf(points, false, false, undefined)).toEqual({ scale: points, factor: '' })
  expect(scalingOf(points, false, false, undefined, sheet)).toBeUndefined()
  expect(scalingOf(points, true, false, undefined, sheet)).toEqual({ scale: points, factor: '* 100' })
  expect(scalingOf(points, false, false, 'asRead', sheet)).toEqual({ scale: plain, factor: '' })
})

// Kind: a person answers about 8, and the kept answer is used for 0.08.
test('numbers below 1 are asked about where a person answered about larger ones', () => {
  for (const before of [hundredths, points, percent])
    expect(scalingOf(before, false, false, undefined, fractions)).toBeUndefined()
  expect(scalingOf(plain, false, false, undefined, fractions)).toEqual({ scale: plain, factor: '' })
})

// Kind: none of the offered answers is right.
test.each([
  { before: points, answer: 'share', factor: '* 100' },
  { before: points, answer: 'divided', factor: '' },
  { before: hundredths, answer: 'share', factor: '' },
  { before: hundredths, answer: 'divided', factor: '/ 100' },
  { before: percent, answer: 'share', factor: '' },
  { before: percent, answer: 'divided', factor: '/ 100' },
] as const)('0.08 may be 8% and 0.08%: $answer over $before is $factor', ({ before, answer, factor }) => {
  for (const isSheet of [false, true]) {
    const file = { ...fractions, isSheet }
    expect(answersTo(false, file)).toContain(answer)
    expect(scalingOf(before, false, false, answer, file)?.factor).toBe(factor)
  }
})

test('8 of a spreadsheet over points may be 8%, 800% and no percentage', () => {
  expect(answersTo(false, sheet)).toEqual(['divided', 'share', 'asRead'])
  expect(scalingOf(points, false, false, 'divided', sheet)?.factor).toBe('')
  expect(scalingOf(points, false, false, 'share', sheet)?.factor).toBe('* 100')
  expect(answersTo(true, sheet)).toEqual(['asRead', 'multiplied'])
})

// Kind: a schedule is asked again what a person answered.
test('an answer is used for all later files of its kind, also after one with signs', () => {
  const files = [false, true].flatMap((isSheet) =>
    [true, false].map((isFraction) => ({ isSheet, isFraction })),
  )
  for (const before of [percent, hundredths, points])
    for (const answer of ['share', 'divided'] as const)
      for (const file of files) {
        const first = scalingOf(before, false, false, answer, file)
        const signs = scalingOf(first?.scale, true, false, undefined, file)
        expect(scalingOf(signs?.scale, false, false, undefined, file)).toEqual(first)
      }
})

// Kind: 'as read' for 0.08 makes 8 an 8, which the report shows as 800%.
test('fractions that stay as they are remain shares where the report shows a share', () => {
  const others = { isSheet: false, isFraction: false }
  for (const before of [percent, hundredths, undefined]) {
    const kept = scalingOf(before, false, true, 'asRead', fractions)
    expect(kept).toMatchObject({ scale: { unit: 'share', fractions: 'shares' }, factor: '' })
    expect(scalingOf(kept?.scale, false, true, undefined, others)?.factor).toBe(
      before === hundredths ? '/ 100' : undefined,
    )
  }
  expect(scalingOf(percent, false, false, 'asRead', fractions)?.scale).toEqual(plain)
  expect(scalingOf(percent, false, true, 'asRead', others)?.scale).toEqual(plain)
  expect(scalingOf(points, false, true, 'asRead', fractions)?.scale).toEqual(plain)
})

test('an answer is used for files of the other kind only where it implies theirs', () => {
  const others = { isSheet: false, isFraction: false }
  const after = (answer: 'share' | 'divided', first: typeof others, next: typeof others) =>
    scalingOf(scalingOf(percent, false, false, answer, first)?.scale, false, false, undefined, next)?.factor
  expect(after('divided', fractions, others)).toBe('/ 100')
  expect(after('share', others, fractions)).toBe('')
  expect(after('share', fractions, others)).toBeUndefined()
  expect(after('divided', others, fractions)).toBeUndefined()
})

test('earlier versions read the word of each scale, and this one their words', () => {
  for (const [word, scale] of Object.entries({ percent, hundredths, points, plain })) {
    expect(wordOf({ ...scale, fractions: 'shares' })).toBe(word)
    expect(scaleOf(word as 'percent')).toEqual(scale)
    expect(scaleOf(word as 'percent', { fractions: 'shares' })).toEqual({ ...scale, fractions: 'shares' })
  }
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
