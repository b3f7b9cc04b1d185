import { z } from 'zod'

/** What the author of a CSV chooses about its reading; what is omitted is detected. */
export const DraftChoices = z.object({
  /** The decimal mark of columns that both marks fit. */
  decimal: z.enum([',', '.']).optional(),
  /** The line of the heading; the first is 1. */
  headerLine: z.number().int().min(1).max(1_000).optional(),
  /** True: rows of totals are left out. */
  withoutTotals: z.boolean().optional(),
})
