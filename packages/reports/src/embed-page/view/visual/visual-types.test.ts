import { expect, test } from 'vitest'
import { visualTypes } from '../../../definitions/visual-types.ts'
import { chartNames } from '../charts/chart-body.ts'
import { renderers } from '../charts/chart-option.ts'
import { seriesKinds } from '../charts/chart-series.ts'
import { controls } from '../controls/control-visual.ts'
import { skeletons } from './skeleton.ts'

/* A type that is missing in a table does not compile: `npm run types` checks the comments below. */

const typesOf = (...bodies: string[]) =>
  Object.entries(visualTypes).flatMap(([type, { body }]) => (bodies.includes(body) ? [type] : []))

test('every chart type has a name for screen readers, a renderer and a kind of series', () => {
  const types = typesOf('chart')
  for (const table of [chartNames, renderers, seriesKinds]) expect(Object.keys(table)).toEqual(types)
  const { donut: _name, ...names } = chartNames
  const { donut: _draw, ...draws } = renderers
  const { donut: _kind, ...kinds } = seriesKinds
  // @ts-expect-error without the donut
  const noName: typeof chartNames = names
  // @ts-expect-error without the donut
  const noRenderer: typeof renderers = draws
  // @ts-expect-error without the donut
  const noSeries: typeof seriesKinds = kinds
  for (const table of [noName, noRenderer, noSeries]) expect(table.donut).toBeUndefined()
})

test('every type with rows has a skeleton', () => {
  expect(Object.keys(skeletons)).toEqual(typesOf('card', 'chart', 'table', 'matrix'))
  const { table: _table, ...others } = skeletons
  // @ts-expect-error without the table
  const incomplete: typeof skeletons = others
  expect(incomplete.table).toBeUndefined()
})

test('every control is created by its type', () => {
  expect(Object.keys(controls)).toEqual(typesOf('control'))
  const { button: _button, ...others } = controls
  // @ts-expect-error without the button
  const incomplete: typeof controls = others
  expect(incomplete.button).toBeUndefined()
})

test("every type has Power BI's name, which its clients compare", () => {
  const names = Object.entries(visualTypes).map(([type, { powerBi }]) => [type, powerBi])
  expect(Object.fromEntries(names)).toEqual({
    card: 'card',
    line: 'lineChart',
    area: 'areaChart',
    bar: 'clusteredBarChart',
    column: 'clusteredColumnChart',
    stackedBar: 'barChart',
    stackedColumn: 'columnChart',
    donut: 'donutChart',
    scatter: 'scatterChart',
    heatmap: 'pivotTable',
    table: 'tableEx',
    matrix: 'pivotTable',
    slicer: 'slicer',
    text: 'textbox',
    button: 'actionButton',
  })
})
