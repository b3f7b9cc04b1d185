import { expect, test } from 'vitest'
import { conditionText, rowText, valueText } from './alert-texts.ts'
import { valuesOf } from './alert-values.ts'

test('a value that is shown as zero has no sign, in any format', () => {
  expect(['moeda', 'percentual', 'inteiro', null].map((formato) => valueText(-0.00001, formato))).toEqual([
    'R$\u00a00,00',
    '0%',
    '0',
    '0',
  ])
  expect([valueText(-5, 'moeda'), valueText(null, 'moeda')]).toEqual(['−R$\u00a05,00', '–'])
})

test('a limit and a row are written as in messages', () => {
  const limit = { limite: -0.001, percentual: false, formato: 'moeda' }
  expect(conditionText({ condicao: 'ABAIXO', ...limit })).toBe('abaixo de −R$\u00a00,001')
  const row = { operadora: 'CNU', ano: 2026, taxa: -0.12345, em: '2026-03-05T00:00:00', cbo: '2026-03-05' }
  const forms = {
    taxa: { tipo: 'number', formato: 'percentual' },
    em: { tipo: 'timestamp', formato: null },
    cbo: { tipo: 'text', formato: null },
  }
  expect(rowText(row, forms)).toBe('CNU · 2026 · −12,345% · 05/03/2026 00:00 · 2026-03-05')
})

test('the field of a limit has no sign at zero, and the hyphen that people type', () => {
  const fieldOf = (limite: number) =>
    valuesOf({ limite, percentual: false, formato: null, fuso: 'America/Sao_Paulo' } as Parameters<
      typeof valuesOf
    >[0]).limite
  expect([fieldOf(-0), fieldOf(-0.5), fieldOf(1234567)]).toEqual(['0', '-0,5', '1234567'])
})
