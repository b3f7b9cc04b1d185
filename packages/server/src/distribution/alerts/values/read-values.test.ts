import { describe, expect, test } from 'vitest'
import { rowText } from '../alert-words.ts'
import { cellOf, formsOf, offeredVisuals, type ReadPage } from './read-values.ts'

/** A table whose rows have keys that one double stands for, as the report service answers it. */
const page = (rows: [string, string | number | null, string][]): ReadPage => {
  const visual = { name: 'tabela', type: 'table', title: 'Tabela', labels: {}, format: {}, option: {} }
  const columns = ['chave', 'custo', 'em']
  const definition = { name: 'p1', displayName: 'Resumo', filters: [], visuals: [{ ...visual, columns }] }
  return {
    definition: { name: 'Custos', filters: [], pages: [definition], columns: {} },
    page: definition,
    panel: [],
    data: {
      visuals: { tabela: { columns, kinds: ['integer', 'number', 'timestamp'], rows, truncated: false } },
      failures: {},
    },
  }
}
const read = page([
  ['1234567890123456781', '12345678901234567890.12', '2026-03-05T14:30:00'],
  ['1234567890123456782', 7, '2026-03-05T14:31:00'],
])
const readingFor = (chave: string | number, of = read) =>
  cellOf(of, { visual: 'tabela', coluna: 'custo', linha: { chave } })

describe('an alert on a table with numbers that no double holds', () => {
  test('an alert on a table with numbers that no double holds watches the row of its key, and its value as a number', () => {
    expect(readingFor('1234567890123456781')).toEqual({ isPresent: true, valor: 12345678901234567000 })
    expect(readingFor('1234567890123456782')).toEqual({ isPresent: true, valor: 7 })
    expect(readingFor('1234567890123456783')).toEqual({ isPresent: false, valor: null })
  })

  test('an alert on a table with numbers that no double holds has no value where the cell is not a number', () => {
    const broken = page([['1234567890123456781', 'não é um número', '2026-03-05T14:30:00']])
    expect(readingFor('1234567890123456781', broken)).toEqual({ isPresent: true, valor: null })
  })

  test('an alert on a table with numbers that no double holds that was made when keys were rounded finds its row, if it is the only one', () => {
    const rounded = Number('1234567890123456781')
    expect(readingFor(rounded, page([['1234567890123456781', 5, '2026-03-05T14:30:00']])).valor).toBe(5)
    expect(() => readingFor(rounded)).toThrow(expect.objectContaining({ codigo: 'alerta_sem_valor' }))
  })

  describe('that was made when instants were in UTC', () => {
    const at = (em: string, of = read) => cellOf(of, { visual: 'tabela', coluna: 'custo', linha: { em } })

    test('an alert that was made when instants were in UTC finds the row of the same instant', () => {
      expect(at('2026-03-05T17:31:00.000Z')).toEqual({ isPresent: true, valor: 7 })
      const inManaus = { ...read, definition: { ...read.definition, timeZone: 'America/Manaus' } }
      expect(at('2026-03-05T18:31:00.000Z', inManaus)).toEqual({ isPresent: true, valor: 7 })
    })

    test('an alert that was made when instants were in UTC finds a moment that was written without its fraction', () => {
      const of = page([['1', 8, '2026-03-05T14:30:00.25']])
      expect(at('2026-03-05T17:30:00.250Z', of).valor).toBe(8)
      expect(at('2026-03-05T14:30:00', of).valor).toBe(8)
      const exact = page([
        ['1', 8, '2026-03-05T14:30:00.25'],
        ['2', 9, '2026-03-05T14:30:00'],
      ])
      expect(at('2026-03-05T14:30:00', exact).valor).toBe(9)
      expect(() =>
        at(
          '2026-03-05T14:30:00',
          page([
            ['1', 8, '2026-03-05T14:30:00.1'],
            ['2', 9, '2026-03-05T14:30:00.2'],
          ]),
        ),
      ).toThrow(expect.objectContaining({ codigo: 'alerta_sem_valor' }))
    })

    test('an alert that was made when instants were in UTC reads no row of another part of the second', () => {
      const of = page([['1', 8, '2026-03-05T14:30:00.456']])
      const absent = { isPresent: false, valor: null }
      expect(at('2026-03-05T14:30:00.123', of)).toEqual(absent)
      expect(at('2026-03-05T14:30:00.123', page([['1', 8, '2026-03-05T14:30:00']]))).toEqual(absent)
      for (const key of ['2026-03-05T17:30:00.123Z', '2026-03-05T17:30:00.000Z'])
        expect(() => at(key, of)).toThrow(expect.objectContaining({ codigo: 'alerta_sem_valor' }))
      expect(at('2026-03-05T17:30:00.456Z', page([['1', 8, '2026-03-05T14:30:00.456789']])).valor).toBe(8)
      const cut = page([['1', 8, '2026-03-05T14:30:00.456']])
      const { visuals } = cut.data
      for (const visual of Object.values(visuals)) visual.truncated = true
      expect(() => at('2026-03-05T14:30:00.123', cut)).toThrow(/tem linhas demais/)
    })

    test('an alert that was made when instants were in UTC reads no row by a text that looks like an instant', () => {
      const named = page([['2026-03-05T07:00:00', 8, '2026-03-05T14:30:00']])
      for (const visual of Object.values(named.data.visuals)) visual.kinds = ['text', 'number', 'timestamp']
      expect(readingFor('2026-03-05T10:00:00Z', named)).toEqual({ isPresent: false, valor: null })
      expect(readingFor('2026-03-05T07:00:00', named).valor).toBe(8)
    })

    test('an alert that was made when instants were in UTC is refused where a column of moments has become one of days', () => {
      const daily = page([['1', 8, '2026-03-05']])
      for (const visual of Object.values(daily.data.visuals)) visual.kinds = ['integer', 'number', 'date']
      expect(() => at('2026-03-05T03:00:00.000Z', daily)).toThrow(/hora de Greenwich/)
    })

    test('an alert that was made when instants were in UTC is refused where no row has its instant, and never taken for an absent row', () => {
      expect(() => at('2026-03-05T14:31:00.000Z')).toThrow(
        expect.objectContaining({ codigo: 'alerta_sem_valor' }),
      )
      expect(at('2026-03-05T14:32:00')).toEqual({ isPresent: false, valor: null })
    })
  })

  describe('whose column has another type by now', () => {
    const of = (kind: string, cell: string | number | boolean): ReadPage => {
      const columns = ['chave', 'custo']
      const answer = { columns, kinds: [kind, 'number'], rows: [[cell, 5]], truncated: false }
      return { ...read, data: { visuals: { tabela: answer }, failures: {} } }
    }
    const at = (chave: string | number | boolean, ...column: Parameters<typeof of>) =>
      cellOf(of(...column), { visual: 'tabela', coluna: 'custo', linha: { chave } })

    test.each<[string | number | boolean, string, string | number | boolean]>([
      ['2026', 'integer', 2026],
      [2026, 'text', '2026'],
      ['2.50', 'number', 2.5],
      ['2026-03-05', 'timestamp', '2026-03-05T00:00:00'],
      ['2026-03-05T00:00:00', 'date', '2026-03-05'],
    ])('%s finds its row among values of the type %s', (chave, kind, cell) => {
      expect(at(chave, kind, cell)).toEqual({ isPresent: true, valor: 5 })
    })

    test.each<[string | number | boolean, string, string | number | boolean]>([
      ['2027', 'integer', 2026],
      ['02026', 'text', '2026'],
      [2027, 'text', '2026'],
      ['2026-03-05T10:00:00', 'date', '2026-03-05'],
    ])('%s is absent where no value of the type %s is the same', (chave, kind, cell) => {
      expect(at(chave, kind, cell)).toEqual({ isPresent: false, valor: null })
    })

    test.each<[string | number | boolean, string, string | number | boolean]>([
      ['CNU', 'integer', 2026],
      [true, 'text', 'true'],
      ['março', 'date', '2026-03-05'],
      [1, 'boolean', true],
    ])('%s is refused, and not absent, where the type %s has no such values', (chave, kind, cell) => {
      expect(() => at(chave, kind, cell)).toThrow(
        expect.objectContaining({
          codigo: 'alerta_sem_valor',
          message:
            'A coluna chave mudou de tipo desde que a linha deste alerta foi escolhida, e nenhuma linha a identifica mais. Edite o alerta e escolha a linha.',
        }),
      )
    })
  })

  test('an alert on a table with numbers that no double holds offers these columns as numbers', () => {
    const [visual] = offeredVisuals(read).visuais
    expect(visual?.colunas.map(({ numerica }) => numerica)).toEqual([true, true, false])
  })
})

test('the row of an alert has its numbers as the screens write them', () => {
  expect(rowText({ linha: { ano: 2026, taxa: -0.125 }, formas: null })).toBe('ano: 2026; taxa: −0,125')
})

test('the row of an alert is named with the time of its instant, and codes as they are', () => {
  const linha = { em: '2026-03-05T14:30:00', chave: '1234567890123456781', custo: 0.5 }
  const formas = formsOf(read, { visual: 'tabela', linha: { ...linha, perdida: 1 } })
  expect(formas).toEqual({
    em: { tipo: 'timestamp', formato: null },
    chave: { tipo: 'integer', formato: null },
    custo: { tipo: 'number', formato: null },
  })
  expect(rowText({ linha, formas })).toBe('em: 05/03/2026 14:30; chave: 1234567890123456781; custo: 0,5')
  const cbo = { '2235-05': { tipo: 'text', formato: null }, constructor: { tipo: 'text', formato: null } }
  expect(rowText({ linha: { '2235-05': '2026-03-05', constructor: '2235-05' }, formas: cbo })).toBe(
    '2235-05: 2026-03-05; constructor: 2235-05',
  )
})

test('moments of a column that are all at midnight are days', () => {
  const days = page([['1', 8, '2026-03-05T00:00:00']])
  const linha = { em: '2026-03-05T00:00:00' }
  expect(rowText({ linha, formas: formsOf(days, { visual: 'tabela', linha }) })).toBe('em: 05/03/2026')
  expect(formsOf(days, { visual: 'outro', linha })).toBeNull()
})
