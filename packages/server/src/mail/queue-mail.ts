import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import type { Mail } from './mails.ts'

/** A queued message, as it is sealed in the database. */
export interface QueuedMail {
  /** An e-mail address. */
  para: string
  mail: Mail
}

/**
 * Queues a message in the transaction that it tells about: it is sent only after the commit. The
 * sender (send-mail.ts) retries while the mail server is unavailable.
 * @param isMeant false runs the same statement and sends nothing, so that timing does not reveal
 * who has an account
 */
export const queueMail = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  message: QueuedMail,
  isMeant = true,
): Promise<void> => {
  const conteudo = secrets.seal(JSON.stringify(message))
  await sql`insert into mensagem (conteudo, criada_em, proxima_em)
    select ${conteudo}::text, ${now()}::timestamptz, ${now()}::timestamptz where ${isMeant}::boolean`.execute(
    tx,
  )
}
