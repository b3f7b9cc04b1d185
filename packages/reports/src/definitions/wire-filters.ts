import { z } from 'zod'
import {
  aggregationFunctions,
  basicOperators,
  conditionOperators,
  filterTypes,
  MAX_COLUMNS,
  MAX_GROUPS,
  MAX_POINTS,
  MAX_TIME_UNIT,
  MAX_UNITS,
  MAX_VALUES,
} from './filter-operators.ts'

const FilterValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
const FilterTarget = z.object({ table: z.string(), column: z.string() })
const filterFields = { $schema: z.string().optional(), displaySettings: z.unknown().optional() }

/* Power BI's filters on the wire. */

export const BasicFilter = z.object({
  ...filterFields,
  target: FilterTarget,
  filterType: z.literal(filterTypes.basic).optional(),
  operator: z.enum(basicOperators),
  values: z.array(FilterValue).max(MAX_VALUES).default([]),
  requireSingleSelection: z.boolean().optional(),
  /**
   * True: text has exactly these letters, as in the groups of a visual. Otherwise case does not
   * matter, as in Power BI. The lists of slicers and of the filter pane set it.
   */
  matchCase: z.boolean().optional(),
})
export const AdvancedFilter = z.object({
  ...filterFields,
  target: FilterTarget,
  filterType: z.literal(filterTypes.advanced).optional(),
  logicalOperator: z.enum(['And', 'Or']),
  conditions: z
    .array(
      z.object({
        operator: z.enum(conditionOperators),
        value: FilterValue.optional(),
      }),
    )
    .min(1)
    .max(2, 'um filtro avançado tem no máximo duas condições'),
})
export type AdvancedFilter = z.infer<typeof AdvancedFilter>
/** A period before, around or after now, which moves with the time. */
export const RelativeFilter = z.object({
  ...filterFields,
  target: FilterTarget,
  filterType: z.literal([filterTypes.relativeDate, filterTypes.relativeTime]).optional(),
  /** 0 the last, 1 this, 2 the next. */
  operator: z.literal([0, 1, 2]),
  timeUnitsCount: z.int().min(1).max(MAX_UNITS).default(1),
  timeUnitType: z.int().min(0).max(MAX_TIME_UNIT),
  includeToday: z.boolean().default(false),
})
export type RelativeFilter = z.infer<typeof RelativeFilter>
/** What a report, a page or a slicer may be filtered by. */
export const Filter = z.union([BasicFilter, AdvancedFilter, RelativeFilter])
export type Filter = z.infer<typeof Filter>

/** Keeps or removes points: combinations of values of the columns of one group each. */
export const PointFilter = z.object({
  ...filterFields,
  target: z.array(z.array(FilterTarget).min(1).max(MAX_COLUMNS)).min(1).max(MAX_GROUPS),
  filterType: z.literal(filterTypes.includeExclude).optional(),
  isExclude: z.boolean(),
  values: z
    .array(z.array(z.array(z.object({ value: FilterValue })).max(MAX_COLUMNS)).max(MAX_POINTS))
    .max(MAX_GROUPS),
})
export type PointFilter = z.infer<typeof PointFilter>
const IncludeExcludeFilter = z.object({
  ...filterFields,
  target: FilterTarget,
  filterType: z.literal(filterTypes.includeExclude).optional(),
  isExclude: z.boolean(),
  values: z.array(FilterValue).max(MAX_VALUES),
})
export const TopNFilter = z.object({
  ...filterFields,
  target: FilterTarget,
  filterType: z.literal(filterTypes.topN).optional(),
  operator: z.enum(['Top', 'Bottom']),
  itemCount: z.int().min(1).max(MAX_VALUES),
  orderBy: FilterTarget.extend({ aggregationFunction: z.enum(aggregationFunctions).optional() }),
})
export type TopNFilter = z.infer<typeof TopNFilter>
/** What one visual may be filtered by, as in Power BI. */
export const VisualFilter = z.union([...Filter.options, PointFilter, IncludeExcludeFilter, TopNFilter])
export type VisualFilter = z.infer<typeof VisualFilter>
