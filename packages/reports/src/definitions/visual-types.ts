/*
 * The types of visuals. The embed page reads this too, so it must not import zod. A new type does
 * not compile until each table by type has it: see 'Add a visual type' in CONTRIBUTING.md.
 */

/** What draws a visual. A control has no query; all others draw rows. */
export type VisualBody = 'card' | 'chart' | 'table' | 'matrix' | 'control'

/** `powerBi` is Power BI's name of the type, which its clients compare. */
type Traits = { body: VisualBody; powerBi: string; canDrill: boolean; isPrinted: boolean }

const axisChart = { body: 'chart', canDrill: true, isPrinted: true } as const
const pointChart = { ...axisChart, canDrill: false } as const

/** What is known of each type; the order is that of the JSON Schema. */
export const visualTypes = {
  card: { body: 'card', powerBi: 'card', canDrill: false, isPrinted: true },
  line: { ...axisChart, powerBi: 'lineChart' },
  area: { ...axisChart, powerBi: 'areaChart' },
  bar: { ...axisChart, powerBi: 'clusteredBarChart' },
  column: { ...axisChart, powerBi: 'clusteredColumnChart' },
  // Power BI calls the stacked ones `barChart` and `columnChart`.
  stackedBar: { ...axisChart, powerBi: 'barChart' },
  stackedColumn: { ...axisChart, powerBi: 'columnChart' },
  donut: { ...axisChart, powerBi: 'donutChart' },
  scatter: { ...pointChart, powerBi: 'scatterChart' },
  // A matrix with colours, there.
  heatmap: { ...pointChart, powerBi: 'pivotTable' },
  table: { body: 'table', powerBi: 'tableEx', canDrill: false, isPrinted: true },
  matrix: { body: 'matrix', powerBi: 'pivotTable', canDrill: false, isPrinted: true },
  slicer: { body: 'control', powerBi: 'slicer', canDrill: false, isPrinted: false },
  text: { body: 'control', powerBi: 'textbox', canDrill: false, isPrinted: true },
  button: { body: 'control', powerBi: 'actionButton', canDrill: false, isPrinted: false },
} as const satisfies Record<string, Traits>

export type VisualType = keyof typeof visualTypes
type TypesOf<Body extends VisualBody> = {
  [Type in VisualType]: (typeof visualTypes)[Type]['body'] extends Body ? Type : never
}[VisualType]
export type ChartType = TypesOf<'chart'>
export type ControlType = TypesOf<'control'>
export type QueryType = Exclude<VisualType, ControlType>

export const hasQuery = (type: VisualType): type is QueryType => visualTypes[type].body !== 'control'
