import { sql } from 'kysely'
import { databaseNow, fromNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { isProduction } from '../db/queries/is-production.ts'

/** An e-mail leaves within seconds while the queue is empty, and its first retry is 10 s later. */
const lateMs = 2 * 60_000
/**
 * Deferred e-mails, with no delivery after them, that make the queue late. Twice the recovery links
 * that one address gets at once: fewer could show that a typed address has an account.
 */
const MANY_DEFERRED = 10

/** SQL: whether the oldest due e-mail has waited for a sender since this time. */
const waitsForSender = sql<boolean>`(${isProduction}
  and exists (select from mensagem where proxima_em < ${fromNow(-lateMs)}))`

/** SQL: the time since which many e-mails wait, and none has left; null while fewer wait. */
const allWaitSince = sql<Date>`(select criada_em from mensagem
  where proxima_em > ${databaseNow}
    and criada_em > coalesce((select entregue_em from correio), '-infinity')
  order by criada_em offset ${sql.lit(MANY_DEFERRED - 1)} limit 1)`

/**
 * Returns whether e-mails as a whole are late: the mail server does not answer, no node takes what is
 * due, or every e-mail is deferred. One address never decides it (ADR 0091).
 */
export const isMailLate = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ late: boolean }>`
    select exists (select from correio where falhando_desde is not null)
      or ${waitsForSender} or coalesce(${allWaitSince} < ${fromNow(-lateMs)}, false) as late`.execute(db)
  return rows[0]?.late === true
}
