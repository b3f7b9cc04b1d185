import type { Alert, AlertVisual } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { cellOf, draftOf, keyOf, newValues, numberOf, rowChoices, valuesOf } from './alert-values.ts'

const column = (nome: string, numerica = false) => ({
  nome,
  rotulo: nome,
  tipo: numerica ? 'number' : 'text',
  formato: null,
  numerica,
})
const table: AlertVisual = {
  nome: 't',
  titulo: 'Custos',
  cortado: false,
  colunas: [column('operadora'), column('ano', true), column('custo', true)],
  linhas: [
    ['CNU', 2025, 5],
    ['CNU', 2026, 7],
    ['OUTRA', 2026, 7],
  ],
}

test.each([
  ['1000', 1000],
  ['1.000', 1000],
  ['1.234.567,5', 1234567.5],
  ['-0,5', -0.5],
  ['0.5', 0.5],
  ['', undefined],
  ['1,2,3', undefined],
  ['mil', undefined],
])('numberOf(%s) is %s', (text, expected) => {
  expect(numberOf(text)).toBe(expected)
})

describe('the key of a row', () => {
  test('the key of a row has its texts, and the other columns where rows have the same texts', () => {
    expect(keyOf(table, 2, 'custo')).toEqual({ operadora: 'OUTRA' })
    expect(keyOf(table, 0, 'custo')).toEqual({ operadora: 'CNU', ano: 2025 })
  })

  test('the key of a row is not offered for rows that nothing tells apart, nor for a card', () => {
    const twice = {
      ...table,
      linhas: [
        ['CNU', 2026, 1],
        ['CNU', 2026, 2],
      ],
    }
    expect(rowChoices(twice, 'custo')).toEqual([])
    expect(rowChoices({ ...table, linhas: [['CNU', 2026, 1]] }, 'custo')).toEqual([])
    expect(rowChoices(table, 'custo').map(({ label }) => label)).toEqual([
      'CNU · 2025',
      'CNU · 2026',
      'OUTRA',
    ])
  })

  test('the key of a row has no text that is too long for an alert', () => {
    const noted = {
      ...table,
      colunas: [column('operadora'), column('nota'), column('custo', true)],
      linhas: [
        ['CNU', 'x'.repeat(1_001), 5],
        ['OUTRA', 'y'.repeat(1_001), 7],
        ['OUTRA', 'z'.repeat(1_001), 8],
      ],
    }
    expect(keyOf(noted, 0, 'custo')).toEqual({ operadora: 'CNU' })
    expect(keyOf(noted, 1, 'custo')).toBeUndefined()
  })

  test('the key of a row is written by the kinds of its columns', () => {
    const em = { ...column('em'), tipo: 'timestamp' }
    const linhas = [
      ['2235-05', '2026-03-05T14:30:00', 1],
      ['2026-05-01', '2026-03-05T00:00:00', 2],
    ]
    const coded = { ...table, colunas: [column('cbo'), em, column('custo', true)], linhas }
    expect(rowChoices(coded, 'custo').map(({ label }) => label)).toEqual([
      '2235-05 · 05/03/2026 14:30',
      '2026-05-01 · 05/03/2026 00:00',
    ])
  })

  test('the key of a row finds the cell', () => {
    expect(cellOf(table, { coluna: 'custo', linha: { operadora: 'CNU', ano: 2026 } })?.value).toBe(7)
    expect(cellOf(table, { coluna: 'custo', linha: { operadora: 'NADA' } })).toBeUndefined()
  })
})

describe('the draft', () => {
  const values = { ...newValues({ pagina: 'p', filtros: {} }), nomeAlerta: 'A', visual: 'v', coluna: 'c' }
  const of = { base: undefined, origem: 'VISUAL', formato: 'percentual' } as const

  test('the draft has the limit of a percentage as the report stores it', () => {
    expect(draftOf({ ...values, limite: '85' }, of).draft?.limite).toBe(0.85)
    const varied = { ...values, limite: '85', condicao: 'VARIOU', percentual: true } as const
    expect(draftOf(varied, of).draft?.limite).toBe(85)
  })

  test.each([
    ['1,1', 0.011],
    ['8,1', 0.081],
    ['12,3456789012', 0.123456789012],
    ['0,000000000001', 1e-14],
  ])('the draft keeps the digits of a percentage, %s, when it is stored and edited', (limite, stored) => {
    const { limite: kept } = draftOf({ ...values, limite }, of).draft ?? {}
    expect(kept).toBe(stored)
    const alert = { ...of, limite: kept, percentual: false, fuso: 'America/Sao_Paulo' }
    expect(valuesOf(alert as unknown as Alert).limite).toBe(limite)
  })

  test('the draft names what is missing', () => {
    expect(draftOf({ ...values, coluna: '', limite: 'x' }, of).faults).toEqual({
      coluna: expect.any(String),
      limite: 'Informe um número.',
    })
    expect(draftOf({ ...values, condicao: 'AUSENTE' }, of).faults).toEqual({})
    expect(draftOf(values, { ...of, origem: 'DAX' }).faults).toHaveProperty('consulta')
  })
})
