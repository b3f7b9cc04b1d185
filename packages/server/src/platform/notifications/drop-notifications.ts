import type { Db } from '../db/open-database.ts'

const day = 24 * 3_600_000
const readKept = 90 * day
const allKept = 365 * day

/** Deletes notifications read long ago, and all old ones. */
export const dropNotifications = async (db: Db, now: Date): Promise<void> => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await db
    .deleteFrom('notificacao')
    .where((eb) => eb.or([eb('lidaEm', '<', before(readKept)), eb('criadaEm', '<', before(allKept))]))
    .execute()
}
