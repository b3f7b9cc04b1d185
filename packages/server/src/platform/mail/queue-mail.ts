import { sql } from 'kysely'
import { databaseNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import type { DeliveredMail, MailContent, MailKind, NewMail, QueuedMail } from './mail-kind.ts'

/** Returns a message as the queue holds it: encrypted, with the name of its kind. */
const encryptedMessage = (
  { secrets }: Pick<Services, 'secrets'>,
  { modelo }: { modelo: string },
  message: NewMail<object>,
) => secrets.encrypt(JSON.stringify({ ...message, mail: { ...message.mail, modelo } }))

/**
 * Queues a message in the caller's transaction: it is sent only if that commits. The sender
 * (send-mail.ts) retries while the mail server is unavailable.
 * @param shouldSend false runs the same statement and queues nothing, so that timing does not
 * reveal who has an account
 */
export const queueMail = async <Content extends MailContent, Queued extends object>(
  tx: Db,
  services: Pick<Services, 'secrets'>,
  kind: MailKind<Content, Queued>,
  message: NewMail<NoInfer<Queued>>,
  shouldSend = true,
): Promise<void> => {
  const conteudo = encryptedMessage(services, kind, message)
  await sql`insert into mensagem (conteudo, criada_em, proxima_em)
    select ${conteudo}::text, ${databaseNow}, ${databaseNow} where ${shouldSend}::boolean`.execute(tx)
}

/**
 * Stores in a queued message that it was delivered, so that no process sends it again. One statement:
 * a transaction could wait for a free connection, or for a lock.
 */
export const markDelivered = async (
  db: Db,
  { secrets }: Pick<Services, 'secrets'>,
  idMensagem: number,
  message: QueuedMail & { entregue: DeliveredMail },
): Promise<void> => {
  await db
    .updateTable('mensagem')
    .set({ conteudo: secrets.encrypt(JSON.stringify(message)) })
    .where('idMensagem', '=', idMensagem)
    .execute()
}

/** Queues several messages of one kind in one statement. */
export const queueMails = async <Content extends MailContent, Queued extends object>(
  tx: Db,
  services: Pick<Services, 'secrets'>,
  kind: MailKind<Content, Queued>,
  messages: NewMail<NoInfer<Queued>>[],
): Promise<void> => {
  await tx
    .insertInto('mensagem')
    .values(
      messages.map((message) => ({
        conteudo: encryptedMessage(services, kind, message),
        criadaEm: databaseNow,
        proximaEm: databaseNow,
      })),
    )
    .execute()
}
