import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv } from './read-csv.ts'

let dir = ''
let database: Database
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'unidades-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
}, 300_000)
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

const read = async (lines: string[], { quotesData = true, withoutTotals = false } = {}) => {
  const file = join(dir, 'dados.csv')
  await writeFile(file, lines.join('\n'))
  const notices: string[] = []
  const draft = { typesOf: () => ({}), withoutTotals }
  const options = { notice: (sentence: string) => notices.push(sentence), quotesData, draft }
  const { columns } = await copyCsv(database, file, 'lido', {}, options)
  const [[rows] = []] = await database.load('SELECT count(*)::DOUBLE FROM lido')
  await database.load('DROP TABLE lido')
  return { types: columns.map(({ type }) => type), rows, notices }
}
const HEADING = 'Município;Receita;Cobertura;Leitos;Ano'
const ROWS = ['Curitiba;1.234,5;8,5;12;2025', 'Maringá;980,1;9;7;2026']

describe('the row of units below a heading', { timeout: 120_000 }, () => {
  test.each([
    ['R$ mil, % e un.', ';R$ mil;%;un.;'],
    ['(R$), % e nº', 'Unidade;(R$);%;nº;-'],
    ['em milhões de R$ e hab./km²', ';em milhões de R$;;hab./km²;'],
  ])('the row of units below a heading is left out, with a notice (%s)', async (units, row) => {
    expect(await read([HEADING, row, ...ROWS])).toEqual({
      types: ['text', 'number', 'number', 'integer', 'integer'],
      rows: 2,
      notices: [`a linha 2 tem as unidades das colunas (${units}) e fica de fora`],
    })
  })

  test('the row of units below a heading is found below titles and next to rows of totals, and named without its texts', async () => {
    const lines = ['Relatório', HEADING, ';R$ mil;%;un.;', ...ROWS, 'Total;2.214,6;8,7;19;']
    const { rows, types, notices } = await read(lines, { quotesData: false, withoutTotals: true })
    expect({ rows, types }).toEqual({ rows: 2, types: ['text', 'number', 'number', 'integer', 'integer'] })
    expect(notices).toContain('a linha 3 tem as unidades das colunas e fica de fora')
    expect(await read(lines)).toMatchObject({
      rows: 3,
      types: ['text', 'number', 'number', 'integer', 'integer'],
    })
  })

  test.each([
    ['a row with a name', ['Nome;Valor', 'Ana;R$', 'Bia;10']],
    ['units of texts below', ['Unidade;Valor', 'kg;', 'l;5', 'm;3']],
    ['other words', ['Nome;Valor', ';isento', 'Bia;10']],
    ['the only row', ['Nome;Valor', ';R$ mil']],
  ])('the row of units below a heading is not %s', async (_name, lines) => {
    const { rows, notices } = await read(lines)
    expect(rows).toBe(lines.length - 1)
    expect(notices.filter((one) => one.includes('unidades'))).toEqual([])
  })
})
