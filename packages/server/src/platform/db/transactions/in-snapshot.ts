import type { Config } from '../../config/config.ts'
import type { Db } from '../open-database.ts'

/**
 * Runs the work on the data of one moment, read only. The embedded database's one connection sees
 * one moment anyway; it accepts no settings.
 */
export const inSnapshot = <T>(
  db: Db,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: (view: Db) => Promise<T>,
): Promise<T> => {
  const transaction = db.transaction()
  return databaseUrl === undefined
    ? transaction.execute(work)
    : transaction.setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}
