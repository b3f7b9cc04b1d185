import { z } from 'zod'
import { MAX_FILTERS } from '../engine/definitions/filter-operators.ts'
import { Filter, VisualFilter } from '../engine/definitions/wire-filters.ts'
import { ShownCell } from './embed-contract.ts'

/** Beneficiaries that one answer lists. */
export const MOST_BENEFICIARIES = 500

/** A data point of a visual, and the filters in force: the rows that it aggregates. */
export const Point = z.strictObject({
  page: z.string().max(100),
  visual: z.string().max(100),
  /** Filters of report, page, slicers and visual; all of them apply. */
  filters: z.array(VisualFilter).max(MAX_FILTERS).default([]),
  /** What the point selects; without it, all rows of the visual. */
  point: z.array(Filter).max(6).default([]),
  /** The selection in another visual. */
  selection: z.strictObject({ visual: z.string(), filters: z.array(Filter).min(1).max(6) }).optional(),
  drill: z.array(ShownCell).max(5).default([]),
})
export type Point = z.output<typeof Point>
