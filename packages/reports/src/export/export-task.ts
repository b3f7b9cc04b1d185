import { z } from 'zod'
import { Identity } from '../tokens.ts'

/** One page of the report, or one visual of it. Travels into the browser as JSON. */
const ExportSheet = z.object({
  page: z.string(),
  visual: z.string().optional(),
  /** As powerbi-client's load configuration takes it. */
  bookmark: z.union([z.object({ name: z.string() }), z.object({ state: z.string() })]).optional(),
  filters: z.array(z.custom<object>((value) => typeof value === 'object' && value !== null)),
})
export type ExportSheet = z.infer<typeof ExportSheet>

/**
 * What one export draws, all checked: a sheet for each item of `sheets`. Kept as JSON until it is
 * drawn.
 */
export const ExportTask = z.object({
  format: z.enum(['PDF', 'PNG']),
  reportId: z.string(),
  /** Whose rows it shows. */
  identities: z.array(Identity),
  sheets: z.array(ExportSheet),
})
export type ExportTask = z.infer<typeof ExportTask>

export type ExportFile = { bytes: Uint8Array; type: string; extension: '.pdf' | '.png' | '.zip' }
