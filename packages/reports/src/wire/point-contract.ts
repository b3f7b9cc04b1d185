import { z } from 'zod'
import { MAX_FILTERS } from '../definitions/filter-operators.ts'
import { VisualFilter } from '../definitions/wire-filters.ts'
import { PickedFilter, Selection, ShownCell } from './embed-contract.ts'

/** Beneficiaries that one answer lists. */
export const MAX_BENEFICIARIES = 500

/** A data point of a visual, and the filters in force: the rows that it aggregates. */
export const Point = z.strictObject({
  page: z.string().max(100),
  visual: z.string().max(100),
  /** Filters of report, page, slicers and visual; all of them apply. */
  filters: z.array(VisualFilter).max(MAX_FILTERS).default([]),
  /** What the point selects; without it, all rows of the visual. */
  point: z.array(PickedFilter).max(6).default([]),
  /** The selection in another visual. */
  selection: Selection.optional(),
  drill: z.array(ShownCell).max(5).default([]),
})
export type Point = z.output<typeof Point>
