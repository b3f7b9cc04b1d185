import { describe, expect, test } from 'vitest'
import type { ChartType } from '../../../definitions/visual-types.ts'
import type { VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { lightTheme } from '../style/theme.ts'
import { chartOption } from './chart-option.ts'
import type { ChartVisual, Part } from './chart-series.ts'
import { drawableChart } from './drawable-chart.ts'

const visual = (type: ChartType, more: Partial<ChartVisual> = {}): ChartVisual => ({
  name: 'v',
  type,
  title: 'Resultado',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: { valor: 'moeda' },
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
  ...more,
})
const table = (columns: string[], ...rows: VisualData['rows']): VisualData =>
  answerOf({ columns, rows, truncated: false })
const parts = (...values: (number | null)[]) =>
  table(['nome', 'valor'], ...values.map((value, index) => [`n${index}`, value]))
const room = { width: 600, height: 300, text: 1, animated: false, theme: lightTheme, valueFormats: {} }
const drawn = (of: ChartVisual, data: VisualData) => {
  const chart = drawableChart(of, data)
  const option = chartOption(chart.visual, chart.data, room)
  return { ...chart, option, series: option.series as Part[] }
}

describe('a donut', () => {
  test.each<[string, (number | null)[], string]>([
    ['a negative part', [3, -1, 2], 'Uma rosca não mostra valores negativos: os dados estão em barras.'],
    ['only zeros', [0, 0], 'Todos os valores são zero, e a rosca ficaria vazia: os dados estão em barras.'],
  ])('a donut with %s is drawn as bars, and says why', (_, values, note) => {
    const { visual: shown, series, notes } = drawn(visual('donut'), parts(...values))
    expect([shown.type, series[0]?.type, notes]).toEqual(['bar', 'bar', [note]])
    expect(series[0]?.data).toMatchObject(parts(...values).rows.map((value) => ({ value })))
  })

  test('a donut with a part that is not a number is drawn as bars, and counts it', () => {
    const { visual: shown, notes } = drawn(visual('donut'), parts(3, Number.NaN))
    expect([shown.type, notes]).toEqual([
      'bar',
      [
        'Uma rosca não mostra o que não é um número: os dados estão em barras.',
        'Um valor não é um número e não foi desenhado.',
      ],
    ])
  })

  test("a donut keeps the columns of the author's series as bars", () => {
    const series = [{ type: 'pie', encode: { itemName: 'nome', value: 'b' }, radius: ['40%', '60%'] }]
    const data = table(['nome', 'a', 'b'], ['x', 1, -5])
    const shown = drawn(visual('donut', { option: { series } }), data)
    expect(shown.series[0]).toMatchObject({ type: 'bar', encode: { x: 'b', y: 'nome' } })
    expect(shown.series[0]).not.toHaveProperty('radius')
  })

  test('a donut with positive parts stays a ring', () => {
    const { visual: shown, series, notes } = drawn(visual('donut'), parts(3, 0, null))
    expect([shown.type, series[0]?.type, notes]).toEqual(['donut', 'pie', []])
  })
})

test('a chart without any number says so', () => {
  expect(drawableChart(visual('donut'), parts(null, null)).notes).toEqual(['Não há números para mostrar.'])
  expect(drawableChart(visual('line'), parts(null)).notes).toEqual(['Não há números para mostrar.'])
})

test('areas of both signs are not stacked, and the chart says so', () => {
  const data = table(['mes', 'a', 'b'], ['x', 1, -2], ['y', 2, 3])
  const { series, notes } = drawn(visual('area'), data)
  expect(series.map(({ stack }) => stack)).toEqual([null, null])
  expect(notes).toEqual(['Há valores negativos: as áreas não estão empilhadas.'])
  expect(drawn(visual('area'), table(['mes', 'a', 'b'], ['x', 1, 2])).notes).toEqual([])
})

test('negative shares are said', () => {
  const data = table(['x', 'a', 'b'], ['x', 1.2, -0.2])
  expect(drawn(visual('stackedColumn', { format: { a: 'percentual' } }), data).notes).toHaveLength(1)
  expect(drawn(visual('stackedColumn'), data).notes).toEqual([])
})

test.each<[ChartType, string]>([
  ['column', 'yAxis'],
  ['bar', 'xAxis'],
  ['scatter', 'yAxis'],
])('a logarithmic scale of %s is linear where a value is not positive', (type, axis) => {
  const option = { [axis]: { type: 'log', logBase: 10 } }
  const axisOf = (data: VisualData) => drawn(visual(type, { option }), data)
  const bad = axisOf(table(['nome', 'x', 'valor'], ['a', 1, 0], ['b', 2, 10]))
  expect(bad.option[axis]).toMatchObject({ type: 'value' })
  expect(bad.notes).toEqual([
    'Uma escala logarítmica não mostra zero nem valores negativos: a escala é linear.',
  ])
  const good = axisOf(table(['nome', 'x', 'valor'], ['a', 1, 1], ['b', 2, 10]))
  expect([(good.option[axis] as Part).type, good.notes]).toEqual(['log', []])
})

test('values that are not numbers are gaps, are counted, and give their stack no total', () => {
  const data = table(['nome', 'a', 'b'], ['x', Number.POSITIVE_INFINITY, 1], ['y', 2, 3])
  const { option, series, notes } = drawn(visual('stackedColumn'), data)
  expect(notes).toEqual(['Um valor não é um número e não foi desenhado.'])
  expect(JSON.stringify(option)).not.toContain('Infinity')
  const total = series.find(({ name }) => name === 'Total')?.label as { formatter(point: Part): string }
  expect([0, 1].map((dataIndex) => total.formatter({ dataIndex }))).toEqual(['não é um número', '5'])
  const line = drawn(visual('line'), data).option.dataset as { source: unknown[][] }
  expect(line.source[0]).toEqual(['x', Number.NaN, 1])
})

test('a point between values that are not numbers is visible', () => {
  const data = table(['nome', 'a'], ['x', 1], ['y', 2], ['z', Number.NaN], ['w', 3])
  expect(drawn(visual('line'), data).series[0]).toMatchObject({ showSymbol: true })
})

test('rows that the answer left out, and series beyond fifty, are said', () => {
  expect(drawn(visual('bar'), { ...parts(1, 2), truncated: true }).notes).toEqual([
    'Só os primeiros 2 pontos aparecem: há mais. Use os filtros para ver os outros.',
  ])
  const names = Array.from({ length: 1499 }, (_, index) => `c${index}`)
  const wide = drawn(
    visual('column'),
    table(['nome', ...names], ['a', ...names.map((_, index) => index + 1)]),
  )
  expect(wide.series).toHaveLength(50)
  expect(wide.notes).toEqual(['Só as primeiras 50 de 1.499 séries aparecem.'])
})

test('points without a place, and cells under others, are said', () => {
  const points = table(['nome', 'x', 'y', 't'], ['a', 1, 1, -3], ['b', null, 2, 1], ['c', 3, null, 1])
  expect(drawn(visual('scatter'), points).notes).toEqual([
    '2 pontos sem valor não aparecem.',
    'Valores negativos de t têm o menor tamanho.',
  ])
  const cells = table(['x', 'y', 'v'], ['a', 'b', 1], ['a', 'b', 2], ['a', 'c', 3])
  expect(drawn(visual('heatmap'), cells).notes).toEqual([
    'Uma linha dos dados está sob outra da mesma célula.',
  ])
})

test('cells of NaN, infinity and blank are not under each other', () => {
  const keys = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null]
  const cells = table(['x', 'y', 'v'], ...keys.map((key) => [key, 'a', 1]), [Number.NaN, 'a', 2])
  expect(drawn(visual('heatmap'), cells).notes).toEqual([
    'Uma linha dos dados está sob outra da mesma célula.',
  ])
})
