import { expect, it } from 'vitest'
import type { Cell, VisualData } from '../../../contract/embed-contract.ts'
import type { ChartType } from '../../../engine/definitions/visual-types.ts'
import { answerOf } from '../../test/answer-of.ts'
import { lightTheme } from '../style/theme.ts'
import { withEveryMonth } from './chart-months.ts'
import { chartOption } from './chart-option.ts'
import type { ChartVisual, Part } from './chart-series.ts'

const visual = (type: ChartType, more: Partial<ChartVisual> = {}): ChartVisual => ({
  name: 'v',
  type,
  title: 'Custo',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: { mes: 'mes' },
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
  ...more,
})
const dataOf = (...rows: Cell[][]): VisualData =>
  answerOf({
    columns: ['mes', 'eletiva', 'urgencia'],
    rows,
    truncated: false,
  })
const gapped = dataOf(['2025-10-01', 1, 2], ['2025-11-01', 2, 2], ['2026-02-01', 3, 2], ['2026-03-01', 4, 2])
const room = { width: 600, height: 300, text: 1, animated: false, theme: lightTheme, valueFormats: {} }
const drawn = (type: ChartType, data: VisualData) =>
  chartOption(visual(type), withEveryMonth(visual(type), data), room)
const seriesOf = (option: Part) => option.series as Part[]

it.each(['line', 'area', 'column', 'stackedColumn'] as const)(
  'months without a row have a place on the axis: %s',
  (type) => {
    const { source } = drawn(type, gapped).dataset as { source: Cell[][] }
    expect(source).toEqual([
      ['out/25', 1, 2],
      ['nov/25', 2, 2],
      ['dez/25', null, null],
      ['jan/26', null, null],
      ['fev/26', 3, 2],
      ['mar/26', 4, 2],
    ])
  },
)

it('a line does not cross missing months, and a single month is visible', () => {
  expect(
    seriesOf(drawn('line', gapped)).map(({ connectNulls, showSymbol }) => [connectNulls, showSymbol]),
  ).toEqual([
    [undefined, false],
    [undefined, false],
  ])
  const alone = dataOf(['2025-10', 1, 2], ['2025-12', 2, 2], ['2026-01', 3, 2], ['2026-02', 3, 2])
  expect(seriesOf(drawn('line', alone)).map(({ showSymbol }) => showSymbol)).toEqual([true, true])
})

it('a month without rows has no total', () => {
  const option = drawn('stackedColumn', gapped)
  const total = seriesOf(option).find(({ name }) => name === 'Total')
  const label = total?.label as { formatter: (point: Part) => string } | undefined
  expect([1, 2, 4].map((dataIndex) => label?.formatter({ dataIndex }))).toEqual(['4', '', '5'])
})

it.each([
  ['descending months', visual('line'), dataOf(['2025-03-01', 1, 1], ['2025-01-01', 1, 1])],
  [
    'a duplicate month',
    visual('line'),
    dataOf(['2025-01-01', 1, 1], ['2025-01-15', 1, 1], ['2025-03-01', 1, 1]),
  ],
  [
    'a text that is not a date',
    visual('line'),
    dataOf(['2025-01-01', 1, 1], ['total', 1, 1], ['2025-03-01', 1, 1]),
  ],
  ['null', visual('line'), dataOf(['2025-01-01', 1, 1], [null, 1, 1])],
  ['months centuries apart', visual('line'), dataOf(['0001-01-01', 1, 1], ['2025-01-01', 1, 1])],
  [
    'a column of days',
    visual('line', { format: { mes: 'data' } }),
    dataOf(['2025-01-01', 1, 1], ['2025-03-01', 1, 1]),
  ],
  ['a bar chart', visual('bar'), dataOf(['2025-01-01', 1, 1], ['2025-03-01', 1, 1])],
  ['complete months', visual('line'), dataOf(['2025-12-01', 1, 1], ['2026-01-01', 1, 1])],
])('withEveryMonth does not change %s', (_, of, data) => {
  expect(withEveryMonth(of, data)).toBe(data)
})
