import { getInstanceByDom } from 'echarts/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { stubCanvas } from '../../test/canvas-fixture.ts'
import { type ChartView, mountChart } from './chart.ts'
import type { ChartVisual } from './chart-series.ts'

/* What hovering leaves in a chart. The canvas is a stub: tests read the chart's elements. */

const visual: ChartVisual = {
  name: 'custo',
  type: 'stackedBar',
  title: 'Custo',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
}
const data: VisualData = answerOf({
  columns: ['operadora', 'eletiva', 'urgencia'],
  rows: [
    ['CNU', 20, 10],
    ['BRADESCO', 10, 10],
  ],
  truncated: false,
})
const view: ChartView = { visual, data, text: 1, printed: false, pickable: true, selectedRows: undefined }

beforeEach(stubCanvas)
afterEach(() => {
  vi.restoreAllMocks()
})

const open = () => {
  const host = document.createElement('div')
  document.body.replaceChildren(host)
  const actions = { picked: vi.fn(), cleared: vi.fn(), undo: () => false }
  const mounted = mountChart(host, {}, actions)
  const plot = host.querySelector<HTMLElement>('.plot')
  if (!plot) throw new Error('no plot')
  for (const [name, length] of [
    ['clientWidth', 600],
    ['clientHeight', 300],
  ] as const)
    Object.defineProperty(plot, name, { value: length })
  mounted.draw(view, true)
  const chart = getInstanceByDom(plot)
  if (!chart) throw new Error('no chart')
  const zr = chart.getZr()
  const [x = 0, y = 0] = chart.convertToPixel('grid', [5, 0]) as number[]
  const send = (type: 'mousemove' | 'mousedown' | 'mouseup' | 'click') =>
    zr.handler.dispatch(type, { zrX: x, zrY: y, offsetX: x, offsetY: y, preventDefault: () => undefined })
  /** Returns which states the painted elements have, and whether a tooltip is shown. */
  const marks = () => {
    const shown = zr.storage.getDisplayList(true)
    return {
      states: [...new Set(shown.flatMap(({ currentStates }) => currentStates ?? []))].sort(),
      tip: shown.some(({ z }) => z >= 60),
    }
  }
  const hover = async () => {
    send('mousemove')
    await vi.waitFor(() => expect(marks()).toEqual({ states: ['blur', 'emphasis'], tip: true }))
  }
  const click = () => {
    for (const type of ['mousedown', 'mouseup', 'click'] as const) send(type)
  }
  return { host, mounted, plot, click, hover, marks, ...actions }
}
const nothing = { states: [], tip: false }

test('the chart clears the hover when a selection is drawn, and when it is cleared', async () => {
  const { mounted, click, hover, marks, picked } = open()
  await hover()
  click()
  expect(picked).toHaveBeenCalledWith(0)
  mounted.draw({ ...view, selectedRows: new Set([0]) }, false)
  await vi.waitFor(() => expect(marks()).toEqual(nothing))
  mounted.draw(view, false)
  await vi.waitFor(() => expect(marks()).toEqual(nothing))
})

test('the chart clears the hover at the click, and does not restore it in new rows', async () => {
  const { mounted, click, hover, marks } = open()
  await hover()
  click()
  await vi.waitFor(() => expect(marks()).toEqual(nothing))
  mounted.draw({ ...view, data: { ...data, rows: data.rows.toReversed() } }, true)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(marks()).toEqual(nothing)
})

test('the chart clears the hover when the mouse leaves, also when ECharts misses the event', async () => {
  const { plot, hover, marks } = open()
  await hover()
  plot.dispatchEvent(new Event('mouseleave'))
  await vi.waitFor(() => expect(marks()).toEqual(nothing))
})

test.each(['touchend', 'touchcancel'])(
  'the chart ends the emphasis at %s and keeps the tooltip',
  async (event) => {
    const { plot, hover, marks } = open()
    await hover()
    plot.dispatchEvent(new Event(event))
    await vi.waitFor(() => expect(marks()).toEqual({ states: [], tip: true }))
  },
)

test('the chart keeps the emphasis of the keyboard position until the pointer is used', async () => {
  const { host, mounted, plot, marks } = open()
  host.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))
  const seen = { states: ['emphasis'], tip: true }
  await vi.waitFor(() => expect(marks()).toEqual(seen))
  mounted.draw({ ...view, selectedRows: new Set([0]) }, false)
  await vi.waitFor(() => expect(marks()).toEqual(seen))
  plot.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  mounted.draw(view, false)
  await vi.waitFor(() => expect(marks()).toEqual(nothing))
})
