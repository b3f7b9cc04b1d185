import { describe, expect, test } from 'vitest'
import { formatAxis, formatCell, formatChange, formatLabel } from './format.ts'

/** Intl separates with non-breaking spaces. */
const plain = (text: string | undefined) => text?.replace(/\s/g, ' ')

describe('cells in Brazilian Portuguese', () => {
  test.each([
    [1234.56, 'moeda', 'R$ 1.234,56'],
    [1_234_567, 'moedaCurta', 'R$ 1,2 mi'],
    [950, 'moedaCurta', 'R$ 950'],
    [346.4, 'moedaCurta', 'R$ 346,40'],
    [1234.6, 'inteiro', '1.235'],
    [1234.567, 'decimal', '1.234,57'],
    [36, 'decimal', '36,0'],
    [34.25, 'decimal', '34,25'],
    [36, 'decimal1', '36,0'],
    [34.25, 'decimal2', '34,25'],
    [1.9, 'decimal2', '1,90'],
    [36, undefined, '36'],
    [48_211, 'curto', '48,2 mil'],
    [8000, 'curto', '8,0 mil'],
    [420, 'curto', '420'],
    [421_380, 'moedaCurta', 'R$ 421 mil'],
    [99_960, 'moedaCurta', 'R$ 100 mil'],
    [999_980, 'moedaCurta', 'R$ 1 mi'],
    [5_000_000, 'moedaCurta', 'R$ 5,0 mi'],
    [-32_100_000, 'moedaCurta', '−R$ 32,1 mi'],
    [1_234_567.8, 'moedaInteira', 'R$ 1.234.568'],
    [0.8234, 'percentual', '82,3%'],
    [-12.5, 'moeda', '−R$ 12,50'],
    ['2026-03-09', 'data', '09/03/2026'],
    ['2026-03-09T13:05:07', 'data', '09/03/2026'],
    ['2026-03-09T13:05:07', 'dataHora', '09/03/2026 13:05'],
    ['2026-03-09T13:05:07.5', 'dataHoraSegundos', '09/03/2026 13:05:07'],
    ['2235-05', 'texto', '2235-05'],
    ['9007199254740993', undefined, '9.007.199.254.740.993'],
    ['-9007199254740993', 'inteiro', '−9.007.199.254.740.993'],
    ['12345678901234567890.12', 'moeda', 'R$ 12.345.678.901.234.567.890,12'],
    ['12345678901234567890.12', 'moedaCurta', 'R$ 12.345.678,9 tri'],
    ['0.12345678901234567', 'percentual', '12,3%'],
    ['2026-03-01', 'mes', 'mar/26'],
    ['2026-03', 'mes', 'mar/26'],
    ['0123', 'texto', '0123'],
    [2026, 'texto', '2026'],
    [1234.5, undefined, '1.234,5'],
    [true, undefined, 'Sim'],
    [null, 'moeda', '–'],
    // Rounded to zero, a number has no sign.
    [-0.001, 'moeda', 'R$ 0,00'],
    [-0, 'moeda', 'R$ 0,00'],
    [-0.4, 'moedaInteira', 'R$ 0'],
    [-0.001, 'moedaCurta', 'R$ 0,00'],
    [-0.0004, 'percentual', '0,0%'],
    [-0.4, 'inteiro', '0'],
    [-0.001, 'decimal', '0,0'],
    [-0.04, 'decimal1', '0,0'],
    [-0.004, 'decimal2', '0,00'],
    [-0.04, 'curto', '0'],
    [-1e-12, undefined, '0'],
    [-0.005, 'decimal2', '−0,01'],
    [Number.NaN, 'moeda', 'não é um número'],
    [Number.NaN, 'texto', 'não é um número'],
    [Number.POSITIVE_INFINITY, 'percentual', 'infinito'],
    [Number.NEGATIVE_INFINITY, 'moedaCurta', '−infinito'],
  ] as const)('formatCell writes %s with format %s as %s', (value, format, text) => {
    expect(plain(formatCell(value, format))).toBe(text)
  })

  test.each([
    [1_500_000, 'moeda', 'R$ 1,5 mi'],
    [12_000, 'inteiro', '12 mil'],
    [8000, 'inteiro', '8 mil'],
    [900, 'inteiro', '900'],
    [34.21, 'decimal', '34,2'],
    [0.75, 'percentual', '75%'],
    [5_000_000, 'moedaInteira', 'R$ 5 mi'],
    [0.5, 'moeda', 'R$ 0,50'],
    [-1e-17, 'moeda', 'R$ 0,00'],
    [-1e-17, 'percentual', '0%'],
    [-1e-17, undefined, '0'],
  ] as const)('formatAxis writes %s with format %s as %s', (value, format, text) => {
    expect(plain(formatAxis(value, format))).toBe(text)
  })

  test.each([
    [2529, 'inteiro', '2.529'],
    [2529, 'curto', '2,5 mil'],
    [12_529, undefined, '12,5 mil'],
    [33, 'decimal1', '33,0'],
    [34.21, undefined, '34,2'],
    [715_000, 'moeda', 'R$ 715 mil'],
    [3_000_000, 'moedaCurta', 'R$ 3,0 mi'],
    ['715000.0000000000001', 'moeda', 'R$ 715 mil'],
    [null, 'moeda', '–'],
  ] as const)('formatLabel writes %s with format %s as %s', (value, format, text) => {
    expect(plain(formatLabel(value, format))).toBe(text)
  })

  test.each([
    [110, 100, undefined, '+10,0%'],
    [90, 100, 'moeda', '−10,0%'],
    [0.72, 0.7, 'percentual', '+2,0 p.p.'],
    [100, 100, undefined, '0,0%'],
    [5, 0, undefined, undefined],
    [-50, -100, undefined, '+50,0%'],
  ] as const)(
    'formatChange writes the change from %s to %s with format %s as %s',
    (value, previous, format, text) => {
      expect(plain(formatChange(value, previous, format))).toBe(text)
    },
  )
})
