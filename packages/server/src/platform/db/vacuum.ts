import { sql } from 'kysely'
import type { Db } from './open-database.ts'

/**
 * Replaces autovacuum on the embedded database: frees dead rows and updates planner statistics,
 * above the thresholds of PostgreSQL's defaults.
 * @returns the vacuumed tables
 */
export const vacuum = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ schema: string; table: string }>`
    select schemaname as schema, relname as table from pg_stat_user_tables
    where n_dead_tup > 50 + 0.2 * n_live_tup or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
      or n_mod_since_analyze > 50 + 0.1 * n_live_tup`.execute(db)
  for (const { schema, table } of rows) await sql`vacuum (analyze) ${sql.id(schema, table)}`.execute(db)
  return rows.map(({ table }) => table)
}
