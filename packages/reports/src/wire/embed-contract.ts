import { z } from 'zod'
import {
  type ColumnFormat,
  type PageDefinition,
  type ReportDefinition,
  Target,
  type VisualDefinition,
} from '../definitions/definition.ts'
import { MAX_FILTERS } from '../definitions/filter-operators.ts'
import { Filter, VisualFilter } from '../definitions/wire-filters.ts'
import { MAX_EXPLAINED, MAX_EXPORTED, MAX_LETTERS } from './wire-names.ts'

/*
 * The embed page's API. Each call carries `Authorization: EmbedToken <token>`; the server checks
 * signature, expiry, report and rows every time. Errors have Power BI's shape and codes: 403
 * `TokenExpired` or `PowerBINotAuthorizedException`, 400 `InvalidRequest` or `InvalidFilter`,
 * 404 `PowerBIEntityNotFound`, 429 `TooManyUnreadAnswers` and 503 `ServiceBusy` with Retry-After,
 * 504 `QueryTimeout`.
 */

/** A visual as the page receives it: the definition without its SQL. */
export type EmbeddedVisual = Omit<VisualDefinition, 'query' | 'summary' | 'drill' | 'matrix' | 'totals'> & {
  /** The columns of its rows, as in `VisualData`; none without a query. */
  columns: string[]
  /** Its rows have a column with the id of a beneficiary. */
  hasBeneficiaries?: true
  /** A table whose values are data, not results: their numbers are shown with all decimals. */
  hasStoredValues?: true
  /** The names of the measures, without their expressions. */
  drill?: { levels: EmbeddedLevel[]; values: string[] } | undefined
  matrix?: { rows: string[]; columns: string[]; values: string[]; subtotals: boolean } | undefined
}

/** A level of a hierarchy, and the kind of its values; none without a query. */
type EmbeddedLevel = NonNullable<VisualDefinition['drill']>['levels'][number] & {
  kind?: ColumnKind | undefined
}

/** GET /embed-api/reports/:id */
export type EmbeddedReport = Omit<ReportDefinition, 'pages' | 'dataset'> & {
  pages: (Omit<PageDefinition, 'visuals'> & { visuals: EmbeddedVisual[] })[]
  /** Every table and column that a filter may name, so that the page can refuse an unknown one. */
  columns: Record<string, string[]>
  /** The kinds of these columns, in the same order. */
  columnKinds: Record<string, ColumnKind[]>
  /** The time zone of the dataset (IANA), on whose clock all its instants are. */
  timeZone: string
  /** Milliseconds since the epoch at which the token ends. */
  expiresAt: number
}

/**
 * What the cells of a column are. Cells of `integer` and `number` are JSON numbers; those whose
 * digits a double cannot hold are texts with the exact digits and a decimal point. `date` is
 * yyyy-mm-dd, `time` hh:mm:ss, and `timestamp` yyyy-mm-ddThh:mm:ss, with a fraction if there is
 * one, on the clock of the dataset's time zone. All others are texts.
 */
export const ColumnKind = z.enum([
  'integer',
  'number',
  'boolean',
  'date',
  'timestamp',
  'time',
  'text',
  'other',
])
export type ColumnKind = z.infer<typeof ColumnKind>

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Cell = z.infer<typeof Cell>

/** A value as it was shown: longer texts are cut (wire.ts). */
export const ShownCell = z.union([z.string().max(MAX_LETTERS + 1), z.number(), z.boolean(), z.null()])

const Sort = z.strictObject({ column: z.string().max(100), descending: z.boolean() })
export type Sort = z.infer<typeof Sort>

/**
 * A filter that a click on a point makes. It keeps exactly the rows that the point aggregates: SQL
 * groups texts by their exact letters.
 */
export const PickedFilter = Filter.transform(
  (filter): Filter => ('values' in filter ? { ...filter, matchCase: true } : filter),
)
/** The selection in one visual. */
export const Selection = z.strictObject({ visual: z.string(), filters: z.array(PickedFilter).min(1).max(6) })

/** POST /embed-api/reports/:id/data: the rows of visuals of one page. */
export const PageDataRequest = z.strictObject({
  page: z.string(),
  /** Filters of report, page, slicers and visual, in any order; all of them apply. */
  filters: z.array(VisualFilter).max(MAX_FILTERS),
  /** It cross-filters all other visuals that do not ignore selections. */
  selection: Selection.optional(),
  /** The drill paths, from the top level down, of visuals with a hierarchy, keyed by visual. */
  drill: z.record(z.string(), z.array(ShownCell).max(5)).default({}),
  /** The columns by which rows are sorted, keyed by visual; a missing column is ignored. */
  sort: z.record(z.string(), Sort).default({}),
  /** Visuals to answer; by default all that have a query. */
  visuals: z.array(z.string()).max(40).optional(),
  /** Returns the rows that the visuals aggregate, if the report allows it: at most this many. */
  underlying: z.int().min(1).max(MAX_EXPORTED).optional(),
})
export type PageDataRequest = z.input<typeof PageDataRequest>
export type PageDataQuery = z.output<typeof PageDataRequest>

export const VisualData = z.object({
  columns: z.array(z.string()),
  /** The kind of each column. */
  kinds: z.array(ColumnKind),
  rows: z.array(z.array(Cell)),
  truncated: z.boolean(),
  /** How many texts have only their beginning and '…'; of a matrix, how many different ones. */
  cutTexts: z.int().optional(),
  /** The order that was asked for. */
  sort: Sort.optional(),
  /** Tables with totals: one cell per column, null where it has none. */
  totals: z.array(Cell).optional(),
  /** The kinds of the totals: the sum of a text's lengths is a number. */
  totalKinds: z.array(ColumnKind).optional(),
  /**
   * Matrices, one pair per row: how many row and column keys it has; the others are null, since the
   * row aggregates them. Rows are ordered by their keys, and totals follow what they sum.
   */
  levels: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
  /**
   * Cells that are null because JSON cannot write them: row, column and value. The row after the
   * last one is that of the totals.
   */
  notNumbers: z.array(z.tuple([z.int(), z.int(), z.enum(['NaN', 'Infinity', '-Infinity'])])).optional(),
})
export type VisualData = z.infer<typeof VisualData>

/** Visuals that failed are in `failures`, with Power BI's codes (`QueryTimeout`, `QueryFailed`). */
export const PageData = z.object({
  visuals: z.record(z.string(), VisualData),
  failures: z.record(z.string(), z.object({ code: z.string(), message: z.string() })),
  /** When the data was last refreshed (ISO). */
  dataTime: z.string().optional(),
})
export type PageData = z.infer<typeof PageData>

/** POST /embed-api/reports/:id/values: at most 200 values for the filter pane, sorted. */
export const ColumnValuesRequest = z.object({
  target: Target,
  search: z.string().max(100).optional(),
  /** Returns only the minimum and the maximum, for date ranges. */
  bounds: z.boolean().optional(),
})
export type ColumnValuesRequest = z.infer<typeof ColumnValuesRequest>
export const ColumnValues = z.object({
  values: z.array(Cell),
  /** The kind of the column. */
  kind: ColumnKind,
  truncated: z.boolean(),
})
export type ColumnValues = z.infer<typeof ColumnValues>

/** POST /embed-api/reports/:id/empty: why visuals have no rows. Asked only for empty visuals. */
export const EmptyVisualsRequest = z.strictObject({
  page: z.string(),
  visuals: z.array(z.string()).min(1).max(MAX_EXPLAINED),
  /** The filters in force, without those of a selection. */
  filters: z.array(VisualFilter).max(MAX_FILTERS),
  /** The drill paths of these visuals. */
  drill: z.record(z.string(), z.array(ShownCell).max(5)).default({}),
})
export type EmptyVisualsRequest = z.input<typeof EmptyVisualsRequest>

const EmptyReason = z.discriminatedUnion('kind', [
  /** One filter leaves no row by itself, or several do together: their places in the request. */
  z.object({ kind: z.literal('filters'), filters: z.array(z.number().int()) }),
  z.object({
    kind: z.literal('rule'),
    /** The rule uses `$customdata`, and the reader has none. */
    lacksCustomData: z.boolean(),
    /** Only for a token that explains the rules: the roles with a rule, and what they compare. */
    rules: z
      .object({ roles: z.array(z.string()), username: z.string(), customData: z.string().nullable() })
      .optional(),
  }),
  /** The table has no rows at all. */
  z.object({ kind: z.literal('data') }),
  /** Without any filter, no row has the values of the drill path up to this level; 0 is the first. */
  z.object({ kind: z.literal('drill'), level: z.number().int() }),
])
export type EmptyReason = z.infer<typeof EmptyReason>

/** Keyed by visual. A visual is left out when its own query leaves out every row. */
export const EmptyReasons = z.object({ reasons: z.record(z.string(), EmptyReason) })
export type EmptyReasons = z.infer<typeof EmptyReasons>

export type { ColumnFormat, Filter, Target, VisualFilter }

/** Why a sheet could not be drawn; with a code, the message is for the caller of the export. */
export interface SheetFault {
  code?: string
  message: string
}
