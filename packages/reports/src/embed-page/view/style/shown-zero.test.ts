import { numberText } from '@bi-manager/contract/number-text'
import { expect, test } from 'vitest'
import { cellReader } from '../../../exports/workbook/cell-reader.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { chartOption } from '../charts/chart-option.ts'
import type { ChartVisual, Part } from '../charts/chart-series.ts'
import { drawableChart } from '../charts/drawable-chart.ts'
import { dataCsv } from '../tables/data-csv.ts'
import { createDataTable } from '../tables/data-table.ts'
import { createReadableTable } from '../tables/readable-table.ts'
import { createCard, createVerdict } from '../visual/card.ts'
import { formatAxis, formatInFull, formatLabel } from './format.ts'
import { lightTheme } from './theme.ts'

/*
 * One column with a double, with digits that no double holds, and with what is not a number: it
 * reads the same wherever it is shown.
 */

const ZERO = 'R$\u00a00,00'
const visual = (type: string, more: Partial<EmbeddedVisual> = {}) =>
  ({
    name: 'v',
    type,
    title: 'Saldo',
    layout: { x: 0, y: 0, width: 600, height: 300 },
    labels: {},
    format: { saldo: 'moeda' },
    option: {},
    conditional: {},
    ignoresSelection: false,
    columns: [],
    ...more,
  }) as unknown as ChartVisual
const answer = (...cells: Cell[]): VisualData => ({
  columns: ['nome', 'saldo'],
  kinds: ['text', 'number'],
  rows: cells.map((cell, index) => [`n${index}`, cell]),
  truncated: false,
})
const room = { width: 600, height: 300, text: 1, animated: false, theme: lightTheme, valueFormats: {} }
const textsOf = (element: Element, selector: string) =>
  [...element.querySelectorAll(selector)].map((cell) => cell.textContent)

/** Writes one value in every place. */
const everywhere = (cell: Cell) => {
  const data = answer(cell)
  const table = createDataTable(visual('table'), {})
  table.draw({ ...data, totals: [null, cell], totalKinds: ['text', 'number'] })
  const line = visual('line')
  const drawn = drawableChart(line, data)
  const [series] = chartOption(drawn.visual, drawn.data, room).series as Part[]
  const tooltip = series?.tooltip as { valueFormatter(value: unknown, row: number): string }
  const label = series?.label as { formatter(point: Part): string }
  return {
    card: textsOf(createCard(visual('card'), data), '.card-value')[0],
    table: textsOf(table.element, 'tbody td')[1],
    total: textsOf(table.element, 'tfoot td')[0],
    screenReader: textsOf(createReadableTable(line, data, {}), 'td')[1],
    tooltip: tooltip.valueFormatter(null, 0),
    label: label.formatter({ dataIndex: 0 }),
    inFull: formatInFull(cell, 'moedaCurta'),
  }
}

test.each<Cell>(['-0.00', '-0', '-0.004123456789012345', -0.001, -0])(
  'the amount %s has no sign in any place',
  (cell) => {
    const { label, ...full } = everywhere(cell)
    expect(new Set(Object.values(full))).toEqual(new Set([ZERO]))
    expect([label, formatAxis(cell, 'moeda'), formatLabel(cell, 'moedaInteira')]).not.toContainEqual(
      expect.stringMatching(/[-−]/),
    )
  },
)

test('what is not a number is named in every place, beside exact digits', () => {
  for (const [cell, name] of [
    [Number.NaN, 'não é um número'],
    [Number.NEGATIVE_INFINITY, '−infinito'],
  ] as const)
    expect(new Set(Object.values(everywhere(cell)))).toEqual(new Set([name]))
  const data = answer('12345678901234567.89', Number.NaN, '-0.004123456789012345', null)
  const table = createDataTable(visual('table', { sort: { column: 'saldo', descending: false } }), {})
  table.draw(data)
  // Blanks and what is not a number come last.
  expect(textsOf(table.element, 'tbody td:last-child')).toEqual([
    ZERO,
    'R$\u00a012.345.678.901.234.567,89',
    'não é um número',
    '–',
  ])
  expect(dataCsv(visual('table'), data, data.rows, {}).split('\r\n').slice(1, 5)).toEqual([
    'n0;12345678901234567,89',
    'n1;não é um número',
    'n2;-0,004123456789012345',
    'n3;',
  ])
})

test('a spreadsheet stores zero without a sign, and the name of what is not a number', () => {
  const cells = ['-0.00', '-0.004123456789012345', Number.NaN, '12345678901234567.89', null]
  const read = cellReader({ kind: 'number', format: 'moeda' }, cells, {})
  expect(cells.map(read)).toEqual([
    { number: -0, style: 'money' },
    { number: -0.004123456789012345, style: 'money' },
    { text: 'não é um número' },
    { text: '12345678901234567,89' },
    undefined,
  ])
  const csv = dataCsv(visual('table'), answer('-0.00', '-0', -0), answer('-0.00', '-0', -0).rows, {})
  expect(csv.split('\r\n').slice(1, 4)).toEqual(['n0;0', 'n1;0', 'n2;0'])
})

test('a rule for exact digits has no verdict on what is not a number', () => {
  const conditional = { saldo: { kind: 'rules', rules: [{ operator: '<', value: 1, tone: 'bad' }] } }
  const card = visual('card', { conditional } as unknown as Partial<EmbeddedVisual>)
  expect(createVerdict(card, answer('-0.004123456789012345'))?.textContent).toBe('Crítico')
  expect(createVerdict(card, answer(Number.NEGATIVE_INFINITY))).toBeUndefined()
})

test('a chart draws exact digits as numbers, and what is not a number as a gap', () => {
  const data = answer('12345678901234567.89', Number.POSITIVE_INFINITY, 3)
  const drawn = drawableChart(visual('line'), data)
  expect(drawn.notes).toEqual(['Um valor não é um número e não foi desenhado.'])
  const { source } = chartOption(drawn.visual, drawn.data, room).dataset as { source: Cell[][] }
  expect(source.map(([, value]) => value)).toEqual([Number('12345678901234567.89'), Number.NaN, 3])
  const bars = chartOption(visual('bar'), data, room).series as { data: { value: Cell[] }[] }[]
  expect(bars[0]?.data.map(({ value }) => value[1])).toEqual([Number('12345678901234567.89'), Number.NaN, 3])
})

test('digits are written as they are, in any format', () => {
  const all = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 40 })
  expect(numberText(all, '-12345678901234567890.123456789')).toBe('-12.345.678.901.234.567.890,123456789')
  expect(numberText(all, '-0.000')).toBe('0')
  expect(numberText(all, 'NaN')).toBe('não é um número')
})
