import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'
import { readSheet } from './read-sheet.ts'
import type { SheetOrder } from './sheet-answer.ts'
import { BROKEN, TOO_LARGE } from './unreadable-sheet.ts'

const read = async (
  bytes: Uint8Array,
  options: { timeMs?: number; heapMegabytes?: number; order?: SheetOrder } = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), 'planilha-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, csv] = [join(folder, 'enviado.xlsx'), join(folder, 'lido.csv')]
  await writeFile(file, bytes)
  const answer = await readSheet({ file, csv, order: {}, ...options })
  return { folder, csv, answer }
}
const faultOf = async (bytes: Uint8Array, options = {}) => {
  const { answer } = await read(bytes, options)
  return 'fault' in answer ? answer.fault : undefined
}

const rows: TestCell[][] = [['Unidade'], ['Centro']]
const withSheet = (data: string) =>
  workbookOf({ sheets: [{ rows }], parts: { 'xl/worksheets/sheet1.xml': `<worksheet>${data}</worksheet>` } })
const withData = (data: string) => withSheet(`<sheetData>${data}</sheetData>`)

test('readSheet writes the sheet as CSV, and nothing else', async () => {
  const { folder, csv, answer } = await read(
    workbookOf({
      sheets: [
        {
          rows: [
            ['Unidade', 'Valor'],
            ['a;"b"', 1.5],
          ],
        },
      ],
    }),
  )
  expect(await readFile(csv, 'utf8')).toBe('Unidade;Valor\n"a;""b""";1.5\n')
  expect('sheet' in answer && answer.sheet.columns).toEqual([
    { name: 'Unidade', hasValues: false, hasOwnCommas: false, hasOwnDates: false, hasUndecided: false },
    {
      name: 'Valor',
      hasValues: true,
      hasOwnCommas: false,
      hasOwnDates: false,
      hasUndecided: false,
      known: { type: 'number' },
    },
  ])
  expect(await readdir(folder)).toEqual(['enviado.xlsx', 'lido.csv'])
})

test('readSheet names a column of a day by what the sheet shows', async () => {
  const days = [46_023, 46_054].map((value) => ({ value, style: 1 }))
  const sheets = [
    {
      rows: [
        ['Unidade', ...days, { value: 46_082, style: 2 }],
        ['Centro', 1, 2, 3],
      ],
    },
  ]
  const { csv, answer } = await read(workbookOf({ sheets, formats: ['mmm/yy', 'mmmm" de "yyyy'] }))
  expect(await readFile(csv, 'utf8')).toBe('Unidade;jan/26;fev/26;março de 2026\nCentro;1;2;3\n')
  expect(answer.choice?.rows[0]?.text).toBe('Unidade · jan/26 · fev/26 · março de 2026')
})

describe('a heading with groups', () => {
  const values: TestCell[][] = [
    ['Centro', 1, 2, 3, 4],
    ['Sul', 5, 6, 7, 8],
  ]
  const names: TestCell[] = ['Unidade', 'Jan', 'Fev', 'Jan', 'Fev']
  test.each<[string, TestCell[][], string[], number]>([
    ['merged over their names', [[null, '2025', null, '2026'], names], ['B1:C1', 'D1:E1'], 1],
    ['numbers in merged cells', [[null, 2025, null, 2026], names], ['B1:C1', 'D1:E1'], 1],
    ['not merged', [[null, '2025', null, '2026'], names], [], 1],
    [
      'over each name',
      [
        ['Unidade', 2025, 2025, 2026, 2026],
        [null, ...names.slice(1)],
      ],
      [],
      1,
    ],
    ['below the delimiter and a title', [['sep=;'], ['Produção'], [null, 2025, null, 2026], names], [], 3],
  ])(
    'a heading with groups has two rows when names repeat, with groups %s',
    async (_name, above, merged, first) => {
      const { csv, answer } = await read(workbookOf({ sheets: [{ rows: [...above, ...values], merged }] }))
      expect(answer.choice?.heading).toEqual({ first, count: 2 })
      expect(await readFile(csv, 'utf8')).toBe(
        'Unidade;2025 · Jan;2025 · Fev;2026 · Jan;2026 · Fev\nCentro;1;2;3;4\nSul;5;6;7;8\n',
      )
    },
  )

  test('a heading with groups is not made of a heading and texts that repeat', async () => {
    const sheet = [
      ['Unidade', null, 'Valor', null],
      ['Centro', 'x', '10', 'x'],
      ['Sul', 'y', '20', 'y'],
    ]
    const { answer } = await read(workbookOf({ sheets: [{ rows: sheet }] }))
    expect(answer.choice?.heading).toEqual({ first: 1, count: 1 })
  })
})

test('readSheet reads a sheet without a heading from the chosen row on', async () => {
  const bytes = workbookOf({ sheets: [{ rows: [['Vendas'], ['Centro', 10.5], ['Sul', 20.5]] }] })
  const { csv, answer } = await read(bytes, { order: { heading: { first: 2, count: 0 } } })
  expect(await readFile(csv, 'utf8')).toBe('Coluna 1;Coluna 2\nCentro;10.5\nSul;20.5\n')
  expect('sheet' in answer && answer.sheet).toMatchObject({
    lines: [[1, 2]],
    notices: [
      'o arquivo foi lido sem cabeçalho: as colunas são Coluna 1, Coluna 2 e assim por diante; as linhas acima da linha 2 não foram lidas',
    ],
  })
})

test('readSheet reads days beside days at midnight as days, and beside other moments as moments', async () => {
  const [day, moment] = [1, 2]
  const sheet = (style: number, value: number): TestCell[][] => [
    ['Dia'],
    [{ value: 46_023, style: day }],
    [{ value, style }],
  ]
  const formats = ['dd/mm/yyyy', 'dd/mm/yyyy hh:mm']
  const typeOf = async (rows: TestCell[][]) => {
    const { answer } = await read(workbookOf({ sheets: [{ rows }], formats }))
    return 'sheet' in answer && answer.sheet.columns[0]?.known?.type
  }
  expect(await typeOf(sheet(moment, 46_024))).toBe('date')
  expect(await typeOf(sheet(moment, 46_024.5))).toBe('timestamp')
  expect(await typeOf([['Dia'], [{ value: 46_023, style: moment }]])).toBe('timestamp')
})

test('readSheet names no heading to others than its author: it may be a row of values', async () => {
  const bytes = workbookOf({
    sheets: [
      {
        rows: [
          ['Ana', 'Ana'],
          ['Bia', 'Caio'],
        ],
      },
    ],
  })
  const options = { order: { quotesData: false, expected: [['ana']] } }
  expect(await faultOf(bytes, options)).toBe(
    'linha 1: as colunas A e B têm o mesmo nome (maiúsculas não distinguem): mude um deles na planilha, ou escolha outra linha do cabeçalho',
  )
})

// Kind: a file whose author wants more of the service than a table. Only its process ends.
describe('a hostile file gets a sentence', () => {
  const text = (count: number) => 'x'.repeat(count)
  test.each<[string, () => Uint8Array, string | RegExp]>([
    ['no zip', () => Buffer.from('PK\u0003\u0004…'), BROKEN],
    ['a zip cut short', () => workbookOf({ sheets: [{ rows }] }).subarray(0, 700), BROKEN],
    ['a zip without a workbook', () => zipSync({ 'x.txt': strToU8('x') }), /^é um zip sem planilha/],
    [
      'a document of a text program',
      () => zipSync({ '[Content_Types].xml': strToU8('<x/>'), 'word/document.xml': strToU8('<x/>') }),
      /^é um documento do Word/,
    ],
    [
      'entities that multiply',
      () =>
        workbookOf({
          sheets: [{ rows }],
          parts: {
            'xl/sharedStrings.xml': `<!DOCTYPE a [<!ENTITY b "${text(1_000)}"><!ENTITY c "&b;&b;&b;">]><sst><si><t>&c;</t></si></sst>`,
          },
        }),
      BROKEN,
    ],
    ['an unknown entity', () => withData('<row><c t="str"><v>&b;</v></c></row>'), BROKEN],
    ['an open element', () => withData('<row><c>'), BROKEN],
    ['text that is no XML', () => withSheet('<<<'), BROKEN],
    [
      'bytes that are no UTF-8',
      () =>
        workbookOf({
          sheets: [{ rows }],
          parts: { 'xl/worksheets/sheet1.xml': Uint8Array.of(60, 0xff, 0xfe, 62) },
        }),
      BROKEN,
    ],
    [
      'rows out of order',
      () => withData('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>'),
      BROKEN,
    ],
    [
      'one cell twice',
      () => withData('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'),
      BROKEN,
    ],
    ['an address beyond the sheet', () => withData('<row r="1"><c r="XFE1"><v>1</v></c></row>'), BROKEN],
    ['a row beyond the sheet', () => withData('<row r="1048577"><c><v>1</v></c></row>'), BROKEN],
    ['a number that is none', () => withData('<row><c><v>1e999</v></c></row>'), BROKEN],
    ['a missing shared text', () => withData('<row><c t="s"><v>7</v></c></row>'), BROKEN],
    [
      'no relationships',
      () => workbookOf({ sheets: [{ rows }], parts: { 'xl/_rels/workbook.xml.rels': null } }),
      BROKEN,
    ],
    [
      'a missing sheet',
      () => workbookOf({ sheets: [{ rows }], parts: { 'xl/worksheets/sheet1.xml': null } }),
      BROKEN,
    ],
    ['no sheets', () => workbookOf({ sheets: [] }), /^não tem nenhuma aba/],
    ['an empty sheet', () => workbookOf({ sheets: [{ rows: [] }] }), /^a linha 1 não tem nomes de colunas/],
    [
      '16,384 columns',
      () =>
        withData(
          `<row>${Array.from({ length: 16_384 }, (_, n) => `<c t="str"><v>c${n}</v></c>`).join('')}</row>`,
        ),
      'tem 16.384 colunas; o limite é 500. Deixe no arquivo só as que o relatório usa; se há uma por mês ou por ano, ponha o período em uma coluna e uma linha para cada um',
    ],
  ])('a hostile file gets a sentence: %s', async (_name, bytes, sentence) => {
    expect(await faultOf(bytes())).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    )
  })

  /** Changes the size after decompression that the zip's directory names for the sheet. */
  const withNamedSize = (bytes: Buffer, size: number): Buffer => {
    const name = bytes.lastIndexOf('xl/worksheets/sheet1.xml')
    // The directory's entry begins 46 bytes before the name.
    bytes.writeUInt32LE(size, name - 46 + 24)
    return bytes
  }

  test('a zip bomb gets a sentence, whether it names its size or another one', async () => {
    expect(await faultOf(withNamedSize(workbookOf({ sheets: [{ rows }] }), 2_000_000_000))).toBe(TOO_LARGE)
    const long = withData(`<row><c t="str"><v>${text(5_000_000)}</v></c></row>`)
    expect(await faultOf(withNamedSize(long, 100))).toBe(BROKEN)
  })

  test('a file that needs more than its memory holds gets a sentence', async () => {
    const texts = Array.from({ length: 400_000 }, (_, index) => `<si><t>um texto longo ${index}</t></si>`)
    const parts = { 'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>` }
    expect(await faultOf(workbookOf({ sheets: [{ rows }], parts }), { heapMegabytes: 24 })).toBe(TOO_LARGE)
  })

  test('a file that exceeds the time limit gets a sentence', async () => {
    expect(await faultOf(workbookOf({ sheets: [{ rows }] }), { timeMs: 1 })).toBe(TOO_LARGE)
  })
})

test('readSheet reads a million shared texts, and cells of a row in any order', async () => {
  const shared = Array.from({ length: 1_000_000 }, (_, index) => `<si><t>texto ${index}</t></si>`).join('')
  const sheet =
    '<row r="1"><c r="B1" t="s"><v>999999</v></c><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="B2"><v>2</v></c><c r="A2"><v>1</v></c></row>'
  const bytes = workbookOf({
    sheets: [{ rows }],
    parts: {
      'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    },
  })
  const { csv, answer } = await read(bytes)
  expect('fault' in answer ? answer.fault : undefined).toBeUndefined()
  expect(await readFile(csv, 'utf8')).toBe('texto 0;texto 999999\n1;2\n')
}, 60_000)
