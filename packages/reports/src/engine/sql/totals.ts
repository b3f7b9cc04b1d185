import { measureColumns } from './drill.ts'

/**
 * Returns SQL for totals over all rows of the query, including those beyond the limit. GROUP BY ()
 * refuses non-aggregates.
 */
export const totalsSql = (totals: Record<string, string>, query: string) =>
  `SELECT ${measureColumns(totals).join(', ')} FROM (${query}\n) GROUP BY ()`
