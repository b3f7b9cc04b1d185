import { describe, expect, test, vi } from 'vitest'
import type { ChartType } from '../../../definitions/visual-types.ts'
import type { VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { pointText } from './chart.ts'
import { listenToKeys } from './chart-keyboard.ts'
import type { ChartVisual } from './chart-series.ts'

const visual = (type: ChartType): ChartVisual => ({
  name: 'v',
  type,
  title: 'Sinistralidade',
  layout: { x: 0, y: 0, width: 600, height: 300 },
  format: { parte: 'percentual' },
  labels: { parte: 'Sinistralidade' },
  option: {},
  conditional: { parte: { kind: 'rules', rules: [{ operator: '>', value: 0.8, tone: 'warning' }] } },
  ignoresSelection: false,
  columns: [],
})
const bars: VisualData = answerOf({
  columns: ['operadora', 'parte'],
  rows: [
    ['CNU', 0.819],
    ['BRADESCO', 0.7],
    ['SANTA_CASA', 0.75],
  ],
  truncated: false,
})

const open = (type: ChartType, data: VisualData, undone = false) => {
  const host = document.createElement('div')
  const actions = { visit: vi.fn(), leave: vi.fn(), pick: vi.fn(), undo: vi.fn(() => undone) }
  listenToKeys(host, () => ({ visual: visual(type), data }), actions)
  const press = (key: string, more = {}) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more })
    host.dispatchEvent(event)
    return event.defaultPrevented
  }
  const visited = (...keys: string[]) => {
    for (const key of keys) press(key)
    return actions.visit.mock.calls.splice(0).map(([row]) => row)
  }
  return { ...actions, host, press, visited }
}

describe('keys in a chart', () => {
  test('keys in a chart move over the points and stop at the ends', () => {
    const { visited } = open('bar', bars)
    expect(visited('ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown')).toEqual([0, 1, 2])
    expect(visited('ArrowUp', 'Home', 'ArrowLeft', 'End')).toEqual([1, 0, 2])
  })

  test('keys in a chart start at the last point when moving backwards', () => {
    expect(open('column', bars).visited('ArrowLeft')).toEqual([2])
  })

  test('keys in a chart pick the current point, and nothing before the first move', () => {
    const { press, pick } = open('bar', bars)
    expect(press('Enter')).toBe(true)
    expect(pick).not.toHaveBeenCalled()
    press('ArrowDown')
    press(' ')
    expect(pick).toHaveBeenCalledWith(0)
  })

  test('keys in a chart leave Tab and shortcuts to the browser, so that the focus is not trapped', () => {
    const { press } = open('bar', bars)
    expect([press('Tab'), press('ArrowDown', { ctrlKey: true }), press('x')]).toEqual([false, false, false])
  })

  test('keys in a chart consume Esc only when there is something to undo', () => {
    expect(open('bar', bars).press('Escape')).toBe(false)
    expect(open('bar', bars, true).press('Escape')).toBe(true)
    const { press, leave } = open('bar', bars)
    press('ArrowDown')
    expect(press('Escape')).toBe(true)
    expect(leave).toHaveBeenCalled()
  })

  test('keys in a chart start at the first point after the chart lost the focus', () => {
    const { visited, host } = open('bar', bars)
    visited('ArrowDown', 'ArrowDown')
    host.dispatchEvent(new Event('blur'))
    expect(visited('ArrowDown')).toEqual([0])
  })

  test('keys in a chart move from left to right in a scatter chart, and in four directions in a heat map', () => {
    const points = {
      ...bars,
      columns: ['n', 'x', 'parte'],
      rows: [
        ['a', 5, 1],
        ['b', 1, 1],
        ['c', 3, 1],
      ],
    }
    expect(open('scatter', points).visited('ArrowRight', 'ArrowRight', 'ArrowRight')).toEqual([1, 2, 0])
    const cells = {
      ...bars,
      columns: ['hora', 'dia', 'parte'],
      rows: [
        [8, 'dom', 1],
        [9, 'dom', 2],
        [10, 'dom', 3],
        [8, 'seg', 4],
        [10, 'seg', 5],
      ],
    }
    // Row 'seg' has no cell for hour 9.
    expect(
      open('heatmap', cells).visited('ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft'),
    ).toEqual([0, 3, 4, 2, 1])
  })
})

test('pointText describes a point with its value, tone and position', () => {
  const valueFormats = { BRADESCO: { label: 'Bradesco' } }
  expect(pointText(visual('bar'), bars, 0, valueFormats)).toBe('CNU: Sinistralidade 81,9%, Atenção; 1 de 3')
  expect(pointText(visual('bar'), bars, 1, valueFormats)).toBe('Bradesco: Sinistralidade 70,0%; 2 de 3')
})

test('keys reach the cells of NaN and infinity in a heat map, in both directions', () => {
  const keys = [1, Number.POSITIVE_INFINITY, Number.NaN]
  const cells = answerOf({
    columns: ['x', 'y', 'parte'],
    kinds: ['number', 'number', 'number'],
    rows: keys.flatMap((y) => keys.map((x) => [x, y, 0.5])),
    truncated: false,
  })
  const { visited } = open('heatmap', cells)
  expect(visited('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')).toEqual([0, 1, 2])
  expect(visited('ArrowDown', 'ArrowDown', 'ArrowDown')).toEqual([5, 8])
  expect(visited('ArrowLeft', 'ArrowUp', 'ArrowLeft')).toEqual([7, 4, 3])
})

test('keys visit points without a place after the others', () => {
  const points = answerOf({
    columns: ['nome', 'x', 'parte'],
    kinds: ['text', 'number', 'number'],
    rows: [
      ['a', 3, 1],
      ['b', Number.NaN, 1],
      ['c', 2, 1],
      ['d', null, 1],
      ['e', '1.00000000000000000001', 1],
      ['f', -1, 1],
    ],
    truncated: false,
  })
  const { visited } = open('scatter', points)
  expect(visited(...Array.from({ length: 6 }, () => 'ArrowRight'))).toEqual([5, 4, 2, 0, 1, 3])
})
