import fc from 'fast-check'
import { expect, it } from 'vitest'
import { numberText } from './number-text.ts'

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

it('gives a sign to numbers that show a digit, and to no zero', () => {
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

it('says what is not a number', () => {
  for (const format of formats)
    expect([0 / 0, 1 / 0, -1 / 0].map((value) => numberText(format, value))).toEqual([
      'não é um número',
      'infinito',
      '−infinito',
    ])
})
