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
}

/** The definition's series; without any, one for each numeric column after the first. */
export function readSeries(visual: EmbeddedVisual, data: VisualData): Series[] {
  const given = asList(visual.option.series)
  const [category = '', ...others] = data.columns
  const numeric = others.filter((_, index) => data.rows.some((row) => isNumeric(row[index + 1])))
  const horizontal = visual.type === 'bar'
  const inferred = visual.type === 'donut' ? numeric.slice(0, 1) : numeric
  const drafts: Part[] = given.length ? given : inferred.map(() => ({}))

  const all = drafts.map((own, index): Series => {
    const encode = isPart(own.encode) ? own.encode : {}
    const type = typeof own.type === 'string' ? own.type : (seriesType[visual.type] ?? 'bar')
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
    }
  })
  const filled = all.filter(({ value }) => hasData(data, value))
  return filled.length ? filled : all
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

const seriesType: Record<string, string> = { line: 'line', bar: 'bar', column: 'bar', donut: 'pie' }

function columnName(dimension: unknown, columns: string[]): string | undefined {
  const first = Array.isArray(dimension) ? dimension[0] : dimension
  if (typeof first === 'number') return columns[first]
  return typeof first === 'string' && columns.includes(first) ? first : undefined
}
