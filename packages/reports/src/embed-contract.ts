import { z } from 'zod'
import {
  type ColumnFormat,
  Filter,
  type PageDefinition,
  type ReportDefinition,
  Target,
  type VisualDefinition,
} from './engine/definition.ts'
import { MAX_FILTERS } from './filter-operators.ts'
import { MOST_LETTERS } from './wire-names.ts'

/*
 * What the embed page asks its own server. Each call carries `Authorization: EmbedToken <token>`, and the server checks
 * signature, expiry, report and rows each time. Errors are Power BI's: `{error: {code, message}}`, 403 with code
 * `TokenExpired` or `PowerBINotAuthorizedException`, 400 `InvalidRequest` or `InvalidFilter`, 404 `PowerBIEntityNotFound`,
 * 503 `ServiceBusy` with Retry-After, 504 `QueryTimeout`.
 */

/** A visual as the page draws it: the definition without its SQL. */
export type EmbeddedVisual = Omit<VisualDefinition, 'query' | 'drill' | 'matrix' | 'totals'> & {
  /** Without the expressions of the measures: their names alone. */
  drill?: { levels: NonNullable<VisualDefinition['drill']>['levels']; values: string[] } | undefined
  matrix?: { rows: string[]; columns: string[]; values: string[]; subtotals: boolean } | undefined
}

/** GET /embed-api/reports/:id */
export type EmbeddedReport = Omit<ReportDefinition, 'pages' | 'dataset'> & {
  pages: (Omit<PageDefinition, 'visuals'> & { visuals: EmbeddedVisual[] })[]
  /** Every table and column that a filter may name, so that the page can refuse an unknown one. */
  columns: Record<string, string[]>
  /** Milliseconds since the epoch at which the token ends. */
  expiresAt: number
}

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Cell = z.infer<typeof Cell>

/** As it was shown: longer texts are cut (wire.ts). */
const ShownCell = z.union([z.string().max(MOST_LETTERS + 1), z.number(), z.boolean(), z.null()])

/** POST /embed-api/reports/:id/data: the rows of visuals of one page. */
export const PageDataRequest = z.strictObject({
  page: z.string(),
  /** Report, page and slicer filters in force, in any order; all of them apply. */
  filters: z.array(Filter).max(MAX_FILTERS),
  /** What is picked in one visual: all others that do not ignore it show only rows that meet these filters too. */
  selection: z.strictObject({ visual: z.string(), filters: z.array(Filter).min(1).max(6) }).optional(),
  /** By visual with a hierarchy: the values opened so far, of the widest level first. */
  drill: z.record(z.string(), z.array(ShownCell).max(5)).default({}),
  /** Only these are answered; without it, all that have a query. */
  visuals: z.array(z.string()).max(40).optional(),
})
export type PageDataRequest = z.input<typeof PageDataRequest>

/** Dates arrive as yyyy-mm-dd, instants as ISO, decimals and big integers as numbers. */
export const VisualData = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(Cell)),
  truncated: z.boolean(),
  /** Tables with totals: one cell a column, null where it has none. */
  totals: z.array(Cell).optional(),
  /**
   * Matrices, one pair a row: of how many row and column keys it is about; the others are null, being summed up. Rows come
   * in the order of their keys, sums after what they sum up.
   */
  levels: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
})
export type VisualData = z.infer<typeof VisualData>

/** A visual that failed alone stands among the failures, in Power BI's words (`QueryTimeout`, `QueryFailed`). */
export const PageData = z.object({
  visuals: z.record(z.string(), VisualData),
  failures: z.record(z.string(), z.object({ code: z.string(), message: z.string() })),
})
export type PageData = z.infer<typeof PageData>

/** POST /embed-api/reports/:id/values: the values of a column for the filter pane, at most 200, in order. */
export const ColumnValuesRequest = z.object({
  target: Target,
  search: z.string().max(100).optional(),
  /** Only the least and the greatest, for a range of dates. */
  bounds: z.boolean().optional(),
})
export const ColumnValues = z.object({ values: z.array(Cell), truncated: z.boolean() })
export type ColumnValues = z.infer<typeof ColumnValues>

export type { ColumnFormat, Filter, Target }

/** Why the export page could not draw a sheet; with a code, it is fit for whoever asked for the export. */
export interface SheetFault {
  code?: string
  message: string
}
