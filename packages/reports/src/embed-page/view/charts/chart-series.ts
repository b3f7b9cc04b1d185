import { ownValue } from '@bi-manager/contract/own-value'
import { headingText } from '../../../definitions/heading-text.ts'
import { isRecord } from '../../../definitions/is-record.ts'
import { type ChartType, visualTypes } from '../../../definitions/visual-types.ts'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf, hasNumbers, isNumberKind, type ShownFormat } from '../style/column-format.ts'

export type ChartVisual = EmbeddedVisual & { type: ChartType }

export const isChart = (visual: EmbeddedVisual): visual is ChartVisual =>
  visualTypes[visual.type].body === 'chart'

/** A part of an ECharts option, as JSON. */
export type Part = Record<string, unknown>

/** One series of a chart: its value column, its category column, and its number format. */
export type Series = ReturnType<typeof readSeries>[number]

/** Returns the definition's series, or one for each numeric column after the first. */
export const readSeries = (visual: ChartVisual, data: VisualData) => {
  const { series: kind } = seriesKinds[visual.type]
  const given = asList(visual.option.series)
  const [category = '', ...others] = data.columns
  const numeric = others.filter((_, index) => hasNumbers(data, index + 1))
  const horizontal = isHorizontal(visual.type)
  const inferred = kind === 'pie' ? numeric.slice(0, 1) : numeric
  const drafts: Part[] = given.length ? given : inferred.map(() => ({}))

  const all = drafts.map((own, index) => {
    const encode = isRecord(own.encode) ? own.encode : {}
    const type = typeof own.type === 'string' ? own.type : kind
    const pie = type === 'pie'
    const column = (dimension: unknown, fallback: string) => columnName(dimension, data.columns) ?? fallback
    const value = column(
      pie ? encode.value : horizontal ? encode.x : encode.y,
      numeric[index] ?? numeric[0] ?? category,
    )
    const names = column(pie ? encode.itemName : horizontal ? encode.y : encode.x, category)
    return {
      /** The options that the definition sets. */
      own,
      type,
      value,
      category: names,
      /** Its categories are numbers, such as keys. */
      hasNumberNames: isNumberKind(data.kinds[data.columns.indexOf(names)]),
      /** Its categories are moments with a time of day. */
      hasTimes: hasTimes(formatOf(visual, data, names)),
      name: typeof own.name === 'string' ? own.name : headingText(ownValue(visual.labels, value) ?? value),
      format: formatOf(visual, data, value),
      /** Its index among the series of the definition, including those without data. */
      seriesIndex: index,
      /** Index of the value axis it uses. */
      axis: Number((horizontal ? own.xAxisIndex : own.yAxisIndex) ?? 0),
      /** The name of its stack. */
      stack: stackOf(visual.type, own, type === kind && drafts.length > 1),
    }
  })
  const filled = all.filter(({ value }) => hasData(data, value))
  return filled.length ? filled : all
}

export const hasTimes = (format: ShownFormat | undefined): boolean =>
  format === 'dataHora' || format === 'dataHoraSegundos'

/** The type of a chart's series in ECharts, and how they are placed. */
export const seriesKinds: Record<
  ChartType,
  { series: 'line' | 'bar' | 'pie' | 'scatter' | 'heatmap'; isHorizontal?: true; isStacked?: true }
> = {
  line: { series: 'line' },
  area: { series: 'line', isStacked: true },
  bar: { series: 'bar', isHorizontal: true },
  column: { series: 'bar' },
  stackedBar: { series: 'bar', isHorizontal: true, isStacked: true },
  stackedColumn: { series: 'bar', isStacked: true },
  donut: { series: 'pie' },
  scatter: { series: 'scatter' },
  heatmap: { series: 'heatmap' },
}

export const isHorizontal = (type: ChartType) => seriesKinds[type].isHorizontal === true

/** Areas and stacked types stack their series, unless the definition sets `"stack": null`. */
const stackOf = (type: ChartType, own: Part, piles: boolean): string | undefined => {
  if (own.stack !== undefined) return own.stack === null ? undefined : String(own.stack)
  return piles && seriesKinds[type].isStacked ? 'total' : undefined
}

/** A column of zeros counts as empty. */
const hasData = ({ columns, rows }: VisualData, column: string) => {
  const index = columns.indexOf(column)
  return rows.some((row) => row[index] !== null && row[index] !== 0)
}

export const asList = (input: unknown): Part[] => {
  return (Array.isArray(input) ? input : [input]).filter(isRecord)
}

/** Merges objects deeply; other values replace. */
export const merge = (base: Part, over: Part): Part => {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const old = merged[key]
    merged[key] = isRecord(old) && isRecord(value) ? merge(old, value) : value
  }
  return merged
}

export const columnName = (dimension: unknown, columns: string[]): string | undefined => {
  const first = Array.isArray(dimension) ? dimension[0] : dimension
  if (typeof first === 'number') return columns[first]
  return typeof first === 'string' && columns.includes(first) ? first : undefined
}
