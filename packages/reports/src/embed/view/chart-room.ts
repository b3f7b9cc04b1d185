import type { Theme } from './theme.ts'
import type { ValueLooks } from './value-looks.ts'

/** The room a chart has, in CSS pixels, the factor on its type sizes, and its colours. */
export interface ChartRoom {
  width: number
  height: number
  text: number
  animated: boolean
  theme: Theme
  looks: ValueLooks
}
