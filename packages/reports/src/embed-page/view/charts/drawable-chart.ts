import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, VisualData } from '../../../wire/embed-contract.ts'
import { cellsKey } from '../style/cell-key.ts'
import { isNotNumber, numberOf } from '../style/column-format.ts'
import { withEveryDate } from './chart-dates.ts'
import { heatColumns } from './chart-heatmap.ts'
import { scatterColumns } from './chart-scatter.ts'
import { asList, type ChartVisual, isHorizontal, type Part, readSeries, type Series } from './chart-series.ts'

/** What is drawn, and one sentence for each way in which it differs from the definition or the data. */
export interface DrawableChart {
  visual: ChartVisual
  data: VisualData
  notes: string[]
}

/** Series of one chart: more would be neither drawn in time nor told apart. */
const MAX_SERIES = 50

/**
 * Replaces what a chart cannot show truthfully: a donut with negative parts becomes bars. Data that
 * is left out is said, never dropped silently.
 */
export const drawableChart = (given: ChartVisual, data: VisualData): DrawableChart => {
  const notes: string[] = []
  const visual = withFewSeries(
    withLinearScale(withoutStackedSigns(withoutPie(given, data, notes), data, notes), data, notes),
    data,
    notes,
  )
  const dated = withEveryDate(visual, data)
  if (dated.isUneven) notes.push(UNEVEN)
  notes.push(...leftOut(visual, data))
  return { visual, data: dated.data, notes }
}

const UNEVEN = 'As datas estão espaçadas por igual: há períodos sem dados entre elas.'

const cellsOf = ({ columns, rows }: VisualData, column: string): (Cell | undefined)[] => {
  const at = columns.indexOf(column)
  return rows.map((row) => row[at])
}

/** A ring shows parts of a whole: they are numbers, none is negative, and some is not zero. */
const withoutPie = (visual: ChartVisual, data: VisualData, notes: string[]): ChartVisual => {
  const series = readSeries(visual, data)
  const pies = series.filter(({ type }) => type === 'pie')
  const reason = pies.map((one) => whyNoPie(cellsOf(data, one.value))).find(Boolean)
  if (!reason) return visual
  notes.push(`${reason}: os dados estão em barras.`)
  const { series: _series, legend: _legend, ...option } = visual.option
  return { ...visual, type: 'bar', option: { ...option, series: series.map(asBars) } }
}

const whyNoPie = (cells: (Cell | undefined)[]): string | undefined => {
  if (cells.some((cell) => Number(cell) < 0)) return 'Uma rosca não mostra valores negativos'
  if (cells.some(isNotNumber)) return 'Uma rosca não mostra o que não é um número'
  return cells.some((cell) => Number(cell) > 0)
    ? undefined
    : 'Todos os valores são zero, e a rosca ficaria vazia'
}

const asBars = ({ value, category, own }: Series): Part => ({
  type: 'bar',
  encode: { x: value, y: category },
  ...(typeof own.name === 'string' && { name: own.name }),
})

/** Areas of different signs would overlap: each is drawn from zero instead. */
const withoutStackedSigns = (visual: ChartVisual, data: VisualData, notes: string[]): ChartVisual => {
  const stacked = readSeries(visual, data).filter(({ stack }) => stack !== undefined)
  if (stacked.length < 2) return visual
  const isNegative = stacked.some(({ value }) => cellsOf(data, value).some((cell) => Number(cell) < 0))
  if (!isNegative) return visual
  if (!stacked.some(({ type }) => type === 'line')) {
    if (stacked[0]?.format === 'percentual') notes.push(NEGATIVE_SHARES)
    return visual
  }
  notes.push('Há valores negativos: as áreas não estão empilhadas.')
  const series = readSeries(visual, data).map(({ own, value, category }) => ({
    encode: { x: category, y: value },
    ...own,
    stack: null,
  }))
  return { ...visual, option: { ...visual.option, series } }
}

const NEGATIVE_SHARES = 'Há partes negativas: elas ficam do outro lado do eixo, e as partes não somam o todo.'

/** A logarithm of zero or less does not exist. */
const withLinearScale = (visual: ChartVisual, data: VisualData, notes: string[]): ChartVisual => {
  const axes = (['xAxis', 'yAxis'] as const).filter((name) =>
    asList(visual.option[name]).some(({ type }) => type === 'log'),
  )
  if (axes.length === 0) return visual
  const columns =
    visual.type === 'scatter'
      ? logColumns(visual, data, axes)
      : readSeries(visual, data).map(({ value }) => value)
  if (!columns.some((column) => cellsOf(data, column).some((cell) => (numberOf(cell) ?? 1) <= 0)))
    return visual
  notes.push('Uma escala logarítmica não mostra zero nem valores negativos: a escala é linear.')
  const linear = ({ type, logBase: _base, ...axis }: Part): Part => ({
    ...axis,
    type: type === 'log' ? 'value' : type,
  })
  return {
    ...visual,
    option: {
      ...visual.option,
      ...Object.fromEntries(axes.map((name) => [name, asList(visual.option[name]).map(linear)])),
    },
  }
}

const logColumns = (visual: ChartVisual, data: VisualData, axes: readonly string[]): string[] => {
  const { x, y } = scatterColumns(visual, data)
  return [...(axes.includes('xAxis') ? [x] : []), ...(axes.includes('yAxis') ? [y] : [])]
}

const withFewSeries = (visual: ChartVisual, data: VisualData, notes: string[]): ChartVisual => {
  const series = readSeries(visual, data)
  if (series.length <= MAX_SERIES) return visual
  notes.push(`Só as primeiras ${MAX_SERIES} de ${counted(series.length)} séries aparecem.`)
  const [value, category] = isHorizontal(visual.type) ? ['x', 'y'] : ['y', 'x']
  const shown = series
    .slice(0, MAX_SERIES)
    .map((one) => ({ encode: { [category]: one.category, [value]: one.value }, ...one.own }))
  return { ...visual, option: { ...visual.option, series: shown } }
}

/** Says which rows or values have no place in the chart. */
const leftOut = (visual: ChartVisual, data: VisualData): string[] => {
  const notes: string[] = []
  if (data.truncated)
    notes.push(
      `Só os primeiros ${counted(data.rows.length)} pontos aparecem: há mais. Use os filtros para ver os outros.`,
    )
  if (visual.type !== 'scatter' && visual.type !== 'heatmap' && readSeries(visual, data).length === 0)
    notes.push('Não há números para mostrar.')
  const broken = drawnColumns(visual, data).flatMap((column) =>
    cellsOf(data, column).filter(isNotNumber),
  ).length
  if (broken > 0)
    notes.push(
      broken === 1 ? ONE_BROKEN : `${counted(broken)} valores não são números e não foram desenhados.`,
    )
  if (visual.type === 'scatter') notes.push(...scatterNotes(visual, data))
  if (visual.type === 'heatmap') notes.push(...heatNotes(visual, data))
  return notes
}

const ONE_BROKEN = 'Um valor não é um número e não foi desenhado.'

const drawnColumns = (visual: ChartVisual, data: VisualData): string[] => {
  if (visual.type === 'heatmap') return [heatColumns(visual, data).value]
  if (visual.type === 'scatter') {
    const { x, y, size } = scatterColumns(visual, data)
    return [...new Set([x, y, ...(size === undefined ? [] : [size])])]
  }
  return [...new Set(readSeries(visual, data).map(({ value }) => value))]
}

const scatterNotes = (visual: ChartVisual, data: VisualData): string[] => {
  const { x, y, size } = scatterColumns(visual, data)
  const [xs, ys] = [cellsOf(data, x), cellsOf(data, y)]
  const without = xs.filter((cell, index) => cell == null || ys[index] == null).length
  const isNegative = size !== undefined && cellsOf(data, size).some((cell) => Number(cell) < 0)
  const name = ownValue(visual.labels, size ?? '') ?? size
  return [
    ...(without === 1
      ? ['Um ponto sem valor não aparece.']
      : without > 1
        ? [`${counted(without)} pontos sem valor não aparecem.`]
        : []),
    ...(isNegative ? [`Valores negativos de ${name} têm o menor tamanho.`] : []),
  ]
}

const heatNotes = (visual: ChartVisual, data: VisualData): string[] => {
  const { x, y } = heatColumns(visual, data)
  const ys = cellsOf(data, y)
  const cells = cellsOf(data, x).map((cell, index) => cellsKey([cell, ys[index]]))
  const hidden = cells.length - new Set(cells).size
  if (hidden === 0) return []
  return [
    hidden === 1
      ? 'Uma linha dos dados está sob outra da mesma célula.'
      : `${counted(hidden)} linhas dos dados estão sob outras da mesma célula.`,
  ]
}

const counted = (count: number) => count.toLocaleString('pt-BR')
