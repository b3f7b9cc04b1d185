import type { EmbeddedPage } from '../../state/report-state.ts'
import { type PageLayout, readingOrder, wholeRows } from './page-layout.ts'

/** The place of a visual in the stacked layout. */
export interface StackedPlace {
  name: string
  /** It has a whole row of two columns. */
  whole: boolean
  /** CSS pixels; undefined for the natural height of its type. */
  height: number | undefined
}

/** Returns the stacked visuals: in the author's order on a portrait phone, or as read. */
export const stackedPlaces = ({ visuals, phone }: EmbeddedPage, layout: PageLayout): StackedPlace[] => {
  if (layout.portrait && phone) {
    const known = phone.filter(({ visual }) => visuals.some(({ name }) => name === visual))
    return known.map(({ visual, half, height }) => ({ name: visual, whole: !half, height }))
  }
  const ordered = readingOrder(visuals)
  const whole = wholeRows(ordered)
  return ordered.map(({ name }, index) => ({
    name,
    whole: layout.columns === 2 && whole[index] === true,
    height: undefined,
  }))
}

/** Returns the number of columns: the frame's, or two if the phone layout has halves. */
export const stackedColumns = (page: EmbeddedPage, layout: PageLayout): 1 | 2 =>
  layout.portrait && page.phone ? (page.phone.some(({ half }) => half) ? 2 : 1) : layout.columns
