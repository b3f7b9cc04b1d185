import { expect, test } from 'vitest'
import type { VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { lightTheme } from '../style/theme.ts'
import { chartOption } from './chart-option.ts'
import type { ChartVisual, Part } from './chart-series.ts'
import { legendRows } from './legend-rows.ts'

const operadoras = ['Bradesco', 'CNU', 'Paraná Clínicas', 'Santa Casa']

test.each([
  [['Custo'], 300, 0],
  [operadoras, 900, 1],
  [operadoras, 240, 2],
  [operadoras, 190, 3],
  // Too many lines: the legend gets one line with paging.
  [[...operadoras, ...operadoras], 130, 1],
])('legendRows: %j in %i pixels take %i lines', (names, width, rows) => {
  expect(legendRows(names, { width, text: 1 })).toBe(rows)
})

test('legendRows counts all lines of a printed legend', () => {
  const names = [...operadoras, ...operadoras]
  expect(legendRows(names, { width: 60, text: 1, printed: true })).toBe(8)
})

const data: VisualData = answerOf({
  columns: ['mes', 'bradesco', 'cnu', 'parana', 'santa'],
  rows: [['2026-01-01', 1, 2, 3, 4]],
  truncated: false,
})
const [bradesco = '', cnu = '', parana = '', santa = ''] = operadoras
const visual = (option: Part = {}): ChartVisual => ({
  name: 'v',
  type: 'line',
  title: 'Custo',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: {},
  labels: { bradesco, cnu, parana, santa },
  option,
  conditional: {},
  ignoresSelection: false,
  columns: [],
})
const drawn = (width: number, option?: Part, printed = false) =>
  chartOption(visual(option), data, {
    width,
    height: 300,
    text: 1,
    animated: false,
    printed,
    theme: lightTheme,
    valueFormats: {},
  }) as { legend: Part; grid: { top: number; right: number } }

test('a wrapped legend moves the plot down, and counts only the names that the author lists', () => {
  const [wide, narrow] = [drawn(900), drawn(240)]
  expect([wide.legend.type, narrow.legend.type]).toEqual(['scroll', 'plain'])
  expect(narrow.grid.top).toBeGreaterThan(wide.grid.top)
  const listed = drawn(240, { legend: { data: [bradesco, cnu] } })
  expect(listed.legend).toMatchObject({ type: 'scroll', data: [bradesco, cnu] })
  expect(listed.grid.top).toBe(wide.grid.top)
})

test.each([900, 240, 130])('a printed legend has no pages in %i pixels', (width) => {
  expect(drawn(width, undefined, true).legend.type).toBe('plain')
  expect(drawn(width, { legend: { type: 'scroll' } }, true).legend.type).toBe('plain')
})

test('a labelled mark line gets room next to the plot', () => {
  const series = (markLine?: Part) => ({
    series: [{ type: 'line', encode: { x: 'mes', y: 'cnu' }, ...(markLine && { markLine }) }],
  })
  const marked = drawn(600, series({ data: [{ yAxis: 3, name: 'meta' }] }))
  expect(marked.grid.right).toBeGreaterThan(drawn(600, series()).grid.right + 20)
})
