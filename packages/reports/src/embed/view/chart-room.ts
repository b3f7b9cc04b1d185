import type { Theme } from './theme.ts'
import type { ValueLooks } from './value-looks.ts'

/** The room a chart has, in CSS pixels, the factor on its type sizes, its colours, and what is picked in it. */
export interface ChartRoom {
  width: number
  height: number
  text: number
  animated: boolean
  theme: Theme
  looks: ValueLooks
  /** A click on a point does something. */
  pickable?: boolean
  /** The rows of the picked point: all others step back. Without it, none is picked. */
  strong?: ReadonlySet<number> | undefined
}

/** Whether a row steps back behind what is picked. */
export const isDimmed = ({ strong }: ChartRoom, row: number) => strong !== undefined && !strong.has(row)

/** Of shapes that step back. */
export const DIMMED = 0.28
