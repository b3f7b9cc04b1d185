import { measures } from './drill.ts'

/** One row over all rows of the query, those beyond the limit too. GROUP BY () refuses what is no aggregate. */
export const totalsSql = (totals: Record<string, string>, query: string) =>
  `SELECT ${measures(totals).join(', ')} FROM (${query}\n) GROUP BY ()`
