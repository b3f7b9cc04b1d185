import { describe, expect, test } from 'vitest'
import { levelsOf, startLabel, viewsOf } from './usage-scale.ts'

const row = (inicio: string, visualizacoes: number) => ({ inicio, visualizacoes, leitores: 1, erros: 0 })

describe('the views of a period', () => {
  test('the views of a period are one number per day, also without views', () => {
    const views = viewsOf({
      de: '2026-02-27',
      ate: '2026-03-01',
      porMes: false,
      serie: [row('2026-02-27', 10), row('2026-03-01', 40)],
    })
    expect(views.map(({ inicio, visualizacoes }) => [startLabel(inicio, false), visualizacoes])).toEqual([
      ['27/02', 10],
      ['28/02', 0],
      ['01/03', 40],
    ])
  })

  test('the views of a period are one number per month of a year', () => {
    const views = viewsOf({ de: '2025-12-01', ate: '2026-11-26', porMes: true, serie: [] })
    expect(views.map(({ inicio }) => startLabel(inicio, true))).toEqual([
      '12/2025',
      ...Array.from({ length: 11 }, (_, month) => `${String(month + 1).padStart(2, '0')}/2026`),
    ])
  })
})

test.each([
  [40, [0, 10, 20, 30, 40]],
  [2, [0, 1, 2]],
])('levelsOf returns round, whole levels up to %d views', (views, levels) => {
  expect(levelsOf({ serie: [row('2026-03-01', views)] })).toEqual(levels)
})
