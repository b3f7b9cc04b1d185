import { expect, test } from 'vitest'
import { cellReader } from '../../../exports/workbook/cell-reader.ts'
import type { TypedCell } from '../../../exports/workbook/format/typed-cell.ts'
import type { Cell, ColumnFormat, ColumnKind, EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { dataCsv } from './data-csv.ts'
import { createDataTable } from './data-table.ts'

/*
 * One column of each kind and format, on the screen and in both files. In files, numbers have all
 * their digits, a month is its first day, and a moment has its hour whatever the screen shows, so
 * that spreadsheets calculate with them and two values stay two.
 */

type Written = [screen: string[], csv: string[], xlsx: (string | undefined)[]]

const written = (kind: ColumnKind, format: ColumnFormat | undefined, cells: Cell[]): Written => {
  const visual = {
    name: 'v',
    type: 'table',
    title: 'Datas',
    labels: {},
    option: {},
    conditional: {},
    format: format ? { a: format } : {},
  } as unknown as EmbeddedVisual
  const data = { columns: ['a'], kinds: [kind], rows: cells.map((cell) => [cell]), truncated: false }
  const table = createDataTable(visual, {})
  table.draw(data)
  const shown = [...table.element.querySelectorAll('tbody td')]
  return [
    shown.map(({ textContent }) => textContent?.replace('\u00a0', ' ') ?? ''),
    dataCsv(visual, data, data.rows, {}).split('\r\n').slice(1, -1),
    cells.map(cellReader({ kind, format }, cells, {})).map(sheetText),
  ]
}

/** Returns what a cell of a spreadsheet holds, and its style. */
const sheetText = (cell: TypedCell): string | undefined => {
  if (!cell) return undefined
  if ('text' in cell) return cell.text
  return 'number' in cell ? `${cell.number} ${cell.style}` : String(cell.isTrue)
}

const MIDNIGHT = '2026-03-01T00:00:00'
const NOON = '2026-03-05T12:30:00'
const DAY = 46_082

test.each<[ColumnKind, ColumnFormat | undefined, Cell[], Written]>([
  [
    'timestamp',
    undefined,
    [MIDNIGHT, null],
    [
      ['01/03/2026', '–'],
      ['01/03/2026', ''],
      [`${DAY} day`, undefined],
    ],
  ],
  [
    'timestamp',
    'data',
    [MIDNIGHT, NOON],
    [
      ['01/03/2026', '05/03/2026'],
      ['01/03/2026 00:00:00', '05/03/2026 12:30:00'],
      [`${DAY} day`, `${DAY + 4 + 12.5 / 24} day`],
    ],
  ],
  ['timestamp', 'data', [MIDNIGHT], [['01/03/2026'], ['01/03/2026'], [`${DAY} day`]]],
  ['timestamp', 'mes', [MIDNIGHT], [['mar/26'], ['01/03/2026'], [`${DAY} month`]]],
  ['timestamp', 'mes', [NOON], [['mar/26'], ['05/03/2026 12:30:00'], [`${DAY + 4 + 12.5 / 24} month`]]],
  [
    'timestamp',
    undefined,
    [MIDNIGHT, NOON],
    [
      ['01/03/2026 00:00', '05/03/2026 12:30'],
      ['01/03/2026 00:00:00', '05/03/2026 12:30:00'],
      [`${DAY} instant`, `${DAY + 4 + 12.5 / 24} instant`],
    ],
  ],
  [
    'timestamp',
    undefined,
    ['2026-03-05T12:30:07.25'],
    [['05/03/2026 12:30:07'], ['05/03/2026 12:30:07'], [`${DAY + 4 + 45_007 / 86_400} instantWithSeconds`]],
  ],
  ['timestamp', 'texto', [NOON], [[NOON], [NOON], [NOON]]],
  ['date', undefined, ['2026-03-05'], [['05/03/2026'], ['05/03/2026'], [`${DAY + 4} day`]]],
  ['date', 'mes', ['2026-03-01'], [['mar/26'], ['01/03/2026'], [`${DAY} month`]]],
  ['date', 'texto', ['2026-03-05'], [['2026-03-05'], ['2026-03-05'], ['2026-03-05']]],
  [
    'text',
    undefined,
    ['2026-03-05', '2235-05'],
    [
      ['2026-03-05', '2235-05'],
      ['2026-03-05', '2235-05'],
      ['2026-03-05', '2235-05'],
    ],
  ],
  [
    'text',
    'mes',
    ['2026-03', '1926-03', 'outro'],
    [
      ['mar/26', 'mar/26', 'outro'],
      ['01/03/2026', '01/03/1926', 'outro'],
      [`${DAY} month`, `${DAY - 36_525} month`, 'outro'],
    ],
  ],
  ['text', 'data', ['2026-03'], [['mar/26'], ['01/03/2026'], [`${DAY} month`]]],
  [
    'text',
    'data',
    ['2026-03-05 10:00:00', 'sem data'],
    [
      ['05/03/2026', 'sem data'],
      ['05/03/2026 10:00:00', 'sem data'],
      [`${DAY + 4 + 10 / 24} day`, 'sem data'],
    ],
  ],
  // Spreadsheets cannot count these days.
  [
    'timestamp',
    undefined,
    ['0024-03-05T10:00:00', '0001-12-31 (BC)T20:53:32'],
    [
      ['05/03/0024 10:00:00', '31/12/0001 a.C. 20:53:32'],
      ['05/03/0024 10:00:00', '31/12/0001 a.C. 20:53:32'],
      ['0024-03-05T10:00:00', '0001-12-31 (BC)T20:53:32'],
    ],
  ],
  ['date', 'mes', ['0024-03-01'], [['mar/0024'], ['01/03/0024'], ['0024-03-01']]],
  ['time', undefined, ['14:30:00'], [['14:30:00'], ['14:30:00'], [`${14.5 / 24} clock`]]],
  ['other', undefined, ['1 month 3 days'], [['1 month 3 days'], ['1 month 3 days'], ['1 month 3 days']]],
  [
    'number',
    'percentual',
    [0.1256, -0.0001],
    [
      ['12,6%', '0,0%'],
      ['0,1256', '-0,0001'],
      ['0.1256 percent', '-0.0001 percent'],
    ],
  ],
  [
    'number',
    'moeda',
    [1234.567, -0.001],
    [
      ['R$ 1.234,57', 'R$ 0,00'],
      ['1234,567', '-0,001'],
      ['1234.567 money', '-0.001 money'],
    ],
  ],
  ['integer', 'texto', [2026], [['2026'], ['2026'], ['2026 general']]],
  [
    'boolean',
    undefined,
    [true, false],
    [
      ['Sim', 'Não'],
      ['sim', 'não'],
      ['true', 'false'],
    ],
  ],
])(
  'a column of the kind %s with the format %s reads the same everywhere: %j',
  (kind, format, cells, texts) => {
    expect(written(kind, format, cells)).toEqual(texts)
  },
)
