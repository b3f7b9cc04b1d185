import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { dayOf } from '../../platform/lib/local-time.ts'

const dayMs = 86_400_000

/** Views per run, so that a long backlog does not hold up other calls. */
const viewsPerRun = 50_000

/** Deletes the views, and the sums of days and months, whose retention has ended. */
export const deleteExpiredUsage = async (db: Db, now: Date, usageDays: number): Promise<void> => {
  const before = new Date(now.getTime() - usageDays * dayMs)
  const day = dayOf(before)
  // Ids are in the order of time, so no index of the time is needed.
  await sql`
    delete from visualizacao where quando < ${before} and id_visualizacao in (
      select id_visualizacao from visualizacao order by id_visualizacao limit ${viewsPerRun}
    )`.execute(db)
  await db.deleteFrom('usoLeitor').where('ultimo', '<', day).execute()
  for (const table of ['usoRelatorio', 'usoPessoa', 'usoEvento'] as const) {
    await db
      .deleteFrom(table)
      .where(sql<boolean>`not mensal and inicio < ${day}::date
        or mensal and inicio < date_trunc('month', ${day}::date::timestamp)::date`)
      .execute()
  }
}
