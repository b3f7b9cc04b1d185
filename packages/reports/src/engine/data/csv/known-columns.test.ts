import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CsvType } from '../../../definitions/definition.ts'
import { openDatabase } from '../database/database.ts'
import type { KnownColumn } from './known-columns.ts'
import { copyCsv } from './read-csv.ts'

const read = async (
  lines: string[],
  known: Record<string, KnownColumn>,
  types: Record<string, CsvType> = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), 'conhecidas-'))
  const database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'dados.csv')
  await writeFile(file, `${lines.join('\n')}\n`)
  const { columns } = await copyCsv(
    database,
    file,
    't',
    { delimiter: ';', types },
    {
      quotesData: true,
      known: new Map(Object.entries(known)),
      lineAt: (record) => record + 100,
    },
  )
  return { columns, rows: await database.query('SELECT COLUMNS(*)::VARCHAR FROM t') }
}

describe('copyCsv with known columns', () => {
  const known: Record<string, KnownColumn> = {
    Valor: { type: 'number', shownAs: 'money' },
    Dia: { type: 'timestamp' },
    CEP: { type: 'text' },
    Ativo: { type: 'boolean' },
  }
  const lines = [
    'Valor;Dia;CEP;Ativo;Gasto',
    '1.234;2026-03-05;80010000;true;1.234',
    '1e-7;2026-03-05 08:00:00;00012345;;2,5',
  ]

  test('copyCsv with known columns reads canonical notation, and detects the others', async () => {
    const { columns, rows } = await read(lines, known)
    expect(columns.map(({ type, shownAs }) => [type, shownAs])).toEqual([
      ['number', 'money'],
      ['timestamp', undefined],
      ['text', undefined],
      ['boolean', undefined],
      ['number', undefined],
    ])
    expect(rows).toEqual([
      ['1.234', '2026-03-05 00:00:00', '80010000', 'true', '1234.0'],
      ['1e-07', '2026-03-05 08:00:00', '00012345', null, '2.5'],
    ])
  })

  test('copyCsv with known columns reads them as another type when the author chooses one that fits', async () => {
    const { columns, rows } = await read(['Valor', '12'], { Valor: { type: 'integer' } }, { Valor: 'number' })
    expect([columns[0]?.type, rows]).toEqual(['number', [['12.0']]])
    const text = await read(['Valor', '12.5'], { Valor: { type: 'number' } }, { Valor: 'text' })
    expect([text.columns[0]?.type, text.rows]).toEqual(['text', [['12.5']]])
  })

  test.each<[string, CsvType, CsvType, string, string]>([
    ['a fraction', 'number', 'integer', '12.5', 'um número inteiro'],
    ['a moment', 'timestamp', 'date', '2026-03-05 08:00:00', 'uma data'],
    ['a number', 'number', 'timestamp', '8.5', 'uma data e hora'],
    ['a code', 'text', 'integer', '01310-100', 'um número inteiro'],
  ])(
    'copyCsv with known columns refuses %s that does not fit, with its line',
    async (_name, type, chosen, value, what) => {
      await expect(read(['A;B', `${value};x`], { A: { type } }, { A: chosen })).rejects.toThrow(
        `linha 101: coluna A: "${value}" não é ${what}`,
      )
    },
  )
})
