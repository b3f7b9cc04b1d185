import type { ReportPerformance } from '@bi-manager/contract'

export type SeriesName = 'carregado50' | 'carregado95' | 'renderizado50' | 'renderizado95'

interface Point {
  x: number
  y: number
}

export interface Chart {
  left: number
  levels: { y: number; ms: number }[]
  days: { x: number; dia: string }[]
  series: { name: SeriesName; path: string; points: Point[] }[]
}

const left = 58
const top = 10
const bottom = 26
const dayMs = 86_400_000

const readers: Record<SeriesName, (day: ReportPerformance['porDia'][number]) => number> = {
  carregado50: ({ carregado }) => carregado.p50,
  carregado95: ({ carregado }) => carregado.p95,
  renderizado50: ({ renderizado }) => renderizado.p50,
  renderizado95: ({ renderizado }) => renderizado.p95,
}

/** Returns the coordinates of a chart of this size; lines cross days without views. */
export const chartOf = (
  { de, ate, porDia }: ReportPerformance,
  { width, height }: { width: number; height: number },
): Chart => {
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
  const series = (Object.keys(readers) as SeriesName[]).map((name) => {
    const points = porDia.map((day) => ({ x: rounded(xOf(day.dia)), y: rounded(yOf(readers[name](day))) }))
    return { name, points, path: points.map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${x} ${y}`).join('') }
  })
  return { left, levels, days: [de, middle, ate].map((dia) => ({ dia, x: xOf(dia) })), series }
}

/** Returns '1,2 s'. */
export const secondsText = (ms: number): string =>
  `${(ms / 1000).toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: ms < 10_000 ? 2 : 1 })} s`

/** Returns '05/03'. */
export const dayLabel = (dia: string): string => dia.slice(5).split('-').reverse().join('/')

/** Returns the next 1, 2 or 5 times a power of ten. */
const roundStep = (raw: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)))
  return (([1, 2, 5].find((factor) => factor * power >= raw) ?? 10) * power) | 0
}

const rounded = (value: number): number => Math.round(value * 10) / 10
