import { expect, test } from 'vitest'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { type ChartVisual, readSeries } from '../charts/chart-series.ts'
import { columnHeading } from './column-heading.ts'
import { dataCsv } from './data-csv.ts'

const visual = (labels: Record<string, string> = {}) =>
  ({
    name: 'v',
    type: 'column',
    title: 'Custo',
    format: {},
    labels,
    option: {},
    columns: [],
    conditional: {},
    ignoresSelection: false,
  }) as unknown as ChartVisual & EmbeddedVisual

test.each([
  ['valor_pago', {}, 'Valor pago'],
  ['valor\r\npago', {}, 'Valor pago'],
  ['x', { x: 'Valor\npago  \n\n(R$)' }, 'Valor pago (R$)'],
  ['x', { x: 'Valor\u2028pago' }, 'Valor pago'],
])('the heading of %j with the labels %j is %s', (column, labels, heading) => {
  expect(columnHeading(visual(labels), column)).toBe(heading)
})

test('a line break in a heading is a space in series and in files', () => {
  const data = answerOf({ columns: ['mes', 'valor\npago'], rows: [['a', 1]], truncated: false })
  expect(readSeries(visual(), data)[0]?.name).toBe('valor pago')
  expect(dataCsv(visual(), data, [], {})).toBe('\uFEFFMes;Valor pago\r\n')
})
