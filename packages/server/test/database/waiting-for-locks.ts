import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/open-database.ts'

/** Returns how many statements on this PostgreSQL database wait for a lock. */
export const countWaitingForLocks = async (db: Db): Promise<number> => {
  const { rows } = await sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
  return rows.length
}
