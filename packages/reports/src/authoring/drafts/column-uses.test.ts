import { describe, expect, test } from 'vitest'
import { NO_EVIDENCE } from './column-evidence.ts'
import { usesOf } from './column-uses.ts'
import type { DraftColumn } from './read-draft.ts'

const ROWS = 5_000
const column = (label: string, more: Partial<DraftColumn>): DraftColumn => ({
  name: label,
  label,
  type: 'integer',
  shownAs: undefined,
  fitsBothMarks: false,
  fitsBothOrders: false,
  distinct: 900,
  isKey: false,
  evidence: { ...NO_EVIDENCE, isWhole: true },
  ...more,
})
const useOf = (label: string, more: Partial<DraftColumn> = {}) => usesOf([column(label, more)], ROWS)[0]
/** Whole numbers, and numbers with decimals. */
const usesOfNumbers = (label: string) => [
  useOf(label),
  useOf(label, { type: 'number', evidence: NO_EVIDENCE }),
]

describe('usesOf with a telling word at the end of a heading', () => {
  test.each([
    'cliente_id',
    'idCliente',
    'IDCliente',
    'codProduto',
    'operadora_cd',
    'operadora_cd_2',
    'venda_id',
    'fone_ddd',
    'Contato DDD',
    'DDD2',
    'telefone1',
    'ponto_lat',
  ])('usesOf with a telling word at the end of a heading takes %s for a code', (label) =>
    expect(usesOfNumbers(label)).toEqual(['code', 'code']),
  )

  test.each([
    'Cobertura_pct',
    'Cobertura PERC',
    'coberturaPct',
    'Cobertura pct 2024',
    'Total_pct',
    'Ocupação taxa',
    'Glosa tx',
    'venda_preco',
  ])('usesOf with a telling word at the end of a heading averages %s', (label) =>
    expect(usesOfNumbers(label)).toEqual(['average', 'average']),
  )

  test.each([
    'VL_TAXA',
    'QT_ID',
    'qtdMes',
    'Valor do mês',
    'Valor da taxa',
    'Total de códigos',
    'Quantidade por mês',
    'Consultas por preço',
    'Emissões CO2',
    'NO2',
    'ICMS ST',
    'Total NFe',
  ])('usesOf with a telling word at the end of a heading sums %s', (label) =>
    expect(usesOfNumbers(label)).toEqual(['sum', 'sum']),
  )

  test('usesOf with a telling word at the end of a heading takes the last word for a period where the values are months, days or years', () => {
    const whole = { ...NO_EVIDENCE, isWhole: true }
    const months = { evidence: { ...whole, isCalendar: true }, distinct: 12, isKey: true }
    const years = { evidence: { ...whole, isYear: true, digits: 4 } }
    expect(useOf('Referência mês', months)).toBe('code')
    expect(useOf('refMes', months)).toBe('code')
    expect(useOf('venda_ano', years)).toBe('code')
    const few = { evidence: { ...whole, isCalendar: true }, distinct: 40 }
    expect(useOf('Vendas mês', few)).toBe('sum')
    expect(useOf('Pagamentos por mês', few)).toBe('sum')
    expect(useOf('Pagamentos mês')).toBe('sum')
  })

  test('usesOf with a telling word at the end of a heading takes a text for a code', () => {
    expect(useOf('operadora_cd', { type: 'text', distinct: 20, evidence: NO_EVIDENCE })).toBe('code')
    expect(useOf('idCliente', { type: 'text', distinct: 20, evidence: NO_EVIDENCE })).toBe('code')
  })
})

test('usesOf averages numbers of which a spreadsheet shows only some as percentages', () => {
  expect(useOf('Reajuste', { type: 'number', evidence: NO_EVIDENCE, isPartlyPercent: true })).toBe('average')
})
