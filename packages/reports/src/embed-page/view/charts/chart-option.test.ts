import { describe, expect, test } from 'vitest'
import type { ChartType } from '../../../definitions/visual-types.ts'
import type { ColumnKind, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { lightTheme } from '../style/theme.ts'
import { rowLabel, shownLabels } from './chart-axes.ts'
import { chartOption } from './chart-option.ts'
import type { ChartVisual } from './chart-series.ts'

const visual = (type: ChartType, more: Partial<ChartVisual> = {}): ChartVisual => ({
  name: 'v',
  type,
  title: 'Custo',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: { mes: 'mes', custo: 'moeda', indice: 'percentual' },
  labels: { custo: 'Custo assistencial' },
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
  ...more,
})
const data: VisualData = answerOf({
  columns: ['mes', 'custo', 'indice'],
  rows: [
    ['2026-01-01', 1_500_000, 0.71],
    ['2026-02-01', 1_700_000, 0.82],
  ],
  truncated: false,
})
const room = { width: 600, height: 300, text: 1, animated: false, theme: lightTheme, valueFormats: {} }
const option = (v: ChartVisual, d = data) => chartOption(v, d, room)

interface PlacedLegend {
  type: string
  left: number
  top: number
  height?: number
  itemGap: number
  textStyle: { rich: { name: { fontSize: number; width: number } } }
}

describe('chartOption', () => {
  test('chartOption draws each numeric column when the definition names no series', () => {
    expect(option(visual('line'))).toMatchObject({
      series: [
        { type: 'line', name: 'Custo assistencial', encode: { x: 'mes', y: 'custo' } },
        { type: 'line', name: 'indice', encode: { x: 'mes', y: 'indice' } },
      ],
      xAxis: { type: 'category' },
      yAxis: { type: 'value' },
    })
  })

  test('chartOption formats categories as text, and keeps numbers as numbers', () => {
    expect(option(visual('column'))).toMatchObject({
      dataset: {
        dimensions: ['mes', 'custo', 'indice'],
        source: [
          ['jan/26', 1_500_000, 0.71],
          ['fev/26', 1_700_000, 0.82],
        ],
      },
    })
  })

  test('chartOption never cuts the time of day from the names of moments', () => {
    const rows = Array.from({ length: 10 }, (_, hour) => [
      `2026-03-05T${String(hour).padStart(2, '0')}:00:00`,
      1,
    ])
    const hourly = answerOf({ columns: ['em', 'custo'], rows, truncated: false })
    const of = (kinds: ColumnKind[]) => option(visual('column'), { ...hourly, kinds })
    const moments = of(['timestamp', 'number'])
    expect(moments).toMatchObject({
      dataset: { source: expect.arrayContaining([['05/03/2026 01:00', 1]]) },
    })
    expect(moments).not.toMatchObject({ xAxis: { axisLabel: { overflow: 'truncate' } } })
    // A name that is as long as these, but no moment, is cut.
    expect(of(['text', 'number'])).toMatchObject({ xAxis: { axisLabel: { overflow: 'truncate' } } })
  })

  test('chartOption draws bars horizontally', () => {
    const bars = option(visual('bar', { option: { series: [{ encode: { x: 'custo', y: 'mes' } }] } }))
    expect(bars).toMatchObject({
      xAxis: { type: 'value' },
      yAxis: { type: 'category', inverse: true },
      series: [{ type: 'bar', encode: { x: 'custo', y: 'mes' }, label: { show: true, position: 'right' } }],
    })
  })

  test('chartOption lets the definition override the defaults, except the rendering of the tooltip', () => {
    const own = {
      color: ['#123456'],
      tooltip: { renderMode: 'html', padding: 3 },
      yAxis: { min: 0.5 },
      series: [{ encode: { y: 'indice' }, smooth: false }],
    }
    expect(option(visual('line', { option: own }))).toMatchObject({
      color: ['#123456'],
      tooltip: { renderMode: 'richText', confine: true, padding: 3, trigger: 'axis' },
      yAxis: { type: 'value', min: 0.5 },
      series: [{ smooth: false, areaStyle: { color: { colorStops: [{ color: '#12345633' }, {}] } } }],
    })
  })

  test('chartOption formats each of two value axes by its own series', () => {
    const series = [{ encode: { y: 'custo' } }, { type: 'line', encode: { y: 'indice' }, yAxisIndex: 1 }]
    const { yAxis } = option(visual('column', { option: { series, yAxis: [{}, {}] } })) as {
      yAxis: { axisLabel: { formatter: (value: number) => string } }[]
    }
    expect(yAxis.map(({ axisLabel }) => axisLabel.formatter(0.5).replace(/\s/g, ' '))).toEqual([
      'R$ 0,50',
      '50%',
    ])
  })

  test.each([
    [{ max: 1 }, 0.25],
    [{ min: 0.5, max: 1.1 }, 0.1],
    [{ max: 1, interval: 0.5 }, 0.5],
    [{ min: 0.13, max: 1 }, undefined],
  ])('chartOption sets even ticks between fixed ends %j', (yAxis, interval) => {
    const axis = option(visual('line', { option: { yAxis } })).yAxis as { interval?: number }
    if (interval === undefined) expect(axis.interval).toBeUndefined()
    else expect(axis.interval).toBeCloseTo(interval)
  })

  test('chartOption leaves out series without data, and keeps the colours of the others', () => {
    const rows = data.rows.map(([mes = null, , indice = null]) => [mes, null, indice])
    const series = [{ encode: { y: 'custo' } }, { encode: { y: 'indice' } }]
    const drawn = option(visual('column', { option: { series } }), { ...data, rows }).series as {
      name: string
      data: { itemStyle: { color: string } }[]
    }[]
    expect(drawn.map(({ name }) => name)).toEqual(['indice'])
    expect(drawn[0]?.data[0]?.itemStyle.color).toBe(lightTheme.palette[1])
  })

  test('names and colours values as the report defines them, on every kind of chart', () => {
    const valueFormats = { CNU: { label: 'Unimed', color: 4 }, cnu: { label: 'Unimed', color: 4 } }
    const rows = [
      ['CNU', 5],
      ['OUTRA', 3],
    ]
    const given = answerOf({ columns: ['operadora', 'custo'], rows, truncated: false })
    for (const type of ['bar', 'donut'] as const) {
      const drawn = chartOption(visual(type), given, { ...room, valueFormats })
      expect(drawn.dataset).toMatchObject({ source: [['Unimed', 5], rows[1]] })
      expect(drawn.series).toMatchObject([{ data: [{ itemStyle: { color: lightTheme.palette[3] } }, {}] }])
    }
    const named = visual('line', { labels: { custo: 'Unimed' } })
    const lines = chartOption(named, data, { ...room, valueFormats })
    expect(lines.color).toEqual([lightTheme.palette[3], lightTheme.palette[1]])
  })

  test('chartOption gives no slice the colour that the report assigns to another', () => {
    const rows = [
      ['a', 3],
      ['b', 2],
      ['c', 1],
    ]
    const valueFormats = { b: { color: 1 } }
    const ring = chartOption(visual('donut'), answerOf({ columns: ['x', 'custo'], rows, truncated: false }), {
      ...room,
      valueFormats,
    })
    const [first, second, third] = lightTheme.palette
    expect(ring.series).toMatchObject([
      { data: [second, first, third].map((color) => ({ itemStyle: { color } })) },
    ])
  })

  // The canvas throws at a negative radius, and a report that is being resized has rooms of any size.
  test.each(['bar', 'column', 'stackedBar', 'line', 'donut', 'heatmap', 'scatter'] as const)(
    'chartOption draws a %s in a tiny room without a negative radius',
    (type) => {
      for (const [width, height] of [
        [1, 1],
        [9, 9],
        [40, 40],
        [300, 4],
        [4, 300],
      ] as const) {
        const { series } = chartOption(visual(type), data, { ...room, width, height })
        const radii = [...JSON.stringify(series).matchAll(/"(?:borderRadius|radius)":(\[[^\]]*\]|-?[\d.]+)/g)]
        for (const [, radius = ''] of radii) expect(radius, `${width} × ${height}`).not.toContain('-')
      }
    },
  )

  test.each([
    [6, 'plain'],
    [60, 'scroll'],
  ])('chartOption lists %i values of a donut in a %s legend', (count, type) => {
    const rows = Array.from({ length: count }, (_, index) => [`Valor ${index}`, 1])
    const drawn = chartOption(
      visual('donut'),
      answerOf({ columns: ['x', 'custo'], rows, truncated: false }),
      { ...room, width: 600, height: 300 },
    )
    expect(drawn.legend).toMatchObject({ type })
  })

  test.each([
    [6, 600, 300],
    [20, 600, 200],
    [60, 600, 300],
    [20, 240, 300],
  ])('chartOption lists all %i values of a printed donut in %i × %i pixels', (count, width, height) => {
    const rows = Array.from({ length: count }, (_, index) => [`Valor ${index}`, 1])
    const { legend } = chartOption(
      visual('donut'),
      answerOf({ columns: ['x', 'custo'], rows, truncated: false }),
      { ...room, width, height, printed: true },
    ) as unknown as { legend: PlacedLegend }
    const { fontSize, width: nameWidth } = legend.textStyle.rich.name
    const pitch = fontSize + legend.itemGap
    const lines = Math.floor((legend.height ?? height - legend.top) / pitch)
    const columns = Math.ceil(count / lines)
    expect(legend.type).toBe('plain')
    expect(fontSize).toBeGreaterThanOrEqual(8)
    expect(nameWidth).toBeGreaterThan(20)
    expect(columns === 1 || legend.height !== undefined).toBe(true)
    expect(legend.left + columns * nameWidth).toBeLessThanOrEqual(width)
  })

  test('chartOption rounds and labels a bar at its outer end, and colours it by sign', () => {
    const rows = [
      ['a', -2],
      ['b', 3],
    ]
    const drawn = option(visual('bar'), answerOf({ columns: ['x', 'custo'], rows, truncated: false }))
    expect(drawn.series).toMatchObject([
      {
        data: [
          { itemStyle: { borderRadius: [4, 0, 0, 4], color: lightTheme.below }, label: { position: 'left' } },
          {
            itemStyle: { borderRadius: [0, 4, 4, 0], color: lightTheme.above },
            label: { position: 'right' },
          },
        ],
      },
    ])
  })

  test.each([
    [34, 3, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33]],
    [34, 5, [3, 9, 15, 21, 27, 33]],
    [34, 7, [0, 11, 22, 33]],
    [10, 4, [1, 5, 9]],
    [2, 9, [1]],
    [1, 1, [0]],
  ])(
    'chartOption shows of %i names, at steps of at least %i, the last and others at even steps',
    (count, least, some) => {
      expect([...shownLabels(count, least)].toSorted((a, b) => a - b)).toEqual(some)
    },
  )

  test('chartOption writes the names of rows smaller before it leaves some out', () => {
    const names = (slot: number) => rowLabel(slot, 12)
    expect(names(20)).toEqual({ interval: 0, fontSize: 12 })
    expect(names(10.4)).toEqual({ interval: 0, fontSize: 10 })
    expect(names(8)).toEqual({ hideOverlap: true })
  })

  test('chartOption shows the total in the middle of a donut, except for percentages', () => {
    const ring = option(visual('donut'))
    expect(JSON.stringify(ring.title)).toContain('3,2')
    expect(ring).toMatchObject({
      title: { show: true },
      series: [{ type: 'pie', encode: { itemName: 'mes', value: 'custo' } }],
    })
    const shares = {
      ...data,
      columns: ['mes', 'indice'],
      rows: data.rows.map(([mes = null, , indice = null]) => [mes, indice]),
    }
    expect(option(visual('donut'), shares)).toMatchObject({ title: { show: false } })
  })

  test('chartOption cuts the start of the names of keys, whose last digits tell them apart', () => {
    const keys = ['1234567890123456781', '1234567890123456782']
    const given = {
      columns: ['chave', 'custo'],
      rows: keys.map((key) => [key, '9007199254740993']),
      truncated: false,
      kinds: ['integer', 'integer'] as ColumnKind[],
    }
    const { yAxis, dataset, series } = chartOption(visual('bar'), given, { ...room, width: 200 }) as {
      yAxis: { axisLabel: { formatter: (name: string) => string } }
      dataset: { source: unknown[][] }
      series: { label: { formatter: (point: { dataIndex: number }) => string } }[]
    }
    const names = dataset.source.map(([name]) => String(name))
    expect(names).toEqual(['1.234.567.890.123.456.781', '1.234.567.890.123.456.782'])
    expect(names.map((name) => yAxis.axisLabel.formatter(name))).toEqual([
      expect.stringMatching(/^….*456\.781$/),
      expect.stringMatching(/^….*456\.782$/),
    ])
    // Drawn as a double.
    expect(dataset.source.map(([, custo]) => custo)).toEqual([2 ** 53, 2 ** 53])
    expect(series[0]?.label.formatter({ dataIndex: 0 })).toMatch(/^R\$\s9007,2\stri$/)
  })
})
