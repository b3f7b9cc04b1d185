/*
 * The types of visuals. The embed page reads this too, so it must not import zod. A new type does
 * not compile until each table by type has it: see 'Add a visual type' in CONTRIBUTING.md.
 */

/** What draws a visual. A control has no query; all others draw rows. */
export type VisualBody = 'card' | 'chart' | 'table' | 'matrix' | 'control'

type Traits = { body: VisualBody; canDrill: boolean; isPrinted: boolean }

const axisChart = { body: 'chart', canDrill: true, isPrinted: true } as const satisfies Traits
const pointChart = { ...axisChart, canDrill: false } as const satisfies Traits

/** By type; the order is that of the JSON Schema. */
export const visualTypes = {
  card: { body: 'card', canDrill: false, isPrinted: true },
  line: axisChart,
  area: axisChart,
  bar: axisChart,
  column: axisChart,
  stackedBar: axisChart,
  stackedColumn: axisChart,
  donut: axisChart,
  scatter: pointChart,
  heatmap: pointChart,
  table: { body: 'table', canDrill: false, isPrinted: true },
  matrix: { body: 'matrix', canDrill: false, isPrinted: true },
  slicer: { body: 'control', canDrill: false, isPrinted: false },
  text: { body: 'control', canDrill: false, isPrinted: true },
  button: { body: 'control', canDrill: false, isPrinted: false },
} as const satisfies Record<string, Traits>

export type VisualType = keyof typeof visualTypes
type TypesOf<Body extends VisualBody> = {
  [Type in VisualType]: (typeof visualTypes)[Type]['body'] extends Body ? Type : never
}[VisualType]
export type ChartType = TypesOf<'chart'>
export type ControlType = TypesOf<'control'>
export type QueryType = Exclude<VisualType, ControlType>

export const hasQuery = (type: VisualType): type is QueryType => visualTypes[type].body !== 'control'
