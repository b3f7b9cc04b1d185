import { sql } from 'kysely'
import { databaseNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import type { QueuedAlert } from './alert-mail.ts'
import type { LinkInMail } from './link-life.ts'
import type { Mail } from './mails.ts'
import type { QueuedSubscription } from './subscription-mail.ts'

/** A message of the queue; the database stores it encrypted. */
export interface QueuedMail {
  /** An e-mail address. */
  para: string
  mail: Mail | QueuedSubscription | QueuedAlert
  /** Sent only while the person has this address and may read the comment. */
  leitor?: { idUsuario: number; idComentario: number }
  /** Sent only while the link is valid; its life begins then. */
  vidaDoLink?: LinkInMail
  /** Once the mail server has accepted the message: only its outcome remains to be stored. */
  entregue?: DeliveredMail
}

export interface DeliveredMail {
  para: string
  /** ISO 8601. */
  em: string
  /** For the run of a subscription, in Portuguese. */
  observacao: string | null
}

/**
 * Queues a message in the caller's transaction: it is sent only if that commits. The sender
 * (send-mail.ts) retries while the mail server is unavailable.
 * @param shouldSend false runs the same statement and queues nothing, so that timing does not
 * reveal who has an account
 */
export const queueMail = async (
  tx: Db,
  { secrets }: Pick<Services, 'secrets'>,
  message: QueuedMail,
  shouldSend = true,
): Promise<void> => {
  const conteudo = secrets.seal(JSON.stringify(message))
  await sql`insert into mensagem (conteudo, criada_em, proxima_em)
    select ${conteudo}::text, ${databaseNow}, ${databaseNow} where ${shouldSend}::boolean`.execute(tx)
}

/**
 * Stores in a queued message that it was delivered, so that no process sends it again. One statement:
 * a transaction could wait for its place, or for another table.
 */
export const markDelivered = async (
  db: Db,
  { secrets }: Pick<Services, 'secrets'>,
  idMensagem: number,
  message: QueuedMail & { entregue: DeliveredMail },
): Promise<void> => {
  await db
    .updateTable('mensagem')
    .set({ conteudo: secrets.seal(JSON.stringify(message)) })
    .where('idMensagem', '=', idMensagem)
    .execute()
}

/** Queues several messages in one statement. */
export const queueMails = async (
  tx: Db,
  { secrets }: Pick<Services, 'secrets'>,
  messages: QueuedMail[],
): Promise<void> => {
  await tx
    .insertInto('mensagem')
    .values(
      messages.map((message) => ({
        conteudo: secrets.seal(JSON.stringify(message)),
        criadaEm: databaseNow,
        proximaEm: databaseNow,
      })),
    )
    .execute()
}
