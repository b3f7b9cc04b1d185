import type { Database, Rows } from '../data/database/database.ts'
import { QueryTimeout } from '../data/database/database.ts'
import type { RunStatement, Statement } from './query.ts'
import { CallerLeft, type Run } from './query-scheduler.ts'

/** Statements that are running, by their keys. */
const underWay = new WeakMap<Database, Map<string, Promise<Rows>>>()

/**
 * Runs a statement when the scheduler allows it, or waits for an equal one that another reader runs
 * at that moment. Waiting takes no slot. If the other reader leaves, or has no time left, the
 * statement runs here.
 */
export const runShared = async (
  run: Run,
  database: Database,
  write: Parameters<RunStatement>[0],
  execute: (statement: Statement, signal: AbortSignal) => Promise<Rows>,
): Promise<Rows> => {
  for (;;) {
    const turn = await run(async (signal) => {
      const statement = write()
      const key = keyOf(statement)
      const running = underWay.get(database) ?? new Map<string, Promise<Rows>>()
      underWay.set(database, running)
      const other = running.get(key)
      if (other) return { other }
      const rows = execute(statement, signal)
      running.set(key, rows)
      try {
        return { rows: await rows }
      } finally {
        running.delete(key)
      }
    })
    if (turn.rows) return turn.rows
    try {
      return await turn.other
    } catch (error) {
      if (!(error instanceof CallerLeft || error instanceof QueryTimeout)) throw error
    }
  }
}

const keyOf = (statement: Statement): string =>
  JSON.stringify(statement, (_name, value) => (typeof value === 'bigint' ? { bigint: String(value) } : value))
