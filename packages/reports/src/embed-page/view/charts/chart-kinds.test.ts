import { describe, expect, test } from 'vitest'
import type { ChartType } from '../../../definitions/visual-types.ts'
import type { VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { lightTheme } from '../style/theme.ts'
import { chartOption } from './chart-option.ts'
import type { ChartVisual, Part } from './chart-series.ts'

const visual = (type: ChartType, more: Partial<ChartVisual> = {}): ChartVisual => ({
  name: 'v',
  type,
  title: 'Custo',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: { custo: 'moedaCurta', parte: 'percentual', eletiva: 'moedaCurta', urgencia: 'moedaCurta' },
  labels: { urgencia: 'Urgência', eletiva: 'Eletiva' },
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
  ...more,
})
const table = (columns: string[], ...rows: VisualData['rows']): VisualData =>
  answerOf({
    columns,
    rows,
    truncated: false,
  })
const room = { width: 600, height: 300, text: 1, animated: false, theme: lightTheme, valueFormats: {} }
const plain = (text: unknown) => String(text).replace(/\s/g, ' ')
const seriesOf = (v: ChartVisual, data: VisualData, more = {}) =>
  chartOption(v, data, { ...room, ...more }).series as (Part & { data: Part[] })[]

const hospitals = table(
  ['hospital', 'urgencia', 'eletiva'],
  ['Serra', 1_500_000, 1_700_000],
  ['Ipê', 800_000, 0],
)

describe('stacked bars and columns', () => {
  test('stacked charts stack their series, with the total of each stack at its end and in the tooltip', () => {
    const [urgent, elective, total] = seriesOf(visual('stackedBar'), hospitals)
    expect([urgent, elective].map((one) => [one?.name, one?.stack])).toEqual([
      ['Urgência', 'total'],
      ['Eletiva', 'total'],
    ])
    const { label, tooltip, data } = total as unknown as {
      label: { formatter: (point: Part) => string }
      tooltip: { valueFormatter: (value: number, index: number) => string }
      data: Part[]
    }
    expect(data.map(({ value }) => value)).toEqual([
      [0, 'Serra'],
      [0, 'Ipê'],
    ])
    expect(plain(label.formatter({ dataIndex: 0 }))).toBe('R$ 3,2 mi')
    expect(plain(tooltip.valueFormatter(0, 1))).toBe('R$ 800.000,00')
    expect(chartOption(visual('stackedBar'), hospitals, room).legend).toMatchObject({
      data: ['Urgência', 'Eletiva'],
    })
  })

  test('round only the outer end of a stack, whichever series that is', () => {
    const [urgent, elective] = seriesOf(visual('stackedColumn'), hospitals)
    const ends = (one: typeof urgent) => one?.data.map(({ itemStyle }) => (itemStyle as Part).borderRadius)
    expect(ends(urgent)).toEqual([0, [4, 4, 0, 0]])
    expect(ends(elective)).toEqual([
      [4, 4, 0, 0],
      [4, 4, 0, 0],
    ])
  })

  test('stacked bars and columns show no totals for shares of 100 %, for negative parts, and for a single series', () => {
    const shares = table(['x', 'parte', 'resto'], ['a', 0.4, 0.6], ['b', 0.7, 0.3])
    expect(seriesOf(visual('stackedBar', { format: { parte: 'percentual' } }), shares)).toHaveLength(2)
    expect(seriesOf(visual('stackedBar'), table(['x', 'custo', 'ganho'], ['a', -1, 2]))).toHaveLength(2)
    expect(seriesOf(visual('stackedBar'), table(['x', 'custo'], ['a', 1]))).toHaveLength(1)
  })

  test('stacked bars and columns show numbers inside when most of them fit, otherwise none', () => {
    const shown = (data: VisualData) =>
      seriesOf(visual('stackedBar'), data)
        .slice(0, 2)
        .flatMap((one) => one.data.map(({ label }) => (label as Part).show))
    const [large, small] = [1_500_000, 10_000]
    expect(
      shown(
        table(hospitals.columns, ['Serra', large, large], ['Ipê', large, small], ['Manso', large, large]),
      ),
    ).toEqual([true, true, true, true, false, true])
    expect(
      shown(
        table(hospitals.columns, ['Serra', large, small], ['Ipê', small, small], ['Manso', small, small]),
      ),
    ).toEqual(Array(6).fill(false))
  })

  test('stacked charts omit the totals when the columns are too narrow', () => {
    const months = Array.from({ length: 34 }, (_, month) => [`m${month}`, 1_000_000, 500_000])
    expect(seriesOf(visual('stackedColumn'), table(hospitals.columns, ...months))).toHaveLength(2)
  })
})

test('the chart sets the opacity of an area whose colour is not written in six hex digits', () => {
  const series = [{ encode: { x: 'nome', y: 'custo' }, stack: null, itemStyle: { color: 'rgb(1, 2, 3)' } }]
  const [first] = seriesOf(visual('area', { option: { series } }), hospitals)
  expect(first?.areaStyle).toEqual({ color: 'rgb(1, 2, 3)', opacity: 0.25 })
})

test('the chart stacks areas unless the definition sets stack to null', () => {
  const [first] = seriesOf(visual('area'), hospitals)
  expect(first).toMatchObject({ type: 'line', stack: 'total', areaStyle: { opacity: 0.82 } })
  const series = ['urgencia', 'eletiva'].map((y) => ({ encode: { x: 'hospital', y }, stack: null }))
  const [over] = seriesOf(visual('area', { option: { series } }), hospitals)
  expect(over?.stack).toBeNull()
  expect(over?.areaStyle).toMatchObject({ color: { colorStops: [{}, {}] } })
})

describe('a scatter chart', () => {
  const data = table(
    ['prestador', 'uf', 'atendimentos', 'parte', 'custo'],
    ['Serra', 'SP', 100, 0.2, 400],
    ['Ipê', 'PR', 300, -0.1, 100],
    ['Lagoa', 'SP', 200, 0, null],
  )
  const encode = { x: 'atendimentos', y: 'parte', size: 'custo', category: 'uf', name: 'prestador' }
  const scatter = visual('scatter', {
    option: { series: [{ encode }] },
    labels: { atendimentos: 'Atendimentos', parte: 'Preço', custo: 'Custo' },
  })

  test('a scatter chart has a series for each category, with the row of each point and its size by area', () => {
    const series = seriesOf(scatter, data)
    expect(series.map(({ name, data: points }) => [name, points.map(({ row }) => row)])).toEqual([
      ['SP', [0, 2]],
      ['PR', [1]],
    ])
    const size = (one: number, point: number) => Number(series[one]?.data[point]?.symbolSize)
    expect(size(0, 1)).toBe(7)
    expect((size(1, 0) - 7) / (size(0, 0) - 7)).toBeCloseTo(0.5)
  })

  test('a scatter chart shows the full numbers of a point in its tooltip', () => {
    const { formatter } = chartOption(scatter, data, room).tooltip as { formatter: (point: Part) => string }
    expect(plain(formatter({ data: { row: 0 } }))).toBe(
      'Serra · SP Atendimentos: 100 Preço: 20,0% Custo: R$ 400,00',
    )
  })

  test('a scatter chart uses the numeric columns in order when the series has no encode', () => {
    const [only] = seriesOf(visual('scatter'), table(['nome', 'x', 'y'], ['a', 1, 2]))
    expect(only?.data).toMatchObject([{ value: [1, 2], name: 'a', row: 0 }])
    expect(chartOption(visual('scatter'), data, room).dataset).toBeUndefined()
  })
})

describe('a heat map', () => {
  const data = table(
    ['hora', 'dia', 'atendimentos'],
    [10, 'dom', 4],
    [9, 'dom', 136],
    [9, 'seg', 70],
    [10, 'seg', null],
  )

  test('a heat map sorts numbers, keeps the order of names, and darkens with the value', () => {
    const option = chartOption(visual('heatmap'), data, room)
    expect(option).toMatchObject({
      xAxis: { data: ['9', '10'] },
      yAxis: { data: ['dom', 'seg'], inverse: true },
    })
    const [cells] = option.series as { data: { value: number[]; row: number; itemStyle: Part }[] }[]
    expect(cells?.data.map(({ value, row }) => [value, row])).toEqual([
      [[1, 0, 4], 0],
      [[0, 0, 136], 1],
      [[0, 1, 70], 2],
    ])
    expect(cells?.data.map(({ itemStyle }) => itemStyle.color)).toEqual([
      lightTheme.scale[0],
      lightTheme.scale.at(-1),
      '#4da39a',
    ])
  })

  test('a heat map shows numbers in every cell or in none', () => {
    const cells = table(
      ['hora', 'dia', 'atendimentos'],
      ...Array.from({ length: 24 }, (_, hour) => [hour, 'dom', hour < 20 ? 7 : 1136]),
    )
    const shown = (width: number) =>
      new Set(seriesOf(visual('heatmap'), cells, { width })[0]?.data.map(({ label }) => (label as Part).show))
    expect([...shown(1200)]).toEqual([true])
    // Wide enough for the small numbers, not for the large ones.
    expect([...shown(600)]).toEqual([false])
  })

  test('a heat map names both keys and the value in its tooltip', () => {
    const labels = { atendimentos: 'Atendimentos' }
    const { tooltip } = chartOption(visual('heatmap', { labels }), data, room) as {
      tooltip: { formatter: (point: Part) => string }
    }
    expect(plain(tooltip.formatter({ data: { row: 1 } }))).toBe('dom · 9 Atendimentos: 136')
  })
})

describe('conditional formatting of bars', () => {
  const rows = table(['operadora', 'parte'], ['Santa Casa', 0.9], ['CNU', 0.82], ['Bradesco', 0.7])
  const rules = {
    kind: 'rules' as const,
    rules: [
      { operator: '>' as const, value: 0.85, tone: 'bad' as const },
      { operator: '>' as const, value: 0.8, tone: 'warning' as const },
      { operator: '<=' as const, value: 0.8, tone: 'good' as const },
    ],
  }

  test('conditional formatting of bars shows the tone by colour and by a mark before the number', () => {
    const [bars] = seriesOf(visual('bar', { conditional: { parte: rules } }), rows)
    const shown = bars?.data.map(({ itemStyle, label }) => [
      (itemStyle as Part).color,
      plain((label as Part).formatter),
    ])
    const { bad, warning, good } = lightTheme.toneFills
    expect(shown).toEqual([
      [bad, '{mark|◆} 90,0%'],
      [warning, '{mark|▲} 82,0%'],
      [good, '{mark|●} 70,0%'],
    ])
  })

  test('conditional formatting of bars keeps the mark when the number does not fit', () => {
    const [columns] = seriesOf(visual('column', { conditional: { parte: rules } }), rows, { width: 120 })
    expect(columns?.data[0]).toMatchObject({ label: { show: true, formatter: '{mark|◆}' } })
  })

  test('colours by value when the format is a scale', () => {
    const [bars] = seriesOf(visual('bar', { conditional: { parte: { kind: 'scale' } } }), rows)
    const [most, , least] = bars?.data.map(({ itemStyle }) => (itemStyle as Part).color) ?? []
    expect([least, most]).toEqual([lightTheme.scale[1], lightTheme.scale[3]])
  })
})

describe('a selection', () => {
  const selectedRows = new Set([1])
  test.each(['bar', 'column', 'donut', 'stackedBar'] as const)(
    'a selection keeps the selected point of a %s and dims the rest',
    (type) => {
      const [first] = seriesOf(visual(type), hospitals, { selectedRows })
      expect(first?.data.map(({ itemStyle }) => (itemStyle as Part).opacity)).toEqual([0.28, undefined])
    },
  )

  test('a selection is a dot on a line', () => {
    const [line] = seriesOf(visual('line'), hospitals, { selectedRows })
    const size = line?.symbolSize as (value: unknown, point: { dataIndex: number }) => number
    expect(line).toMatchObject({ showSymbol: true, lineStyle: { opacity: 0.45 } })
    expect([0, 1].map((dataIndex) => size(null, { dataIndex }))).toEqual([0, 9])
  })

  test('a selection has a pointer cursor only when a click has an effect', () => {
    expect(seriesOf(visual('bar'), hospitals)[0]?.cursor).toBe('default')
    expect(seriesOf(visual('bar'), hospitals, { pickable: true })[0]?.cursor).toBe('pointer')
  })
})

test('a heat map keeps the last digits of keys, and has a place for NaN', () => {
  const keys = ['1234567890123456781', '1234567890123456782']
  const data = answerOf({
    columns: ['chave', 'taxa', 'custo'],
    kinds: ['integer', 'number', 'number'],
    rows: [
      [keys[1] ?? '', Number.NaN, 1],
      [keys[0] ?? '', 2, 3],
    ],
    truncated: false,
  })
  const option = chartOption(visual('heatmap'), data, { ...room, width: 200 })
  const { data: names, axisLabel } = option.xAxis as {
    data: string[]
    axisLabel: { formatter(name: string, index: number): string }
  }
  expect(names).toEqual(['1.234.567.890.123.456.781', '1.234.567.890.123.456.782'])
  const labels = names.map((name, index) => axisLabel.formatter(name, index))
  expect(labels).toEqual([expect.stringMatching(/^….*6.781$/), expect.stringMatching(/^….*6.782$/)])
  expect((option.yAxis as Part).data).toEqual(['2', 'não é um número'])
  expect(seriesOf(visual('heatmap'), data)[0]?.data.map(({ value }) => value)).toEqual([
    [1, 1, 1],
    [0, 0, 3],
  ])
})

test('rows whose names read alike have places of their own, with the colour of the value', () => {
  const data = table(['sexo', 'custo'], ['F', 1], ['f', 2], [null, 3], ['', 4])
  const valueFormats = { F: { label: 'Feminino', color: 3 }, f: { label: 'Feminino' } }
  const column = chartOption(visual('column'), data, { ...room, valueFormats })
  const names = (column.dataset as { source: string[][] }).source.map(([name]) => name)
  expect(new Set(names).size).toBe(4)
  expect(names.map((name) => name?.replaceAll(/[\u200b\u200c]/g, ''))).toEqual([
    'Feminino',
    'Feminino',
    '(em branco)',
    '(texto vazio)',
  ])
  const [ring] = seriesOf(visual('donut'), data, { valueFormats })
  expect(new Set(ring?.data.map(({ name }) => name)).size).toBe(4)
  expect(ring?.data.slice(0, 2).map(({ itemStyle }) => (itemStyle as Part).color)).toEqual([
    lightTheme.palette[2],
    lightTheme.palette[2],
  ])
})
