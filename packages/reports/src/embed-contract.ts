import { z } from 'zod'
import {
  type ColumnFormat,
  Filter,
  PageDefinition,
  ReportDefinition,
  Target,
  VisualDefinition,
} from './engine/definition.ts'
import { MAX_FILTERS } from './filter-operators.ts'

/*
 * What the embed page asks its own server. Each call carries `Authorization: EmbedToken <token>`, and the server checks
 * signature, expiry, report and rows each time. Errors are Power BI's: `{error: {code, message}}`, 403 with code
 * `TokenExpired` or `PowerBINotAuthorizedException`, 400 `InvalidRequest` or `InvalidFilter`, 404 `PowerBIEntityNotFound`,
 * 503 `ServiceBusy` with Retry-After, 504 `QueryTimeout`.
 */

/** A visual as the page draws it: the definition without its SQL. */
export const EmbeddedVisual = VisualDefinition.omit({ query: true })
export type EmbeddedVisual = z.infer<typeof EmbeddedVisual>

/** GET /embed-api/reports/:id */
export const EmbeddedReport = ReportDefinition.omit({ pages: true, dataset: true }).extend({
  pages: z.array(PageDefinition.omit({ visuals: true }).extend({ visuals: z.array(EmbeddedVisual) })),
  /** Every table and column that a filter may name, so that the page can refuse an unknown one. */
  columns: z.record(z.string(), z.array(z.string())),
  /** Milliseconds since the epoch at which the token ends. */
  expiresAt: z.number(),
})
export type EmbeddedReport = z.infer<typeof EmbeddedReport>

/** POST /embed-api/reports/:id/data: the rows of one page, every visual at once. */
export const PageDataRequest = z.object({
  page: z.string(),
  /** Report and page filters in force, in any order; all of them apply. */
  filters: z.array(Filter).max(MAX_FILTERS),
})
export type PageDataRequest = z.infer<typeof PageDataRequest>

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Cell = z.infer<typeof Cell>

/** Dates arrive as yyyy-mm-dd, instants as ISO, decimals and big integers as numbers. */
export const VisualData = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(Cell)),
  truncated: z.boolean(),
})
export type VisualData = z.infer<typeof VisualData>

export const PageData = z.object({ visuals: z.record(z.string(), VisualData) })
export type PageData = z.infer<typeof PageData>

/** POST /embed-api/reports/:id/values: the values of a column for the filter pane, at most 200, in order. */
export const ColumnValuesRequest = z.object({ target: Target, search: z.string().max(100).optional() })
export const ColumnValues = z.object({ values: z.array(Cell), truncated: z.boolean() })
export type ColumnValues = z.infer<typeof ColumnValues>

export type { ColumnFormat, Filter, Target }
