import type { Point } from '../../wire/point-contract.ts'
import { activePage, filtersOnVisual, type ReportState } from './report-state.ts'
import { pathOf } from './selection.ts'

/**
 * Returns the selected data point with the filters in force; null without one, and when no
 * beneficiaries can be listed behind it.
 */
export const selectedPoint = (state: ReportState): Point | null => {
  const { selection } = state
  const page = activePage(state)
  const visual = selection && page.visuals.find(({ name }) => name === selection.visual)
  if (!selection || !visual?.hasBeneficiaries) return null
  return {
    page: page.name,
    visual: visual.name,
    filters: filtersOnVisual(state, page.name, visual.name),
    point: selection.filters,
    drill: [...pathOf(state, visual)],
  }
}
