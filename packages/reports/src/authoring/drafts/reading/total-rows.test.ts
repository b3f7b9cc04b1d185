import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { warningsOf, writeFiles } from '../../../../test/fixture.ts'
import { copyCsv } from '../../../engine/data/csv/read-csv.ts'
import { remarkTotals } from '../../../engine/data/csv/total-rows.ts'
import { type Database, openDatabase } from '../../../engine/data/database/database.ts'
import { check, publish } from '../../publish/publish.ts'

let folder = ''
let database: Database
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'totals-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

/** Reads a file as a draft, or as the file of a folder, and returns the rows that remain and what is said. */
const read = async (
  lines: string[],
  {
    withoutTotals = false,
    withoutBalances = withoutTotals,
    isDraft = true,
  }: { withoutTotals?: boolean; withoutBalances?: boolean; isDraft?: boolean } = {},
) => {
  const file = join(folder, 'dados.csv')
  await writeFile(file, `${lines.join('\n')}\n`)
  const table = `t${++count}`
  const said: string[] = []
  const { totals } = await copyCsv(
    database,
    file,
    table,
    {},
    {
      notice: (sentence) => void said.push(sentence),
      quotesData: true,
      draft: isDraft ? { typesOf: () => ({}), withoutTotals, withoutBalances } : undefined,
    },
  )
  const [row] = await database.query(`SELECT count(*)::INTEGER FROM ${table}`)
  return { totals, rows: row?.[0], said }
}
const ROWS = ['Unidade;Mês;Valor;Vidas', 'Centro;jan;1.100,50;10', 'Norte;jan;50,25;7', 'Sul;fev;25,00;3']
const TOTAL = ['a linha 5 parece um total: as somas a contam de novo']

test.each([
  [
    "('Centro', 10.5), ('Norte', 7), ('Total', 17.5)",
    'a linha 3 parece um total: as somas a contam de novo; tire-a do arquivo',
  ],
  [
    "('Centro', 10.5), ('Norte', 7), (NULL, 17.5)",
    'a linha 3 parece um total: as somas a contam de novo; tire-a do arquivo',
  ],
  ["('Centro', 10.5), ('Norte', 7), ('Sul', 17.5)", undefined],
])('a total of a Parquet file is named: %s', async (rows, sentence) => {
  await database.load(`CREATE OR REPLACE TABLE lido AS SELECT * FROM (VALUES ${rows}) rows(u, v)`)
  const table = { names: ['u', 'v'], texts: ['u'], rows: 3 }
  expect(await remarkTotals(database, 'lido', table)).toBe(sentence)
})

describe('the last row of a file', () => {
  test.each([
    ['without a label', ';;1.175,75;20'],
    ['with spaces as its label', ' ; ;1.175,75;20'],
    ['with some of the sums', ';;1.175,75;'],
    ['with one sum and one average', ';;1.175,75;6,67'],
    ['with the word Soma', 'Soma;;1.175,75;20'],
    ['with the word Somatório', ';SOMATÓRIO:;1.175,75;20'],
    ['with the words Soma geral', 'Soma geral;;1.175,75;20'],
    ['with the words Valor total', 'Valor total;;1.175,75;20'],
    ['with the words Total Geral', 'Total Geral;;1.175,75;20'],
  ])('the last row is a total %s', async (_name, last) => {
    expect(await read([...ROWS, last])).toEqual({ totals: 1, rows: 4, said: TOTAL })
    expect(await read([...ROWS, last], { withoutTotals: true })).toEqual({
      totals: 1,
      rows: 3,
      said: ['a linha 5 parece um total e fica de fora'],
    })
    expect((await read([...ROWS, last], { isDraft: false })).said).toEqual(TOTAL)
  })

  test.each([
    ['other numbers than the sums', ';;1.180,00;21'],
    ['an amount of one row', ';;1.100,50;10'],
    ['zeros', ';;0,00;0'],
    ['a label and the sums', 'Leste;mar;1.175,75;20'],
    ['a word that a unit may have', 'Somar Saúde;mar;7,00;2'],
    ['the name of a company', 'Total Saúde;mar;7,00;2'],
  ])('the last row is no total with %s', async (_name, last) => {
    expect(await read([...ROWS, last])).toEqual({ totals: 0, rows: 4, said: [] })
  })

  test('the last row is a row of averages where its numbers are those', async () => {
    const averages = 'Média;;391,92;6,67'
    expect(await read([...ROWS, averages])).toEqual({
      totals: 1,
      rows: 4,
      said: ['a linha 5 parece uma média: as somas a contam de novo'],
    })
    expect(await read([...ROWS, 'Média;mar;7,00;2'])).toMatchObject({ totals: 0, said: [] })
  })

  test('the last row is one of averages below one of totals', async () => {
    const last = ['Total;;1.175,75;20', 'Média;;391,92;6,67']
    expect(await read([...ROWS, ...last])).toEqual({
      totals: 2,
      rows: 5,
      said: ['2 linhas parecem totais ou médias, a partir da linha 5: as somas as contam de novo'],
    })
    expect(await read([...ROWS, ...last], { withoutTotals: true })).toMatchObject({ totals: 2, rows: 3 })
  })

  test('the last row is a total with the decimal point, and with codes as the other columns', async () => {
    const lines = ['Código,Valor', '101,1100.50', '102,50.25', ',1150.75']
    expect(await read(lines)).toMatchObject({ totals: 1, rows: 3 })
    expect(await read(lines, { withoutTotals: true })).toMatchObject({ totals: 1, rows: 2 })
  })

  test('the last row is a total without a label below subtotals, which it does not count', async () => {
    const lines = [
      'Grupo;Valor',
      'A1;10',
      'A2;20',
      'Subtotal A;30',
      'B1;1',
      'B2;2',
      'B3;4',
      'B4;8',
      'Subtotal B;15',
      ';45',
    ]
    expect(await read(lines)).toMatchObject({ totals: 3, rows: 9 })
    expect(await read(lines, { withoutTotals: true })).toMatchObject({ totals: 3, rows: 6 })
  })

  test('a row above a row of the table is no total', async () => {
    const lines = ['Nota;V', 'a;1', 'b;2', ';3', 'c;4']
    expect(await read(lines)).toEqual({ totals: 0, rows: 4, said: [] })
  })

  test('the last row is no total of a table with a missing label in many rows', async () => {
    const lines = ['Cupom;Valor', ';10', ';20', 'X;5', ';35']
    expect(await read(lines)).toEqual({ totals: 0, rows: 4, said: [] })
  })
})

test('many subtotals are totals when the last row is one, and a category is not', async () => {
  const lines = ['Grupo;Valor', 'A;1', 'B;2', 'Subtotal 1;3', 'C;4', 'Subtotal 2;4', 'D;3', 'Total geral;10']
  expect(await read(lines)).toMatchObject({ totals: 3 })
  const categories = ['Perda;Valor', 'Total;1', 'Parcial;2', 'Total;3', 'Parcial;4', 'Parcial;2']
  expect(await read(categories)).toMatchObject({ totals: 0, said: [] })
})

describe('a row called Total with other words', () => {
  const rows = ['A;10;1', 'A;20;2', 'Total do setor A;30;3', 'B;5;1', 'B;6;2', 'Total do setor B;11;3']

  test('a row called Total with other words is a total where all of them have the sums of the others', async () => {
    expect(await read(['Setor;Valor;Qtd', ...rows])).toMatchObject({ totals: 2, rows: 6 })
    expect(await read(['Setor;Valor;Qtd', ...rows], { withoutTotals: true })).toMatchObject({
      totals: 2,
      rows: 4,
      said: ['2 linhas parecem totais, a partir da linha 4, e ficam de fora'],
    })
    expect(await read(['Setor;Valor;Qtd', ...rows, ';41;6'], { withoutTotals: true })).toMatchObject({
      totals: 3,
      rows: 4,
    })
  })

  test.each([
    ['the sums of nothing', ['Operadora;Vidas', 'Alfa;100', 'Total Saúde;70', 'Beta;20', 'Gama;30']],
    [
      'all that the others have',
      ['Operadora;Cidade;Vidas', 'Alfa;SP;40', 'Total Saúde;RJ;70', 'Beta;SP;20', 'Gama;RJ;10'],
    ],
    [
      'an empty cell that others have too',
      ['Operadora;Cidade;Vidas', 'Alfa;;40', 'Total Saúde;;75', 'Beta;SP;20', 'Gama;RJ;10'],
    ],
  ])('a row called Total with other words is none with %s', async (_name, lines) => {
    expect(await read(lines)).toMatchObject({ totals: 0, said: [] })
  })
})

describe('a row that names the whole', () => {
  const parts = ['Norte;300;8', 'Nordeste;750;18', 'Sudeste;1000;14', 'Sul;350;6', 'Centro-Oeste;200;6']
  const heading = 'Região;Nascimentos;Óbitos'

  test.each([
    ['Brasil', 'first', [heading, 'Brasil;2600;52', ...parts], 2],
    ['Brasil', 'last', [heading, ...parts, 'Brasil;2600;52'], 7],
    ['Geral', 'last', [heading, ...parts, 'Geral;2600;52'], 7],
  ])('%s in the %s place is a total if it has the sums of the others', async (_name, _place, lines, line) => {
    expect(await read(lines)).toEqual({
      totals: 1,
      rows: 6,
      said: [`a linha ${line} parece um total: as somas a contam de novo`],
    })
    expect(await read(lines, { withoutTotals: true })).toMatchObject({ rows: 5 })
  })

  test('a row that names the whole is one of the others without their sums', async () => {
    expect(await read([heading, 'Brasil;500;9', ...parts])).toEqual({ totals: 0, rows: 6, said: [] })
    expect(await read([heading, ...parts, 'Geral;500;9'])).toEqual({ totals: 0, rows: 6, said: [] })
  })
})

// Kind: each start of the service repeats what only an author can use.
test('a total that only its sums show is named by a check and a publication, and not looked for at each start', async () => {
  const home = await mkdtemp(join(folder, 'pasta-'))
  const settings = { dataDir: join(home, 'dados'), memoryMegabytes: 256 }
  const filesOf = (last: string) => ({
    'datasets/valores/dataset.json': {
      id: 'd0000000-0000-4000-8000-0000000000aa',
      name: 'Valores',
      tables: { Valores: { file: 'valores.csv' } },
    },
    'datasets/valores/valores.csv': `Unidade;Valor\nCentro;10\nNorte;7\n${last};17\n`,
  })
  const totals = (sentences: string[]) => sentences.filter((one) => one.includes('a linha 4 parece um total'))
  await writeFiles(join(home, 'autor'), filesOf(''))
  for (const act of [check, publish])
    expect(totals((await act(settings, join(home, 'autor'))).remarks)).toHaveLength(1)
  expect(totals(await warningsOf(filesOf('')))).toEqual([])
  expect(totals(await warningsOf(filesOf('Total')))).toHaveLength(1)
})

describe('balances of a statement', () => {
  const lines = [
    'Data;Histórico;Valor',
    '01/03/2026;Saldo anterior;1000,00',
    '02/03/2026;Pix;-150,25',
    '03/03/2026;TED;2500,00',
    '04/03/2026;Tarifa;-10,50',
    ';Total;3339,25',
  ]

  test('balances stay where an earlier choice left out totals only, and are named', async () => {
    const { said, ...counts } = await read(lines, { withoutTotals: true, withoutBalances: false })
    expect(counts).toEqual({ totals: 2, rows: 4 })
    expect(said).toEqual([
      'a linha 6 parece um total e fica de fora',
      'a linha 2 parece um saldo: as somas a contam de novo',
    ])
  })

  test('balances of zero, or without an amount, are no rows that sums count again', async () => {
    const zero = lines.slice(0, -1).map((line) => line.replace('1000,00', '0,00'))
    expect(await read(zero)).toMatchObject({ totals: 0, rows: 4 })
    const marked = [
      'Data;Histórico;Débito/Crédito;Saldo',
      '01/03/2026;Saldo anterior;C;1000,00',
      '02/03/2026;Pix;D;849,75',
      '03/03/2026;TED;C;3349,75',
    ]
    expect(await read(marked)).toMatchObject({ totals: 0, rows: 3 })
  })
})
