import { isUnwritable } from '../drivers/unwritable.ts'
import type { Db } from '../open-database.ts'

/** Milliseconds for which no last use is written after one was refused: each would wait for the lock. */
const SKIPPED_MS = 10_000

const skippedUntil = new WeakMap<object, number>()

/**
 * Writes when something was last used, unless the database or the table cannot be written now: a
 * call that only reads goes on without.
 * @returns whether it was written
 */
export const noteLastUse = async (db: Db, write: () => Promise<unknown>): Promise<boolean> => {
  if (performance.now() < (skippedUntil.get(db) ?? 0)) return false
  try {
    await write()
    return true
  } catch (error) {
    if (!isUnwritable(error)) throw error
    skippedUntil.set(db, performance.now() + SKIPPED_MS)
    return false
  }
}
