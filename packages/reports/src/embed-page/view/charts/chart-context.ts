import type { Theme } from '../style/theme.ts'
import type { ValueFormats } from '../style/value-formats.ts'

/** The size of a chart in CSS pixels, the factor on font sizes, its colours, and its selection. */
export interface ChartContext {
  width: number
  height: number
  text: number
  animated: boolean
  /** On paper: nothing scrolls, and a legend has no pages. */
  printed?: boolean
  theme: Theme
  valueFormats: ValueFormats
  /** A click on a point has an effect. */
  pickable?: boolean
  /** The rows of the selected point: all others are dimmed. Undefined when nothing is selected. */
  selectedRows?: ReadonlySet<number> | undefined
}

/** Returns whether a row is dimmed, because another one is selected. */
export const isDimmed = ({ selectedRows }: ChartContext, row: number) =>
  selectedRows !== undefined && !selectedRows.has(row)

/** Opacity of dimmed shapes. */
export const DIMMED = 0.28
