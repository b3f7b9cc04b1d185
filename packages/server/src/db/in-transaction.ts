import type { Db } from './open-database.ts'

/**
 * Runs the work in one transaction: all of it is kept, or none. Nothing slow (hashing, HTTP, files) belongs inside: the
 * embedded database has one connection, and everybody waits.
 */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(work)
