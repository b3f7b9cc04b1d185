import type { ReportPerformance } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { dayLabel, secondsText } from '../../../ui/chart/chart-texts.ts'
import { chartOf } from './performance-scale.ts'

const day = (dia: string, ms: number) => ({
  dia,
  visualizacoes: 1,
  pessoas: 1,
  carregado: { p50: ms, p95: ms },
  renderizado: { p50: ms * 2, p95: ms * 2 },
})
const performance = (porDia: ReportPerformance['porDia']): ReportPerformance => ({
  de: '2026-03-01',
  ate: '2026-03-07',
  total: null,
  porDia,
})
const size = { width: 640, height: 220 }

test('chartOf puts round levels above the slowest day and every point inside the chart', () => {
  const chart = chartOf(performance([day('2026-03-01', 430), day('2026-03-07', 900)]), size)
  expect(chart.levels.map(({ ms }) => ms)).toEqual([0, 500, 1000, 1500, 2000])
  for (const { x, y } of chart.series.flatMap(({ points }) => points)) {
    expect(x).toBeGreaterThan(chart.left)
    expect(x).toBeLessThan(size.width)
    expect(y).toBeGreaterThanOrEqual(10)
    expect(y).toBeLessThan(size.height - 20)
  }
})

test('chartOf places days in proportion to time', () => {
  const chart = chartOf(performance([day('2026-03-01', 1), day('2026-03-04', 1), day('2026-03-07', 1)]), size)
  const [a = 0, b = 0, c = 0] = chart.series[0]?.points.map(({ x }) => x) ?? []
  expect(Math.abs(c - b - (b - a))).toBeLessThan(0.3)
  expect(chart.days.map(({ dia }) => dayLabel(dia))).toEqual(['01/03', '04/03', '07/03'])
})

test('chartOf draws a point for a single day with a time of zero', () => {
  const chart = chartOf(performance([day('2026-03-07', 0)]), size)
  expect(chart.series.every(({ path }) => /^M[\d.]+ [\d.]+$/.test(path))).toBe(true)
})

test('secondsText writes seconds in Brazilian notation', () => {
  expect([0, 430, 1500, 12_340].map(secondsText)).toEqual(['0,0 s', '0,43 s', '1,5 s', '12,3 s'])
})
