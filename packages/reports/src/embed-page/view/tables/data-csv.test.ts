import { describe, expect, test } from 'vitest'
import type { Cell, EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { answerOf, kindOfCells } from '../../test/answer-of.ts'
import { dataCsv, exportedRows, fileName } from './data-csv.ts'

const visual = (part: Partial<EmbeddedVisual> = {}) =>
  ({
    name: 'lista',
    type: 'table',
    title: 'Lista',
    format: {},
    labels: {},
    option: {},
    ...part,
  }) as EmbeddedVisual

/** Returns the second line, which is one cell. */
const cell = (value: Cell, part: Partial<EmbeddedVisual> = {}, kind = kindOfCells([value])) =>
  dataCsv(visual(part), { columns: ['a'], kinds: [kind] }, [[value]], {
    CNU: { label: 'Central Nacional' },
  }).split('\r\n')[1]

describe('dataCsv', () => {
  test('dataCsv has a byte order mark, semicolons, readable headings and CRLF', () => {
    const csv = dataCsv(
      visual({ labels: { custo: 'Custo (R$)' } }),
      { columns: ['operadora', 'custo'], kinds: ['text', 'number'] },
      [
        ['BRADESCO', 1234.5],
        ['CNU', null],
      ],
      {},
    )
    expect(csv).toBe('\uFEFFOperadora;Custo (R$)\r\nBRADESCO;1234,5\r\nCNU;\r\n')
  })

  test.each<[Cell, string]>([
    [0.1234567890123, '0,1234567890123'],
    [-12.5, '-12,5'],
    [-0, '0'],
    [Number.NaN, 'não é um número'],
    [Number.NEGATIVE_INFINITY, '−infinito'],
    [1_000_000_000_000_000_000, '1000000000000000000'],
    [1e-7, '0,0000001'],
    [true, 'sim'],
    [null, ''],
    ['2024-05-31', '31/05/2024'],
    ['2024-05-31T12:00:00', '31/05/2024 12:00:00'],
    ['CNU', 'Central Nacional'],
    ['a;b', '"a;b"'],
    ['diz "oi"', '"diz ""oi"""'],
    ['linha\nnova', '"linha\nnova"'],
  ])('dataCsv writes %s as %s', (value, text) => {
    expect(cell(value)).toBe(text)
  })

  test('dataCsv writes the digits that no double holds, and codes as they are', () => {
    expect(cell('-1234567890123456789', {}, 'integer')).toBe('-1234567890123456789')
    expect(cell('12345678901234567890.12', {}, 'number')).toBe('12345678901234567890,12')
    expect(cell('2235-05', {}, 'text')).toBe('2235-05')
    expect(cell('2235-05-01', {}, 'text')).toBe('2235-05-01')
  })

  test.each(['=1+1', '+55 11', '-cmd', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])(
    'dataCsv never writes %j as a formula',
    (text) => {
      expect(cell(text)?.replace(/^"/, '')).toMatch(/^'/)
    },
  )

  test('dataCsv neutralises formulas in headings and labels too', () => {
    const shown = { columns: ['a'], kinds: ['text' as const] }
    const csv = dataCsv(visual({ labels: { a: '=x' } }), shown, [['v']], {
      v: { label: '=HYPERLINK("x")' },
    })
    expect(csv).toBe('\uFEFF\'=x\r\n"\'=HYPERLINK(""x"")"\r\n')
  })
})

test('exportedRows leaves out the totals of a matrix', () => {
  const matrix = { rows: ['uf'], columns: ['ano'], values: ['custo'], subtotals: true }
  const data = answerOf({
    columns: ['uf', 'ano', 'custo'],
    rows: [
      ['PR', 2024, 1],
      ['PR', null, 1],
      [null, 2024, 1],
      [null, null, 1],
    ] as Cell[][],
    levels: [
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ] as [number, number][],
    truncated: false,
  })
  expect(exportedRows(visual({ type: 'matrix', matrix }), data)).toEqual([['PR', 2024, 1]])
  expect(exportedRows(visual(), data)).toHaveLength(4)
})

test.each([
  ['Operadoras e planos', 'Operadoras e planos.csv'],
  ['Custo: 2024/2025?', 'Custo 2024 2025.csv'],
  ['..\\..\\etc', 'etc.csv'],
  ['???', 'lista.csv'],
])('fileName is made from the title of the visual: %s', (title, file) => {
  expect(fileName(visual({ title }), 'csv')).toBe(file)
})
