import { fittingLine, type SubscribedVisual } from '@bi-manager/contract'
import type { Page } from 'powerbi-client'

type Visual = Pick<Awaited<ReturnType<Page['getVisuals']>>[number], 'name' | 'title' | 'type'>

/** Maximum number of rows that Power BI exports of a visual. */
export const MAX_ROWS = 30_000

/** Power BI's names, in lower case, of the types of visuals without rows. Slicers have none either. */
const withoutRows = new Set([
  'textbox',
  'image',
  'shape',
  'basicshape',
  'actionbutton',
  'pagenavigator',
  'bookmarknavigator',
  'group',
])

export const isSlicer = (type: string): boolean => /slicer/i.test(type)

export const hasRows = (type: string): boolean => !isSlicer(type) && !withoutRows.has(type.toLowerCase())

/** Returns the visuals of a page that have rows, as a subscription stores them. */
export const visualsWithRows = (visuals: readonly Visual[]): SubscribedVisual[] =>
  visuals
    .filter(({ type }) => hasRows(type))
    .map(({ name, title }) => ({ nome: name, titulo: fittingLine(title ?? '', 200) || name }))
