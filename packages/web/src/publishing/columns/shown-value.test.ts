import type { DataColumn } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { hasSeconds, shownValue } from './shown-value.ts'

const column = (tipo: DataColumn['tipo'], notacao: DataColumn['notacao'] = null): DataColumn => ({
  nome: 'x',
  rotulo: 'x',
  valores: 1,
  duasLeituras: false,
  duasOrdens: false,
  tipo,
  notacao,
})

test.each([
  ['2026-03-05', column('DATA'), '05/03/2026'],
  ['2026-03-05 14:30:00', column('DATA_HORA'), '05/03/2026 14:30'],
  ['true', column('LOGICO'), 'Sim'],
  ['1234.5', column('NUMERO'), '1.234,5'],
  ['1234.5', column('NUMERO', 'MOEDA'), 'R$\u00a01.234,50'],
  ['0.085', column('NUMERO', 'PERCENTUAL'), '8,5%'],
  ['-1234.5', column('NUMERO'), '−1.234,5'],
  ['-0.001', column('NUMERO', 'MOEDA'), 'R$\u00a00,00'],
  ['-0.0000001', column('NUMERO'), '0'],
  ['-0.0000001', column('NUMERO', 'PERCENTUAL'), '0%'],
  ['12345678901234567.89', column('NUMERO', 'MOEDA'), 'R$\u00a012.345.678.901.234.567,89'],
  ['80010', column('INTEIRO'), '80010'],
  ['00123', column('TEXTO'), '00123'],
  ['x'.repeat(100_000), column('TEXTO'), `${'x'.repeat(120)}…`],
])('shownValue shows %s of the service as a Brazilian reader writes it', (value, of, shown) => {
  expect(shownValue(value, of)).toBe(shown)
})

test('shownValue shows seconds of a column of moments where one has some', () => {
  const shown = (...values: (string | null)[]) =>
    values.map((value) => value && shownValue(value, column('DATA_HORA'), hasSeconds(values)))
  expect(shown('2026-03-05 00:00:00', null)).toEqual(['05/03/2026 00:00', null])
  expect(shown('2026-03-05 00:00:00', '2026-03-05 14:30:15')).toEqual([
    '05/03/2026 00:00:00',
    '05/03/2026 14:30:15',
  ])
})
