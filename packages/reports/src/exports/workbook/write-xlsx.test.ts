import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOf, readWorkbook } from '../../../test/read-workbook.ts'
import { kindOfCells } from '../../embed-page/test/answer-of.ts'
import type { Cell, ColumnFormat, ColumnKind } from '../../wire/embed-contract.ts'
import type { Workbook } from './workbook.ts'
import { writeInThread } from './write-in-thread.ts'
import { writeXlsx } from './write-xlsx.ts'

const CREATED = Date.UTC(2026, 10, 28, 11, 30)

const workbookOf = (
  columns: Record<string, [ColumnFormat | undefined, ...Cell[]]>,
  more: Partial<Workbook> = {},
  kinds: Record<string, ColumnKind> = {},
): Workbook => {
  const all = Object.entries(columns)
  const length = Math.max(...all.map(([, [, ...cells]]) => cells.length))
  return {
    title: 'Custos',
    created: CREATED,
    facts: [['Página', 'Principal']],
    contents: [['Planilha']],
    labels: {},
    sheets: [
      {
        name: 'Dados',
        columns: all.map(([heading, [format, ...cells]]) => ({
          heading,
          kind: kinds[heading] ?? kindOfCells(cells),
          format,
        })),
        rows: Array.from({ length }, (_, row) => all.map(([, [, ...cells]]) => cells[row] ?? null)),
        note: undefined,
      },
    ],
    ...more,
  }
}

const rowsOf = async (workbook: Workbook) => (await readWorkbook(writeXlsx(workbook))).Dados

/** Returns the number format of a cell of the second sheet, from the styles of the file. */
const formatOf = (bytes: Uint8Array, place: string) => {
  const parts = partsOf(bytes)
  const styles = parts['xl/styles.xml'] ?? ''
  const style = new RegExp(`<c r="${place}" s="(\\d+)"`).exec(parts['xl/worksheets/sheet2.xml'] ?? '')?.[1]
  const [, forms = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? []
  const id = [...forms.matchAll(/<xf numFmtId="(\d+)"/g)][Number(style)]?.[1]
  return id === '49' ? '@' : new RegExp(`<numFmt numFmtId="${id}" formatCode="([^"]*)"`).exec(styles)?.[1]
}

describe('a spreadsheet file', () => {
  test('a spreadsheet file has numbers, days, months, instants, booleans and texts as typed cells', async () => {
    const rows = await rowsOf(
      workbookOf({
        Custo: ['moeda', 1234.5, null],
        Índice: ['percentual', 0.125, -1],
        Dia: ['data', '2024-02-29', null],
        Mês: ['mes', '2024-02-01', '2024-03'],
        Hora: [undefined, '2024-03-15T12:30:15', null],
        Pago: [undefined, true, false],
        Nome: [undefined, 'Ana', ''],
        Código: ['texto', '2024-01-05', '007'],
      }),
    )
    expect(rows).toEqual([
      ['Custo', 'Índice', 'Dia', 'Mês', 'Hora', 'Pago', 'Nome', 'Código'],
      [
        1234.5,
        0.125,
        new Date('2024-02-29'),
        new Date('2024-02-01'),
        new Date('2024-03-15T12:30:15Z'),
        true,
        'Ana',
        '2024-01-05',
      ],
      [null, -1, null, new Date('2024-03-01'), null, false, null, '007'],
    ])
  })

  test('a spreadsheet file has all digits of numbers that a spreadsheet would round, and no text read as another type', async () => {
    const rows = await rowsOf(
      workbookOf(
        {
          Chave: ['inteiro', '1234567890123456789', 7, 1234567890123456],
          Valor: ['moeda', '12345678901234567890.12', '1234.567890123456789', 2.5],
          CBO: [undefined, '2235-05', '2235-05-01', null],
          Hora: [undefined, '14:30:00', '00:00:01', null],
        },
        {},
        { Chave: 'integer', Valor: 'number', CBO: 'text', Hora: 'time' },
      ),
    )
    expect(rows?.slice(1).map((row) => row.slice(0, 3))).toEqual([
      ['1234567890123456789', '12345678901234567890,12', '2235-05'],
      [7, 1234.567890123457, '2235-05-01'],
      ['1234567890123456', 2.5, null],
    ])
    const bytes = writeXlsx(workbookOf({ Hora: [undefined, '14:30:00'] }, {}, { Hora: 'time' }))
    expect(formatOf(bytes, 'A2')).toBe('hh:mm:ss')
    expect(partsOf(bytes)['xl/worksheets/sheet2.xml']).toContain(`<v>${14.5 / 24}</v>`)
  })

  test.each<[ColumnFormat | undefined, Cell, string]>([
    ['moeda', 1, '[$R$-416] #,##0.00;-[$R$-416] #,##0.00'],
    ['moedaCurta', 1, '[$R$-416] #,##0.00;-[$R$-416] #,##0.00'],
    ['moedaInteira', 1, '[$R$-416] #,##0;-[$R$-416] #,##0'],
    ['percentual', 0.5, '0.0%'],
    ['inteiro', 1.5, '#,##0'],
    ['decimal', 1.5, '#,##0.0#'],
    ['decimal1', 1.5, '#,##0.0'],
    ['decimal2', 1.5, '#,##0.00'],
    ['curto', 1.5, '#,##0.00'],
    [undefined, 3, '#,##0'],
    [undefined, 3.25, '#,##0.00'],
    ['texto', 2024, 'General'],
    ['data', '2024-01-05', 'dd/mm/yyyy'],
    [undefined, '2024-01-05', 'dd/mm/yyyy'],
    ['mes', '2024-01-05', 'mmm/yy'],
    [undefined, '2024-01-05T10:00:00', 'dd/mm/yyyy hh:mm'],
    [undefined, '2024-01-05T10:00:07', 'dd/mm/yyyy hh:mm:ss'],
    [undefined, '2024-01-05T00:00:00', 'dd/mm/yyyy'],
    [undefined, 'Ana', '@'],
    ['texto', '2024-01-05', '@'],
    // Without a sign, since they are shown as zero.
    ['moeda', -0.004, '[$R$-416] #,##0.00;[$R$-416] #,##0.00'],
    ['percentual', -0.0004, '0.0%;0.0%'],
    ['inteiro', -0.4, '#,##0;#,##0'],
    ['moeda', -0.005, '[$R$-416] #,##0.00;-[$R$-416] #,##0.00'],
    // Days that spreadsheets cannot count, or that do not exist.
    ['data', '1899-12-31', '@'],
    ['data', '2023-02-29', '@'],
  ])('a spreadsheet file shows %s %s in the format %s', (format, cell, shown) => {
    expect(formatOf(writeXlsx(workbookOf({ x: [format, cell] })), 'A2')).toBe(shown)
  })

  test('a spreadsheet file keeps all digits of a number that is shown as zero, and says what is not a number', async () => {
    const rows = await rowsOf(
      workbookOf({ Custo: ['moeda', -0.004, -0, Number.NaN, Number.POSITIVE_INFINITY, 12.5] }),
    )
    expect(rows?.flat()).toEqual(['Custo', -0.004, 0, 'não é um número', 'infinito', 12.5])
  })

  test('a spreadsheet file has a bold first row that stays visible, and widths that fit', () => {
    const long = 'Uma descrição que precisa de muito mais espaço do que qualquer coluna tem em uma planilha'
    const parts = partsOf(writeXlsx(workbookOf({ a: [undefined, 1], b: [undefined, long] })))
    const sheet = parts['xl/worksheets/sheet2.xml']
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toContain('<col min="1" max="1" width="11" customWidth="1"/>')
    expect(sheet).toContain('<col min="2" max="2" width="60" customWidth="1"/>')
    const [, forms = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(parts['xl/styles.xml'] ?? '') ?? []
    const heading = /<c r="A1" s="(\d+)"/.exec(sheet ?? '')?.[1]
    const font = [...forms.matchAll(/<xf [^>]*fontId="(\d+)"/g)][Number(heading)]?.[1]
    const fonts = [...(parts['xl/styles.xml'] ?? '').matchAll(/<font>.*?<\/font>/g)].map(([one]) => one)
    expect(fonts[Number(font)]).toContain('<b/>')
  })

  test('a spreadsheet file writes the note below an empty row, and the labels of values', async () => {
    const workbook = workbookOf({ Sexo: [undefined, 'F', 'constructor'] }, { labels: { F: 'Feminino' } })
    const [sheet] = workbook.sheets
    if (sheet) sheet.note = 'Só as primeiras 2 linhas'
    expect(await rowsOf(workbook)).toEqual([
      ['Sexo'],
      ['Feminino'],
      ['constructor'],
      [null],
      ['Só as primeiras 2 linhas'],
    ])
  })

  test('a spreadsheet file says first what the file is', async () => {
    const workbook = workbookOf(
      { x: [undefined, 1] },
      {
        facts: [
          ['Dados de', { instant: CREATED }],
          ['', '=1+1'],
        ],
        contents: [
          ['Planilha', 'Linhas'],
          ['Dados', 1],
        ],
      },
    )
    const sheets = await readWorkbook(writeXlsx(workbook))
    expect(Object.keys(sheets)).toEqual(['Sobre', 'Dados'])
    expect(sheets.Sobre).toEqual([
      ['Custos', null],
      ['Dados de', expect.any(Date)],
      [null, '=1+1'],
      [null, null],
      ['Planilha', 'Linhas'],
      ['Dados', 1],
    ])
    // The reader of the test rounds down.
    const [, instant] = sheets.Sobre?.[1] ?? []
    expect(Math.round(Number(instant) / 1000) * 1000).toBe(Date.UTC(2026, 10, 28, 8, 30))
  })

  test('a spreadsheet file is the same when a thread writes it, and an aborted signal ends that', async () => {
    const workbook = workbookOf({ x: [undefined, 1, 2, 3] })
    expect(await writeInThread(workbook, new AbortController().signal)).toEqual(writeXlsx(workbook))
    await expect(writeInThread(workbook, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    const ended = new AbortController()
    const writing = writeInThread(workbook, ended.signal)
    ended.abort()
    await expect(writing).rejects.toThrow()
  })
})

/** Texts that spreadsheet programs run, or that XML, the format or JavaScript treat specially. */
const hostile = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '＝',
        "'=",
        ' =',
        '"=',
        ';=',
        '\u0000=',
        '_x003D_',
      ),
      fc.constantFrom('1+1', "cmd|' /C calc'!A0", 'HYPERLINK("http://x.example";"a")', 'SUM(A1)', ''),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'toString',
    ']]>',
    '</t></is></c><f>1+1</f>',
    '&#61;1',
    '_x000D_',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const formats: (ColumnFormat | undefined)[] = [undefined, 'texto', 'moeda', 'percentual', 'data', 'mes']

describe('formula safety', () => {
  test('formula safety writes every text as a text cell that says the same, and never a formula', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostile, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...formats),
        async (texts, format) => {
          const workbook = workbookOf(
            { [texts[0] ?? '']: [format, ...texts] },
            { title: texts[0] ?? '', facts: texts.map((text) => [text, text]), contents: [texts] },
          )
          const bytes = writeXlsx(workbook)
          const parts = partsOf(bytes)
          for (const name of ['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml']) {
            const xml = parts[name] ?? ''
            const cells = xml.match(/<c[^a-z][^>]*>/g) ?? []
            expect(cells).not.toEqual([])
            // A text in place, or a number: the type 'str' is that of a formula.
            for (const cell of cells) expect(cell).toMatch(/^<c r="[A-Z]+\d+" s="\d+"( t="inlineStr")?>$/)
            // The file has these elements only: a text that closed its own would add others.
            const elements = new Set([...xml.matchAll(/<\/?([a-zA-Z:]+)/g)].map(([, element]) => element))
            for (const element of elements) expect(ELEMENTS).toContain(element)
          }
          const rows = (await readWorkbook(bytes)).Dados ?? []
          for (const [index, text] of texts.entries()) {
            const cell = rows[index + 1]?.[0] ?? ''
            if (cell instanceof Date) expect(text).toMatch(/^\d{4}-\d{2}/)
            else expect(String(cell)).toBe(asRead(text))
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})

const ELEMENTS = ['worksheet', 'sheetViews', 'sheetView', 'pane', 'cols', 'col', 'sheetData']
ELEMENTS.push('row', 'c', 'v', 'is', 't')

/** What the reader of the test returns for a text: it trims, and it joins the ends of lines. */
const asRead = (text: string) => text.toWellFormed().trim()
