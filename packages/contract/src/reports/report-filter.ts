import { namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** A filter for `powerbi-client`: an `IBasicFilter` or `IAdvancedFilter` of powerbi-models. */
export const ReportFilter = namedObject('ReportFilter', {
  $schema: z.string(),
  target: z.object({ table: z.string(), column: z.string() }),
  filterType: z.number().int(),
  operator: z.string().optional(),
  values: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  logicalOperator: z.enum(['And', 'Or']).optional(),
  conditions: z
    .array(
      z.object({ operator: z.string(), value: z.union([z.string(), z.number(), z.boolean()]).optional() }),
    )
    .max(2)
    .optional(),
  requireSingleSelection: z.boolean().optional(),
})
export type ReportFilter = z.infer<typeof ReportFilter>
