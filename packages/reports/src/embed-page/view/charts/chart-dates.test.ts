import { expect, test } from 'vitest'
import type { ChartType } from '../../../definitions/visual-types.ts'
import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { lightTheme } from '../style/theme.ts'
import { withEveryDate } from './chart-dates.ts'
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
  chartOption(visual(type), withEveryDate(visual(type), data).data, room)
const seriesOf = (option: Part) => option.series as Part[]

test.each(['line', 'area', 'column', 'stackedColumn'] as const)(
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

test('a line does not cross missing months, and a single month is visible', () => {
  expect(
    seriesOf(drawn('line', gapped)).map(({ connectNulls, showSymbol }) => [connectNulls, showSymbol]),
  ).toEqual([
    [undefined, false],
    [undefined, false],
  ])
  const alone = dataOf(['2025-10', 1, 2], ['2025-12', 2, 2], ['2026-01', 3, 2], ['2026-02', 3, 2])
  expect(seriesOf(drawn('line', alone)).map(({ showSymbol }) => showSymbol)).toEqual([true, true])
})

test('a month without rows has no total', () => {
  const option = drawn('stackedColumn', gapped)
  const total = seriesOf(option).find(({ name }) => name === 'Total')
  const label = total?.label as { formatter: (point: Part) => string } | undefined
  expect([1, 2, 4].map((dataIndex) => label?.formatter({ dataIndex }))).toEqual(['4', '', '5'])
})

test.each([
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
    'instants of a day',
    visual('line', { format: {} }),
    dataOf(['2025-01-01T10:00:00', 1, 1], ['2025-01-03T10:00:00', 1, 1]),
  ],
  ['a bar chart', visual('bar'), dataOf(['2025-01-01', 1, 1], ['2025-03-01', 1, 1])],
  ['complete months', visual('line'), dataOf(['2025-12-01', 1, 1], ['2026-01-01', 1, 1])],
])('withEveryDate does not change %s', (_, of, data) => {
  expect(withEveryDate(of, data).data).toBe(data)
})

const days = visual('line', { format: {} })
const datesOf = (data: VisualData, of = days) => withEveryDate(of, data).data.rows.map(([date]) => date)
const on = (...dates: (string | null)[]) => dataOf(...dates.map((date) => [date, 1, 2]))

test.each<[string, (string | null)[], (string | null)[]]>([
  ['days', ['2024-02-28', '2024-03-01'], ['2024-02-28', '2024-02-29', '2024-03-01']],
  [
    'days as instants, with a blank last',
    ['2024-01-01T00:00:00', '2024-01-03T00:00:00', null],
    ['2024-01-01T00:00:00', '2024-01-02', '2024-01-03T00:00:00', null],
  ],
  [
    'weeks',
    ['2024-01-01', '2024-01-08', '2024-01-22', '2024-01-29'],
    ['2024-01-01', '2024-01-08', '2024-01-15', '2024-01-22', '2024-01-29'],
  ],
  [
    'first days of months',
    ['2024-01-01', '2024-02-01', '2024-04-01'],
    ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'],
  ],
  [
    'years',
    ['2020-01-01', '2021-01-01', '2023-01-01', '2024-01-01'],
    ['2020-01-01', '2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01'],
  ],
])('%s without a row have a place on the axis', (_, given, expected) => {
  expect(datesOf(on(...given))).toEqual(expected)
})

test('texts are months only where the author says so', () => {
  const months = on('2024-11', '2025-01')
  expect(datesOf(months, visual('line'))).toEqual(['2024-11', '2024-12', '2025-01'])
  const codes = on('2235-05', '2236-08')
  expect(withEveryDate(days, codes).data).toBe(codes)
})

test('a missing day is empty, not zero, also where the column has the format of dates', () => {
  const dated = visual('line', { format: { mes: 'data' } })
  expect(withEveryDate(dated, on('2024-01-01', '2024-01-03')).data.rows[1]).toEqual([
    '2024-01-02',
    null,
    null,
  ])
})

test('the chart says that distances are not those in time when too many dates are missing', () => {
  const data = on('2000-01-01', '2000-01-02', '2025-01-01')
  expect(withEveryDate(days, data)).toEqual({ data, isUneven: true })
  expect(withEveryDate(visual('line'), on('0001-01-01', '2025-01-01')).isUneven).toBe(true)
  expect(withEveryDate(days, on('2024-01-01', '2024-01-03')).isUneven).toBe(false)
})
