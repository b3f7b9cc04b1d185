import { z } from '../calls/zod.ts'

/** What a report at the provider is: pages of visuals, or a paginated report (RDL). */
export const ReportType = z.enum(['INTERATIVO', 'PAGINADO'])
export type ReportType = z.infer<typeof ReportType>
