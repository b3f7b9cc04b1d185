import type { ColumnFormat, EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { isNumeric } from './format.ts'

/** A part of an ECharts option, as JSON gives it. */
export type Part = Record<string, unknown>

/** One series of a chart: which column it draws, along which category, and how its numbers are written. */
export interface Series {
  /** What the definition says about it. */
  own: Part
  type: string
  category: string
  value: string
  name: string
  format: ColumnFormat | undefined
  /** Its place among the series that the definition has, of which those without data are left out. */
  place: number
  /** Index of the value axis it uses. */
  axis: number
  /** The name of the pile that it lies on. */
  stack: string | undefined
}

/** The definition's series; without any, one for each numeric column after the first. */
export function readSeries(visual: EmbeddedVisual, data: VisualData): Series[] {
  const given = asList(visual.option.series)
  const [category = '', ...others] = data.columns
  const numeric = others.filter((_, index) => data.rows.some((row) => isNumeric(row[index + 1])))
  const horizontal = isHorizontal(visual.type)
  const inferred = visual.type === 'donut' ? numeric.slice(0, 1) : numeric
  const drafts: Part[] = given.length ? given : inferred.map(() => ({}))
  const kind = seriesType[visual.type] ?? 'bar'

  const all = drafts.map((own, index): Series => {
    const encode = isPart(own.encode) ? own.encode : {}
    const type = typeof own.type === 'string' ? own.type : kind
    const pie = type === 'pie'
    const column = (dimension: unknown, fallback: string) => columnName(dimension, data.columns) ?? fallback
    const value = column(
      pie ? encode.value : horizontal ? encode.x : encode.y,
      numeric[index] ?? numeric[0] ?? category,
    )
    return {
      own,
      type,
      value,
      category: column(pie ? encode.itemName : horizontal ? encode.y : encode.x, category),
      name: typeof own.name === 'string' ? own.name : (visual.labels[value] ?? value),
      format: visual.format[value],
      place: index,
      axis: Number((horizontal ? own.xAxisIndex : own.yAxisIndex) ?? 0),
      stack: stackOf(visual.type, own, type === kind && drafts.length > 1),
    }
  })
  const filled = all.filter(({ value }) => hasData(data, value))
  return filled.length ? filled : all
}

export const isHorizontal = (type: EmbeddedVisual['type']) => type === 'bar' || type === 'stackedBar'

/** Areas and stacked kinds pile their series up, unless the definition says otherwise (`"stack": null`). */
function stackOf(type: EmbeddedVisual['type'], own: Part, piles: boolean): string | undefined {
  if (own.stack !== undefined) return own.stack === null ? undefined : String(own.stack)
  return piles && ['area', 'stackedBar', 'stackedColumn'].includes(type) ? 'total' : undefined
}

/** Zeros alone are no data either: a count of nothing. */
const hasData = ({ columns, rows }: VisualData, column: string) => {
  const index = columns.indexOf(column)
  return rows.some((row) => row[index] !== null && row[index] !== 0)
}

export function asList(input: unknown): Part[] {
  return (Array.isArray(input) ? input : [input]).filter(isPart)
}

export const isPart = (input: unknown): input is Part =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** Objects merge, everything else replaces. */
export function merge(base: Part, over: Part): Part {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const old = merged[key]
    merged[key] = isPart(old) && isPart(value) ? merge(old, value) : value
  }
  return merged
}

const seriesType: Partial<Record<EmbeddedVisual['type'], string>> = {
  line: 'line',
  area: 'line',
  bar: 'bar',
  column: 'bar',
  stackedBar: 'bar',
  stackedColumn: 'bar',
  donut: 'pie',
}

export function columnName(dimension: unknown, columns: string[]): string | undefined {
  const first = Array.isArray(dimension) ? dimension[0] : dimension
  if (typeof first === 'number') return columns[first]
  return typeof first === 'string' && columns.includes(first) ? first : undefined
}
