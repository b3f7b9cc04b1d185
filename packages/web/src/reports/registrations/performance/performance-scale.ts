import type { ReportPerformance } from '@bi-manager/contract'
import { roundStep } from '../../../ui/chart/round-step.ts'

const left = 58
const top = 10
const bottom = 26
const dayMs = 86_400_000

type Day = ReportPerformance['porDia'][number]

const readers = {
  carregado50: ({ carregado }: Day) => carregado.p50,
  carregado95: ({ carregado }: Day) => carregado.p95,
  renderizado50: ({ renderizado }: Day) => renderizado.p50,
  renderizado95: ({ renderizado }: Day) => renderizado.p95,
}

/** Returns the coordinates of a chart of this size; lines cross days without views. */
export const chartOf = (
  { de, ate, porDia }: ReportPerformance,
  { width, height }: { width: number; height: number },
) => {
  const highest = Math.max(...porDia.flatMap((day) => Object.values(readers).map((read) => read(day))), 1)
  const step = roundStep(highest / 4)
  const ceiling = Math.ceil(highest / step) * step
  const yOf = (ms: number) => top + (1 - ms / ceiling) * (height - top - bottom)
  const first = Date.parse(de)
  const span = Math.max(Date.parse(ate) - first, dayMs)
  // A margin at the right edge, which would clip the last point.
  const xOf = (dia: string) => left + 4 + ((Date.parse(dia) - first) / span) * (width - left - 12)
  const levels = Array.from({ length: ceiling / step + 1 }, (_, n) => ({ ms: n * step, y: yOf(n * step) }))
  const middle = new Date(first + Math.round(span / dayMs / 2) * dayMs).toISOString().slice(0, 10)
  const series = Object.entries(readers).map(([name, read]) => {
    const points = porDia.map((day) => ({ x: rounded(xOf(day.dia)), y: rounded(yOf(read(day))) }))
    return { name, points, path: points.map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${x} ${y}`).join('') }
  })
  return { left, levels, days: [de, middle, ate].map((dia) => ({ dia, x: xOf(dia) })), series }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
