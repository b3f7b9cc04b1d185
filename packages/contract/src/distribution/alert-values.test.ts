import { expect, test } from 'vitest'
import { alertCellText, alertLimitText, alertValueText } from './alert-values.ts'

test.each([
  [-0.001, 'moeda', 'R$\u00a00,00'],
  [-0.001, 'moedaInteira', 'R$\u00a00,00'],
  [-0.00001, 'percentual', '0%'],
  [-0.4, 'inteiro', '0'],
  [-0, null, '0'],
  [-1234.5, 'moeda', '−R$\u00a01.234,50'],
  [-0.125, 'percentual', '−12,5%'],
  [-1234.567, null, '−1.234,57'],
  [1.5, 'inteiro', '2'],
])('the value %s with the format %s is %s', (value, formato, text) => {
  expect(alertValueText(value, formato)).toBe(text)
})

test.each([
  [{ limite: 10, percentual: true, formato: 'moeda' }, '10%'],
  [{ limite: -0.001, percentual: true, formato: null }, '−0,001%'],
  [{ limite: -0.001, percentual: false, formato: 'moeda' }, '−R$\u00a00,001'],
  [{ limite: 99.999, percentual: false, formato: 'moeda' }, 'R$\u00a099,999'],
  [{ limite: 1000, percentual: false, formato: 'moedaInteira' }, 'R$\u00a01.000,00'],
  [{ limite: 0.12345, percentual: false, formato: null }, '0,12345'],
  [{ limite: 1.5, percentual: false, formato: 'inteiro' }, '1,5'],
  [{ limite: 0.123456, percentual: false, formato: 'percentual' }, '12,3456%'],
  // Of 1.1 divided by 100, as an earlier version stored it.
  [{ limite: 0.011000000000000001, percentual: false, formato: 'percentual' }, '1,1%'],
  [{ limite: -0.85, percentual: false, formato: 'percentual' }, '−85%'],
])('the limit %o is %s', (limit, text) => {
  expect(alertLimitText(limit)).toBe(text)
})

const kindOnly = (tipo: string) => ({ tipo, formato: null })
const formatted = (tipo: string, formato: string) => ({ tipo, formato })

test.each([
  [2026, undefined, '2026'],
  [-0.12345, undefined, '−0,12345'],
  [-0, undefined, '0'],
  [1234567.5, undefined, '1234567,5'],
  [true, undefined, 'Sim'],
  ['', undefined, 'vazio'],
  [null, undefined, 'vazio'],
  ['2026-03-05', kindOnly('date'), '05/03/2026'],
  ['2026-03-05T00:00:00', kindOnly('date'), '05/03/2026'],
  ['2026-03-05T14:30:00', kindOnly('timestamp'), '05/03/2026 14:30'],
  ['2026-03-05T14:30:15.25', kindOnly('timestamp'), '05/03/2026 14:30:15'],
  // Another row of the column has a time of day.
  ['2026-03-05T00:00:00', kindOnly('timestamp'), '05/03/2026 00:00'],
  ['2235-05', kindOnly('text'), '2235-05'],
  ['2026-03-05', kindOnly('text'), '2026-03-05'],
  ['2026-03-05T14:30:00', kindOnly('text'), '2026-03-05T14:30:00'],
  ['2026-03-05', formatted('text', 'data'), '05/03/2026'],
  ['14:30:00', kindOnly('time'), '14:30:00'],
  ['2026-03-01', formatted('date', 'mes'), 'mar/26'],
  ['2026-03', formatted('text', 'mes'), 'mar/26'],
  ['2026-03-01T00:00:00', formatted('date', 'mes'), 'mar/26'],
  ['2026-03-05T14:30:00', formatted('timestamp', 'mes'), 'mar/26'],
  ['0024-03-01', formatted('date', 'mes'), 'mar/0024'],
  ['2026-03-05T14:30:00', formatted('timestamp', 'data'), '05/03/2026'],
  ['2026-03', formatted('text', 'data'), 'mar/26'],
  ['2026-03-05', formatted('date', 'texto'), '2026-03-05'],
  ['2026-03-05T14:30:00', formatted('timestamp', 'texto'), '2026-03-05T14:30:00'],
  ['2026-03-05', formatted('date', 'moeda'), '05/03/2026'],
  ['1º trimestre', formatted('text', 'mes'), '1º trimestre'],
  ['1234567890123456781', kindOnly('integer'), '1234567890123456781'],
  ['-12345678901234567.89', kindOnly('number'), '−12345678901234567,89'],
  [0.125, formatted('number', 'percentual'), '12,5%'],
  [0.123456, formatted('number', 'percentual'), '12,3456%'],
  [1234.5, formatted('number', 'moeda'), 'R$\u00a01.234,50'],
  ['12345678901234567.89', formatted('number', 'moeda'), 'R$\u00a012.345.678.901.234.567,89'],
  ['0.1234567890123456789', formatted('number', 'percentual'), '12,34567890123456789%'],
  // A text that looks like digits is no number.
  ['00123', formatted('text', 'moeda'), '00123'],
  // Alerts of earlier versions: the kind is not known.
  ['2026-03-05T14:30:00', undefined, '05/03/2026 14:30'],
  ['2026-03-05', undefined, '2026-03-05'],
  ['2235-05', undefined, '2235-05'],
])('the cell %s of a row with the form %o is %s', (cell, form, text) => {
  expect(alertCellText(cell, form)).toBe(text)
})
