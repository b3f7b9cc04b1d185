import type { UsageSummary } from '@bi-manager/contract'
import { dayLabel } from '../../ui/chart/chart-texts.ts'
import { roundStep } from '../../ui/chart/round-step.ts'

const dayMs = 86_400_000

type Period = Pick<UsageSummary, 'de' | 'ate' | 'porMes' | 'serie'>

/** Returns the views of each day or month of the period, also of those without views. */
export const viewsOf = ({ de, ate, porMes, serie }: Period) => {
  const views = new Map(serie.map(({ inicio, visualizacoes }) => [inicio, visualizacoes]))
  return startsOf(de, ate, porMes).map((inicio) => ({ inicio, visualizacoes: views.get(inicio) ?? 0 }))
}

/** Returns round numbers, from 0 to at least the most views. */
export const levelsOf = ({ serie }: Pick<Period, 'serie'>): number[] => {
  const highest = Math.max(...serie.map(({ visualizacoes }) => visualizacoes), 1)
  const step = Math.max(1, roundStep(highest / 4))
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, n) => n * step)
}

const startsOf = (de: string, ate: string, porMes: boolean): string[] => {
  const starts: string[] = []
  for (let time = Date.parse(de); time <= Date.parse(ate); ) {
    starts.push(new Date(time).toISOString().slice(0, 10))
    const next = new Date(time)
    time = porMes ? next.setUTCMonth(next.getUTCMonth() + 1) : time + dayMs
  }
  return starts
}

/** Returns '05/03', or '03/2026' for a month. */
export const startLabel = (inicio: string, porMes: boolean): string =>
  porMes ? inicio.slice(0, 7).split('-').reverse().join('/') : dayLabel(inicio)
