import { describe, expect, test } from 'vitest'
import { compareColumns, matchHeadings } from './compare-columns.ts'

const columns = (...names: string[]) => names.map((name) => ({ name, kind: 'text' as const }))

describe('matchHeadings', () => {
  test.each([
    ['the same headings in another order', ['b', 'a'], ['a', 'B'], ['a', 'b']],
    [
      'headings of which the portal made names',
      ['Valor_pago', 'N'],
      ['Nº', ' Valor pago '],
      ['N', 'Valor_pago'],
    ],
    ['names as an author of CSV files has them', ['Valor pago'], ['valor pago'], ['Valor pago']],
    [
      'a heading that is a name before one that becomes it',
      ['Situacao'],
      ['Situação', 'Situacao'],
      ['Situacao_2', 'Situacao'],
    ],
    ['a heading with a line break', ['Valor pago'], ['Valor\r\npago'], ['Valor pago']],
    ['new columns', ['a'], ['a', 'nova', 'outra'], ['a', 'nova', 'outra']],
  ])('matchHeadings accepts %s', (_name, current, headings, names) => {
    expect(matchHeadings(columns(...current), headings)).toEqual(names)
  })

  test.each([
    [['a', 'b'], ['a'], 'falta a coluna b'],
    [['a', 'b', 'c'], ['a', 'd'], 'faltam as colunas b e c; no arquivo há a mais: d'],
    [
      columns(...Array.from({ length: 30 }, (_, n) => `c${n}`)).map(({ name }) => name),
      [],
      /c18, c19 e mais 10$/,
    ],
  ])('matchHeadings names the missing ones of %j in %j', (current, headings, sentence) => {
    expect(() => matchHeadings(columns(...current), headings)).toThrow(sentence)
  })
})

test('compareColumns names changed types, and accepts whole numbers for numbers', () => {
  const current = [
    { name: 'valor', kind: 'number' as const },
    { name: 'dia', kind: 'date' as const },
  ]
  const read = (dia: 'date' | 'text') => [
    { name: 'valor', label: 'Valor', type: 'integer' as const },
    { name: 'dia', label: 'Dia', type: dia },
    { name: 'nova', label: 'Nova', type: 'text' as const },
  ]
  const remarks = ['colunas novas, que o relatório não usa: Nova']
  expect(compareColumns(current, read('date'))).toEqual({ faults: [], changes: [], remarks })
  expect(compareColumns(current, read('text'))).toEqual({
    faults: ['a coluna Dia era data e agora é texto'],
    changes: [],
    remarks,
  })
})
