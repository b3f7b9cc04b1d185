import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeFilter, filterValueText } from './filter-text.ts'
import { numberText, shownNumber } from './number-text.ts'

const formats = (
  [
    {},
    { minimumFractionDigits: 2, maximumFractionDigits: 2 },
    { style: 'currency', currency: 'BRL' },
    { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
    { notation: 'compact', maximumFractionDigits: 1 },
    { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  ] as const
).map((options) => new Intl.NumberFormat('pt-BR', options))

test('the text of a number gives a sign to numbers that show a digit, and to no zero', () => {
  const number = fc.oneof(
    fc.double({ min: -0.01, max: 0.01, noNaN: true }),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.constant(-0),
  )
  fc.assert(
    fc.property(number, fc.constantFrom(...formats), (value, format) => {
      const text = numberText(format, value)
      if (text.includes('-')) expect(text).toMatch(/[1-9]/)
      else if (value < 0) expect(text).not.toMatch(/[1-9]/)
      expect(text.replace(/[-+]/, '')).toBe(numberText(format, Math.abs(value)).replace('+', ''))
    }),
  )
})

test('the text of a number says what is not a number', () => {
  for (const format of formats)
    expect([0 / 0, 1 / 0, -1 / 0].map((value) => numberText(format, value))).toEqual([
      'não é um número',
      'infinito',
      '−infinito',
    ])
})

test('the text of a number has a minus sign for readers, and the hyphen in files and fields', () => {
  const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
  expect([numberText(money, -5), shownNumber(money, -5)]).toEqual(['-R$\u00a05,00', '−R$\u00a05,00'])
  expect(shownNumber(money, -0.001)).toBe('R$\u00a00,00')
})

test.each([
  [-5, undefined, '−5'],
  [-0, undefined, '0'],
  [2026, undefined, '2026'],
  [-12_345, undefined, '−12.345'],
  [-0.5, 'number', '−0,5'],
  [-0.0001, 'number', '−0,0001'],
  [0.12345, undefined, '0,12345'],
  ['2026-03-05', 'date', '05/03/2026'],
  ['2026-03-05', 'text', '2026-03-05'],
  // Power BI writes days as instants, so a day alone is a text.
  ['2026-03-05', undefined, '2026-03-05'],
  ['2026-03-05T00:00:00.000Z', undefined, '05/03/2026'],
  ['2235-05', undefined, '2235-05'],
  [0.1 + 0.2, undefined, '0,30000000000000004'],
  [1234.5678901, 'number', '1.234,5678901'],
  [1e-7, 'number', '0,0000001'],
  [123456789012345680000, 'integer', '123.456.789.012.345.680.000'],
  ['0.00000000000000000012345', 'number', '0,00000000000000000012345'],
  ['-1234567890123456789.5', 'number', '−1.234.567.890.123.456.789,5'],
])('a filter writes %s (%s) as %s', (value, kind, text) => {
  expect(filterValueText(value, kind)).toBe(text)
})

test('a filter is described with all digits of its numbers', () => {
  const conditions = [
    { operator: 'GreaterThan', value: 0.12345 },
    { operator: 'LessThanOrEqual', value: 1e-9 },
  ]
  expect(describeFilter({ logicalOperator: 'And', conditions })).toBe(
    'maior que 0,12345 e no máximo 0,000000001',
  )
  // Two values of a list do not read alike.
  expect(describeFilter({ operator: 'In', values: [0.1234, 0.12345] })).toBe('é 0,1234 ou 0,12345')
})
