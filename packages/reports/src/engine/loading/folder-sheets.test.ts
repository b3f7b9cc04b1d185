import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import {
  faultsOf,
  GROUP,
  PLAIN,
  PLAIN_REPORT,
  serviceWith,
  visual,
  warningsOf,
} from '../../../test/fixture.ts'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'
import { openDatabase } from '../data/database/database.ts'
import { copyFile } from './copy-file.ts'

/* The dataset of a folder names a spreadsheet, which is read as one that the portal sends. */

const filesOf = (bytes: Uint8Array | string, csv?: object, file = 'pesos.xlsx') => ({
  'datasets/pesos/dataset.json': {
    id: PLAIN,
    name: 'Pesos',
    tables: { Pesos: { file, ...(csv && { csv }) } },
  },
  [`datasets/pesos/${file}`]: bytes,
  'workspaces/one/workspace.json': { id: GROUP, name: 'Um' },
  'workspaces/one/pesos.json': {
    id: PLAIN_REPORT,
    name: 'Pesos',
    dataset: PLAIN,
    pages: [
      {
        name: 'Main',
        displayName: 'Principal',
        visuals: [visual('linhas', 'SELECT * FROM Pesos ORDER BY 1')],
      },
    ],
  },
})
/** Starts a service on the folder, and returns the rows of its report. */
const rowsOf = async (bytes: Uint8Array, csv?: object) => {
  const service = await serviceWith({ files: { ...without, ...filesOf(bytes, csv) } })
  const token = await service.entraToken()
  const path = `/groups/${GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
  const embed = (await service.rest(token, 'POST', path, {})).json().token
  const answer = await service.data(embed, [], 'Main', PLAIN_REPORT)
  expect(answer.statusCode, answer.body).toBe(200)
  const { columns, rows, kinds } = answer.json().visuals.linhas
  return { service, columns, rows, kinds }
}
/** Returns the call that checks a spreadsheet that replaces the rows. */
const checkOf = async (service: Awaited<ReturnType<typeof serviceWith>>) => {
  const { draft, token } = await beginDrafts(service)
  return async (bytes: Buffer, more: object = {}) =>
    (
      await service.app.inject({
        method: 'POST',
        url: `/v1.0/myorg/publications/${PLAIN_REPORT}/data/check`,
        payload: { draft: await draft(bytes, 'novo.xlsx'), table: 'Pesos', author: 'Bia', ...more },
        headers: { authorization: `Bearer ${token}`, 'x-requested-for': 'ana' },
      })
    ).json()
}
/** The definitions of the fixture that would have the same ids. */
const without = {
  'datasets/plain/dataset.json': {
    id: 'd0000000-0000-4000-8000-00000000000f',
    name: 'x',
    tables: { C: { file: 'c.csv' } },
  },
  'workspaces/two/plain.json': {
    id: 'e0000000-0000-4000-8000-00000000000f',
    name: 'x',
    dataset: 'd0000000-0000-4000-8000-00000000000f',
    pages: [{ name: 'Main', displayName: 'x', visuals: [visual('n', 'SELECT count(*) AS n FROM C')] }],
  },
}

const KEY = '35260312345678000190550010000012341000012345'
const [DAY, RATE] = [1, 2]
const formats = ['dd/mm/yyyy', '0.0%']
const table: TestCell[][] = [
  ['Unidade', 'Peso', 'Dia', 'Taxa', 'Chave'],
  ['Centro', 3.25, { value: 46_086, style: DAY }, { value: 0.08, style: RATE }, KEY],
  ['Norte', 3250, { value: 46_087, style: DAY }, { value: 0.125, style: RATE }, '00123'],
]
const doubtful: TestCell[][] = [
  ['Unidade', 'Peso'],
  ['A', '3.250'],
  ['B', '2.980'],
]
const workbook = (...rows: TestCell[][][]) =>
  workbookOf({ sheets: rows.map((one, index) => ({ name: `Aba ${index + 1}`, rows: one })), formats })

describe('a folder with an XLSX', { timeout: 240_000 }, () => {
  test('a folder with an XLSX has the types and values of the cells', async () => {
    const { rows, kinds } = await rowsOf(workbook(table))
    expect(kinds).toEqual(['text', 'number', 'date', 'number', 'text'])
    expect(rows).toEqual([
      ['Centro', 3.25, '2026-03-05', 0.08, KEY],
      ['Norte', 3250, '2026-03-06', 0.125, '00123'],
    ])
  })

  test('a folder with an XLSX reads the sheet, the heading and the types that its definition says', async () => {
    const titled: TestCell[][] = [['Relatório'], [null], [null, 'Total'], ...doubtful]
    const csv = { sheet: 'Aba 2', headingRow: 4, decimal: '.', types: { Unidade: 'text' } }
    const { rows, columns } = await rowsOf(workbook(table, titled), csv)
    expect(columns).toEqual(['Unidade', 'Peso'])
    expect(rows).toEqual([
      ['A', 3.25],
      ['B', 2.98],
    ])
  })

  test('a folder with an XLSX reads texts with the decimal mark that small numbers show', async () => {
    const notes = ['Nota', '1.5', '2.7', '1.1']
    const shown = notes.map((note, index): TestCell[] => [
      note,
      ['Peso', '3.250', '2.980', '1.125'][index] ?? '',
    ])
    expect((await rowsOf(workbook(shown))).rows).toEqual([
      [1.1, 1.125],
      [1.5, 3.25],
      [2.7, 2.98],
    ])
  })

  test('a folder with an XLSX reads texts with the order of dates that one of its columns shows', async () => {
    const dates: TestCell[][] = [
      ['a', 'b'],
      ['03/25/2026', '03/04/2026'],
      ['03/26/2026', '05/04/2026'],
    ]
    const { service, rows } = await rowsOf(workbook(dates))
    expect(rows).toEqual([
      ['2026-03-25', '2026-03-04'],
      ['2026-03-26', '2026-05-04'],
    ])
    // The order holds for the rows that replace them.
    const next: TestCell[][] = [
      ['a', 'b'],
      ['03/04/2026', '03/04/2026'],
    ]
    const check = await checkOf(service)
    expect(await check(workbook(dates))).toMatchObject({
      faults: [],
      preview: [['2026-03-25', '2026-03-04'], expect.anything()],
    })
    expect(await check(workbook(next))).toMatchObject({ faults: [], preview: [['2026-03-04', '2026-03-04']] })
    const other: TestCell[][] = [
      ['a', 'b'],
      ['25/03/2026', '03/04/2026'],
    ]
    expect((await check(workbook(other))).faults.join()).toContain('podem ser lidas das duas formas')
  })

  test('a folder with an XLSX says what is read and what is not, as the portal does', async () => {
    expect((await warningsOf({ ...without, ...filesOf(workbook(table, doubtful)) })).join('\n')).toContain(
      'datasets/pesos/dataset.json: tables.Pesos: pesos.xlsx: foi lida só a aba Aba 1, sem Aba 2',
    )
  })

  test.each<[string, object | undefined, Uint8Array | string, string]>([
    [
      'is in doubt about its decimal mark',
      undefined,
      workbook(doubtful),
      'pesos.xlsx: a coluna Peso pode ser lida de duas formas: "3.250" é 3.250 ou 3,25. Escolha a vírgula decimal ou o ponto decimal, em csv.decimal',
    ],
    [
      'has dates of both orders, and others that may be of either',
      undefined,
      workbook([
        ['a', 'b', 'c'],
        ['03/25/2026', '25/03/2026', '03/04/2026'],
      ]),
      'pesos.xlsx: a coluna a tem o mês antes do dia, e a coluna c tem datas que podem ser lidas das duas formas: "03/04/2026" é 3 de abril de 2026 ou 4 de março de 2026. Escreva as datas de todas as colunas na mesma ordem, ou como 2026-03-25',
    ],
    ['has no such sheet', { sheet: '2027' }, workbook(table), 'pesos.xlsx: não tem a aba 2027: tem Aba 1'],
    [
      'has no names in the row',
      { headingRow: 9 },
      workbook(table),
      'pesos.xlsx: a linha 9 não tem nomes de colunas: escolha outra',
    ],
    [
      'has a value of another type',
      { types: { Unidade: 'number' } },
      workbook(table),
      'pesos.xlsx: linha 2: coluna Unidade: "Centro" não é',
    ],
    ['has a delimiter', { delimiter: ';' }, workbook(table), 'pesos.xlsx: csv.delimiter: não para planilhas'],
    [
      'has two rows of heading from nowhere',
      { headingRows: 2 },
      workbook(table),
      'diga também csv.headingRow',
    ],
    ['is cut short', undefined, workbook(table).subarray(0, 700), 'está corrompida ou incompleta'],
    ['is a page', undefined, '<html><table>', 'é uma página HTML com nome de planilha'],
    ['is a text', undefined, 'a;b\n1;2\n', 'não é uma planilha XLSX'],
  ])('a folder with an XLSX is refused when it %s', async (_name, csv, bytes, sentence) => {
    expect((await faultsOf(filesOf(bytes, csv))).join('\n')).toContain(sentence)
  })

  test('a folder with an XLSX accepts a sheet in the definition of an XLSX only', async () => {
    const faults = await faultsOf(filesOf('a;b\n1;2\n', { sheet: 'x' }, 'pesos.csv'))
    expect(faults.join('\n')).toContain('csv.sheet: só para planilhas')
    const old = await faultsOf(filesOf('x', undefined, 'pesos.xls'))
    expect(old.join('\n')).toContain('salve outras planilhas como XLSX')
  })

  test('a folder with an XLSX asks about doubtful texts that replace its rows', async () => {
    const { service } = await rowsOf(workbook(table))
    const next: TestCell[][] = [
      table[0] as TestCell[],
      ['A', '3.250', { value: 46_086, style: DAY }, { value: 0.08, style: RATE }, KEY],
    ]
    const check = await checkOf(service)
    expect((await check(workbook(next))).faults.join()).toContain('pode ser lida de duas formas')
    expect((await check(workbook(next), { decimal: '.' })).faults).toEqual([])
  })
})

test('a sheet without a heading is read without its values in notices where they may not be quoted', {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sem-cabecalho-'))
  const database = await openDatabase({ memoryMegabytes: 256, timeoutMs: 60_000 })
  const file = join(folder, 'pacientes.xlsx')
  const rows = [
    ['Maria Silva', 'Maria Silva', 'HIV'],
    ['João Souza', 'Ana Souza', 'x'],
  ]
  await writeFile(file, workbookOf({ sheets: [{ rows }] }))
  const noticesOf = async (quotesData: boolean) => {
    const notices: string[] = []
    const options = { notice: (sentence: string) => notices.push(sentence), quotesData, withRows: true }
    await copyFile(database, file, `lida_${quotesData}`, undefined, options)
    return notices
  }
  const repeats = 'o cabeçalho repete nomes, que aqui levam um número: a coluna B'
  expect(await noticesOf(true)).toEqual([`${repeats} é Maria Silva 2`])
  expect(await noticesOf(false)).toEqual([repeats])
  await database.close()
  await rm(folder, { recursive: true })
})
