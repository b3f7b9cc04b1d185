import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { columnNames, plainName } from './column-names.ts'

describe('columnNames', () => {
  test.each([
    ['Duração (min)', 'Duracao_min'],
    ['  Nº do pedido ', 'N_do_pedido'],
    ['2025', 'c_2025'],
    ['R$', 'R'],
    ['…', 'coluna_1'],
    ['x'.repeat(120), 'x'.repeat(59)],
  ])('columnNames makes of %j the name %s', (heading, name) => {
    expect(columnNames([heading])).toEqual([name])
  })

  test('columnNames numbers headings whose names would be the same', () => {
    expect(columnNames(['Situação', 'situacao', 'Situação?'])).toEqual([
      'Situacao',
      'situacao_2',
      'Situacao_3',
    ])
  })

  test('columnNames keeps no word that DuckDB reserves', async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll(
      "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'",
    )
    const reserved = reader.getRows().map(([word]) => String(word))
    expect(reserved.length).toBeGreaterThan(50)
    const names = new Set(reserved.map((word) => plainName(word, 'x')))
    expect(reserved.filter((word) => names.has(word))).toEqual([])
    connection.closeSync()
    instance.closeSync()
  })
})
