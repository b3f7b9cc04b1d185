import { type ReportQuery, reportQueries } from '@bi-manager/telemetry/events'
import { QueryTimeout } from '../../engine/data/database.ts'
import { CallerLeft } from '../../engine/queries/query-scheduler.ts'

/** Runs a reader's query and records it in metrics and traces. */
export const reportQuery = <T>(run: () => Promise<T>): Promise<T> => {
  const query: ReportQuery = {}
  return reportQueries.trace(query, async () => {
    try {
      const rows = await run()
      query.outcome = 'ok'
      return rows
    } catch (error) {
      query.outcome = outcomeOf(error)
      throw error
    }
  })
}

const outcomeOf = (error: unknown): ReportQuery['outcome'] => {
  if (error instanceof QueryTimeout) return 'timeout'
  return error instanceof CallerLeft ? 'abandoned' : 'error'
}
