import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import type { Mail } from './mails.ts'

/** A message on its way, as it is sealed in the database. */
export interface QueuedMail {
  /** An e-mail address. */
  para: string
  mail: Mail
}

/**
 * Puts a message on its way in the transaction that it tells about: it leaves when that is committed, and only then. The
 * sender (send-mail.ts) tries again while the mail server is away.
 * @param isMeant false asks the same of the database and sends nothing: how long it takes must not tell who has an account
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
