import readExcelFile from 'read-excel-file/universal'
import { expect, test, vi } from 'vitest'
import type { PageRows } from '../frame/read-page.ts'
import { type AboutFile, pageFile } from './page-file.ts'

const created = Date.parse('2026-11-28T12:00:00Z')
const about: AboutFile = {
  nomeRelatorio: 'Custos',
  person: 'Ana Souza',
  dataTime: '2026-11-28T06:00:00.000Z',
  created,
}
const page = (visuals: PageRows['visuals'], more: Partial<PageRows> = {}): PageRows => ({
  title: 'Principal',
  filters: [],
  visuals,
  ...more,
})

const read = async (rows: PageRows, change: Partial<AboutFile> = {}) => {
  const { file, refused } = pageFile(rows, { ...about, ...change })
  const sheets = await readExcelFile(await file.arrayBuffer())
  return { refused, sheets: Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data])) }
}

test('the file has a sheet for each visual, with typed columns, and says what the file has', async () => {
  const { sheets, refused } = await read(
    page(
      [
        {
          title: 'Custo por mês',
          csv: '\ufeffMês,Custo\r\n2026-05-01T00:00:00,1234.5\r\n2026-06-01T00:00:00,7\r\n',
        },
        { title: 'Por estado', csv: 'UF,Nome\r\nSP,"São Paulo, ""capital"""\r\n' },
      ],
      {
        filters: [
          {
            filters: [
              {
                $schema: 'x',
                filterType: 1,
                target: { table: 'T', column: 'uf' },
                operator: 'In',
                values: ['SP'],
              } as never,
            ],
          },
        ],
      },
    ),
  )
  expect(Object.keys(sheets)).toEqual(['Sobre', 'Custo por mês', 'Por estado'])
  expect(sheets['Custo por mês']).toEqual([
    ['Mês', 'Custo'],
    [new Date('2026-05-01'), 1234.5],
    [new Date('2026-06-01'), 7],
  ])
  expect(sheets['Por estado']).toEqual([
    ['UF', 'Nome'],
    ['SP', 'São Paulo, "capital"'],
  ])
  const facts = Object.fromEntries((sheets.Sobre ?? []).map(([label, fact]) => [label, fact]))
  expect(facts).toMatchObject({
    Página: 'Principal',
    'Dados de': new Date('2026-11-28T03:00:00Z'),
    'Exportado em': new Date('2026-11-28T09:00:00Z'),
    'Exportado por': 'Ana Souza',
    Filtros: 'uf é SP',
  })
  expect(refused).toEqual([])
})

test('the workbook names sheets apart, without the characters that spreadsheets refuse', async () => {
  const csv = 'a\r\n1\r\n'
  const titles = ['Custo', 'CUSTO', 'Sobre', '[a]/b?', '']
  const { sheets } = await read(page(titles.map((title) => ({ title, csv }))))
  expect(Object.keys(sheets)).toEqual(['Sobre', 'Custo', 'CUSTO (2)', 'Sobre (2)', 'a b', 'Planilha'])
})

test('the file never writes a formula, and keeps hostile and ambiguous texts as they are', async () => {
  const texts = [
    '=1+1',
    '+5',
    '@SUM(A1)',
    '007',
    '1.234',
    '12/05/2026',
    '12345678901234567890',
    '=HYPERLINK("x")',
  ]
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  // Each in a column of its own, since one text makes a column a text.
  const csv = `${texts.map((_, index) => `c${index}`).join()}\r\n${texts.map(quoted).join()}\r\n`
  const { sheets } = await read(page([{ title: '=cmd()', csv }]))
  expect(Object.values(sheets)[1]?.[1]).toEqual(texts)
})

test('the file names the visuals that Power BI does not export, and says why', async () => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  const { sheets, refused } = await read(
    page([
      { title: 'Tabela', csv: 'a,b\r\n1\r\n2,3,4\r\n' },
      { title: 'Mapa R', fault: 'o Power BI não exporta os dados deste visual (x).' },
      { title: 'Vazio', csv: 'a\r\n' },
      { title: 'Ilegível', csv: 'a\r\n"1' },
    ]),
  )
  expect(refused).toEqual(['Mapa R', 'Ilegível'])
  expect(sheets.Tabela).toEqual([
    ['a', 'b', 'Coluna 3'],
    [1, null, null],
    [2, 3, 4],
  ])
  expect(sheets.Sobre?.slice(-5)).toEqual([
    ['Planilha', 'Visual', 'Linhas', 'Observação'],
    ['Tabela', 'Tabela', 2, null],
    [null, 'Mapa R', 0, 'Sem planilha: o Power BI não exporta os dados deste visual (x).'],
    [null, 'Vazio', 0, 'Sem planilha: não há dados com estes filtros.'],
    [null, 'Ilegível', 0, 'Sem planilha: o Power BI respondeu com dados ilegíveis.'],
  ])
})

test.each([
  ['fault', 'Nenhum dado pôde ser exportado: recusado.', [{ title: 'a', fault: 'recusado.' }]],
  ['no rows', 'Não há dados para exportar com estes filtros.', [{ title: 'a', csv: 'x\r\n' }]],
  ['no visuals', 'Esta página não tem visuais com dados para exportar.', []],
])('pageFile writes no file with %s alone', (_, message, visuals) => {
  expect(() => pageFile(page(visuals), about)).toThrow(message)
})

test('pageFile says where the limits of rows and of cells were reached', async () => {
  const csv = `n\r\n${'7\r\n'.repeat(30_000)}`
  const wide = `${'n,'.repeat(39)}n\r\n${`${'7,'.repeat(39)}7\r\n`.repeat(13_000)}`
  const { file, refused } = pageFile(
    page([
      { title: 'Longa', csv },
      { title: 'Larga', csv: wide },
    ]),
    about,
  )
  expect(refused).toEqual(['Larga'])
  const sheets = await readExcelFile(await file.arrayBuffer())
  const [first] = sheets
  expect(first?.data.slice(-2)).toEqual([
    ['Longa', 'Longa', 30_000, expect.stringContaining('só as primeiras 30.000 linhas')],
    [null, 'Larga', 0, expect.stringContaining('o arquivo chegou a 500.000 células')],
  ])
})
