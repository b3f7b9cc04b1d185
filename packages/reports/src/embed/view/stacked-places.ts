import type { EmbeddedPage } from '../report-state.ts'
import { type PageLayout, readingOrder, wholeRows } from './page-layout.ts'

/** Where a visual stands among those that are stacked. */
export interface StackedPlace {
  name: string
  /** A row of two of its own. */
  whole: boolean
  /** CSS pixels; the natural height of its kind without it. */
  height: number | undefined
}

/** The visuals in the order they are stacked in: the author's on an upright phone, else that of reading. */
export function stackedPlaces({ visuals, phone }: EmbeddedPage, layout: PageLayout): StackedPlace[] {
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

/** Side by side as the frame's width has it, and two abreast wherever the author wants halves. */
export const stackedColumns = (page: EmbeddedPage, layout: PageLayout): 1 | 2 =>
  layout.portrait && page.phone ? (page.phone.some(({ half }) => half) ? 2 : 1) : layout.columns
