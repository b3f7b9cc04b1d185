import { z } from 'zod'
import { Identity } from '../http/tokens.ts'
import { SheetBrand } from '../wire/sheet-brand.ts'
import type { ContentFacts } from './content-facts.ts'

/** One page of the report, or one of its visuals. Passed to the browser as JSON. */
const ExportSheet = z.object({
  page: z.string(),
  visual: z.string().optional(),
  /** The field of the same name in powerbi-client's load configuration. */
  bookmark: z.union([z.object({ name: z.string() }), z.object({ state: z.string() })]).optional(),
  filters: z.array(z.custom<object>((value) => typeof value === 'object' && value !== null)),
})
export type ExportSheet = z.infer<typeof ExportSheet>

/** The validated input of one export. Stored as JSON until it is rendered. */
export const ExportTask = z.object({
  format: z.enum(['PDF', 'PNG', 'XLSX']),
  reportId: z.string(),
  /** The identities for row-level security. */
  identities: z.array(Identity),
  sheets: z.array(ExportSheet),
  brand: SheetBrand.optional(),
  /** For whom it is, as the first sheet of a spreadsheet says. */
  person: z.string().optional(),
})
export type ExportTask = z.infer<typeof ExportTask>

export const EXTENSIONS = ['.pdf', '.png', '.zip', '.xlsx'] as const
export type ExportFile = {
  bytes: Uint8Array
  type: string
  extension: (typeof EXTENSIONS)[number]
  content?: ContentFacts
}
