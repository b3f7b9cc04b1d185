import { fittingLine, type SubscribedVisual } from '@bi-manager/contract'
import type { Page } from 'powerbi-client'

type Visual = Pick<Awaited<ReturnType<Page['getVisuals']>>[number], 'name' | 'title' | 'type'>

/** Power BI's names of the types that have no rows. */
const withoutRows = ['slicer', 'textbox', 'actionButton', 'image', 'shape', 'basicShape']

/** Returns the visuals of a page that have rows, as a subscription stores them. */
export const visualsWithRows = (visuals: readonly Visual[]): SubscribedVisual[] =>
  visuals
    .filter(({ type }) => !withoutRows.includes(type))
    .map(({ name, title }) => ({ nome: name, titulo: fittingLine(title ?? '', 200) || name }))
