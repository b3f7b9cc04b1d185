import { fittingLine, type SubscribedVisual } from '@bi-manager/contract'
import type { Page } from 'powerbi-client'

type Visual = Pick<Awaited<ReturnType<Page['getVisuals']>>[number], 'name' | 'title' | 'type'>

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

const hasRows = (type: string): boolean => !/slicer/i.test(type) && !withoutRows.has(type.toLowerCase())

/** Returns the visuals of a page that have rows, as a subscription stores them. */
export const visualsWithRows = (visuals: readonly Visual[]): SubscribedVisual[] =>
  visuals
    .filter(({ type }) => hasRows(type))
    .map(({ name, title }) => ({ nome: name, titulo: fittingLine(title ?? '', 200) || name }))
