/** The room a chart has, in CSS pixels, and the factor on its type sizes. */
export interface ChartRoom {
  width: number
  height: number
  text: number
  animated: boolean
}
